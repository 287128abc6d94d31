// Why a payment failed, by the provider's code.
import * as m from "messages/payment";

const REASONS = new Map<string, () => string>([
  ["card_declined", m.cardDeclined],
  ["insufficient_funds", m.noFunds],
  ["no_funds", m.noFunds],
  ["expired_card", m.expiredCard],
  ["incorrect_cvc", m.incorrectCvc],
  ["authentication_required", m.notAuthenticated],
  ["authentication_failed", m.notAuthenticated],
  ["payment_intent_authentication_failure", m.notAuthenticated],
  ["expired", m.pageExpired],
  ["2023", m.noFunds],
  ["risk", m.risk],
]);

// Empty where the shopper cancelled it.
export function failureReason(code: string): string {
  if (code === "cancelled") return "";
  return (REASONS.get(code) ?? m.otherReason)();
}
