// The payment page in each of its states, for tests and for the page that shows all components.
import type {
  OrderPayment,
  OrderStatus,
  PaymentMethod,
  PaymentProvider,
  PaymentState,
  PaymentStatus,
  PaymentView,
} from "../../lib/api.gen";

const AT = "2026-11-15T10:00:00.000Z";

const CARD: PaymentMethod = {
  provider: "card",
  title: "card",
  enabled: true,
  amounts: [{ currency: "USD", min: 0.5, max: 999_999.99 }],
};

// An order that waits for its payment, or is as `state` says.
export function payProps(state: Partial<PaymentView> = {}): PaymentView {
  return {
    number: "7K3M-9QXF",
    key: "5f1c",
    createdAt: AT,
    status: "awaiting_payment",
    paymentStatus: "awaiting_payment",
    toPay: 196,
    total: 196,
    currency: "USD",
    expiresAt: "2026-11-15T11:00:00.000Z",
    payment: paymentOf("card", "pending"),
    redirect: null,
    canPay: true,
    returned: false,
    guest: false,
    methods: [CARD],
    ...state,
  };
}

function paymentOf(
  provider: PaymentProvider,
  state: PaymentState,
  rest: Partial<OrderPayment> = {},
): OrderPayment {
  const settled = { refunded: 0, changedAt: AT, code: "", disputed: false };
  return { provider, state, amount: 196, ...settled, ...rest };
}

export const payStates: Record<string, Partial<PaymentView>> = {
  awaiting: {},
  "back from the provider": { returned: true },
  processing: { paymentStatus: "processing", payment: paymentOf("card", "processing") },
  ...Object.fromEntries(
    [
      "card_declined",
      "insufficient_funds",
      "expired_card",
      "incorrect_cvc",
      "risk",
      "new_code",
    ].map((code) => [`failed: ${code}`, { payment: paymentOf("card", "failed", { code }) }]),
  ),
  "failed: authentication": {
    payment: paymentOf("card", "failed", { code: "authentication_required" }),
  },
  "failed: cancelled": { payment: paymentOf("bkash", "failed", { code: "cancelled" }) },
  "failed: expired": { payment: paymentOf("sslcommerz", "failed", { code: "expired" }) },
  "without a way to pay": { methods: [] },
  expired: { canPay: false, expiresAt: null },
  cancelled: ended("cancelled", "cancelled", paymentOf("card", "failed")),
  "cancelled and paid back": ended("cancelled", "refunded", paymentOf("card", "refunded")),
  "cancelled and released": ended("cancelled", "cancelled", paymentOf("card", "authorised")),
  authorised: ended("placed", "authorised", paymentOf("card", "authorised")),
  paid: ended("placed", "paid", paymentOf("card", "captured")),
  "paid in part by a gift card": {
    ...ended("placed", "paid", paymentOf("paypal", "captured", { amount: 150 })),
    toPay: 150,
  },
  "paid by a guest": {
    ...ended("placed", "paid", paymentOf("google_pay", "captured")),
    guest: true,
  },
  "paid and shipped": ended("shipped", "paid", paymentOf("card", "captured")),
  unpaid: ended("placed", "unpaid", paymentOf("cash_on_delivery", "authorised")),
  "partly refunded": ended(
    "partly_refunded",
    "partly_refunded",
    paymentOf("card", "partly_refunded", { refunded: 36 }),
  ),
  refunded: ended("refunded", "refunded", paymentOf("card", "refunded", { refunded: 196 })),
  disputed: ended("shipped", "disputed", paymentOf("card", "captured", { disputed: true })),
};

function ended(
  status: OrderStatus,
  paymentStatus: PaymentStatus,
  payment: OrderPayment,
): Partial<PaymentView> {
  return { status, paymentStatus, payment, canPay: false, expiresAt: null, methods: [] };
}
