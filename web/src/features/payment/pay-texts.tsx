// What the payment page says in each state: a title, and a few sentences.
import * as checkout from "messages/checkout";
import * as m from "messages/payment";
import type { ReactNode } from "react";
import type { PaymentView } from "../../lib/api.gen";
import { localUrl } from "../../lib/language";
import { format } from "../../lib/money";
import { failureReason } from "./failure-reason";
import { moneyOfCancelled, type PayState } from "./pay-state";

export type Said = { title: string; sentences: ReactNode[] };

// `written`: whether the customer gets an e-mail.
export function said(state: PayState, now: PaymentView, written: boolean): Said {
  switch (state) {
    case "awaiting":
      return {
        title: m.awaiting(),
        sentences: now.paymentStatus === "partly_paid" ? [] : [m.awaitingText()],
      };
    case "failed":
      return failed(now);
    case "asking":
      return { title: m.asking(), sentences: [] };
    case "processing":
      return {
        title: m.processing(),
        sentences: [m.processingText(), written ? m.processingWrite() : m.processingKeep()],
      };
    case "expired":
      return { title: m.expired(), sentences: [m.expiredText()] };
    case "cancelled":
      return { title: m.cancelled(), sentences: [MONEY_OF_CANCELLED[moneyOfCancelled(now)]()] };
    case "authorised":
      return {
        title: checkout.completed(),
        sentences: [m.authorisedText({ amount: amountOf(now) })],
      };
    case "paid":
      return { title: checkout.completed(), sentences: [checkout.thankYou()] };
    case "unpaid":
      return { title: m.unpaid(), sentences: [m.unpaidText()] };
    case "partlyRefunded":
      return {
        title: m.partlyRefunded(),
        sentences: [m.partlyRefundedText({ refunded: refundOf(now), amount: amountOf(now) })],
      };
    case "refunded":
      return { title: m.refunded(), sentences: [m.refundedText({ amount: refundOf(now) })] };
    case "disputed":
      return { title: m.disputed(), sentences: [m.disputedText({ link: contactLink })] };
  }
}

const MONEY_OF_CANCELLED = {
  none: m.nothingCharged,
  released: m.cancelledReleased,
  paidBack: m.cancelledPaidBack,
};

function failed({ payment }: PaymentView): Said {
  const { code = "" } = payment ?? {};
  const title = code === "cancelled" ? m.failedCancelled() : m.failed();
  const first = [failureReason(code), m.nothingCharged()].filter((text) => text !== "").join(" ");
  return { title, sentences: [first, m.payAgain()] };
}

export function amountOf({ payment, toPay, currency }: PaymentView): string {
  return format(payment?.amount ?? toPay, currency);
}

function refundOf({ payment, currency }: PaymentView): string {
  return format(payment?.refunded ?? 0, currency);
}

export function contactLink(text: ReactNode): ReactNode {
  return <a href={localUrl("/contact")}>{text}</a>;
}
