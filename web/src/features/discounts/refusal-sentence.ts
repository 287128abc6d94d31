// The sentences of why a discount code was not applied, made from the server's codes and parameters.
import * as m from "messages/cart";
import type { CodeRefusal, Currency } from "../../lib/api.gen";
import { format } from "../../lib/money";

type Params = Record<string, string>;
type Sentence = (params: Params, money: (amount: string | undefined) => string) => string;

const SENTENCES: Record<string, Sentence> = {
  unknown_code: m.codeUnknown,
  code_used_up: m.codeUsedUp,
  code_ended: m.codeEnded,
  code_not_started: m.codeNotStarted,
  code_not_now: m.codeNotNow,
  code_first_order: m.codeFirstOrder,
  code_already_used: m.codeAlreadyUsed,
  code_no_effect: m.codeNoEffect,
  code_other_country: m.codeOtherCountry,
  code_other_group: m.codeOtherGroup,
  code_needs_account: m.codeNeedsAccount,
  code_other_currency: ({ currencies = "" }) => m.codeOtherCurrency({ currencies }),
  code_no_goods: m.codeNoGoods,
  code_min_quantity: ({ least, missing }) =>
    m.codeMinQuantity({ least: Number(least), missing: Number(missing) }),
  code_gift_missing: m.codeGiftMissing,
  code_min_sub_total: ({ least, missing }, money) =>
    m.codeMinSubTotal({ least: money(least), missing: money(missing) }),
  better_offer: m.codeBetterOffer,
};

// Amounts are in the currency of the quote.
export function refusalSentence({ code, params = {} }: CodeRefusal, currency: Currency): string {
  const money = (amount: string | undefined) => format(Number(amount), currency, true);
  return (SENTENCES[code] ?? m.codeRefused)(params, money);
}
