// To whom the gift cards of an order are sent: what is typed, and what of it is sent.
import type { GiftCardRecipient } from "../../../lib/api.gen";

export type TypedRecipient = { email: string; sendOn: string };

// By the keys of their lines. No number, which would be a place in a list.
export type TypedRecipients = Record<string, TypedRecipient>;

export function recipientKey(line: string): string {
  return `line-${line}`;
}

// Of these lines; none where nothing is typed, which means to the shopper, at once.
export function recipientsToSend(lines: string[], typed: TypedRecipients): GiftCardRecipient[] {
  return lines.flatMap((line) => {
    const { email = "", sendOn = "" } = typed[recipientKey(line)] ?? {};
    const said = {
      ...(email.trim() !== "" && { email: email.trim() }),
      ...(sendOn !== "" && { sendOn }),
    };
    return Object.keys(said).length === 0 ? [] : [{ line, ...said }];
  });
}

export function typedRecipients(sent: GiftCardRecipient[] = []): TypedRecipients {
  const typed = sent.map(({ line, email = "", sendOn = "" }) => {
    return [recipientKey(line), { email, sendOn }] as const;
  });
  return Object.fromEntries(typed);
}

// The days on which a card can be sent, by the shopper's calendar; the shop's decides.
export function sendingDays(now: Date): { first: string; last: string } {
  const day = (years: number) =>
    [
      String(now.getFullYear() + years).padStart(4, "0"),
      String(now.getMonth() + 1).padStart(2, "0"),
      String(now.getDate()).padStart(2, "0"),
    ].join("-");
  return { first: day(0), last: day(1) };
}
