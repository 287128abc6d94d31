// What may be typed where an order goes to, and what earlier orders say about it. The shop holds the
// same rules; here they are told before anything is sent.
import type { Address, Order } from "../api.gen";

export const LONGEST_NAME = 200;
export const LONGEST_PHONE = 40;
export const LONGEST_ADDRESS = 1000;

// Of the address book, also for whom.
export type Place = { name?: string; phone: string; address: string };

// Each answers true, or what is wrong: the form of answer that react-hook-form asks for.

export function checkPhone(phone: string): true | string {
  const text = phone.trim();
  if (text === "") return "Phone is required";
  const digits = text.replace(/\P{Nd}/gu, "").length;
  const callable = /^[\p{Nd} +\-().,/x#*]+$/u.test(text) && digits >= 4 && digits <= 20;
  return callable || "Please write a number that we can call, like +880 1700 000 000";
}

export function checkAddress(address: string): true | string {
  return address.trim() !== "" || "Address is required";
}

export function joinedName(first: string, last: string): string {
  return [first, last]
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join(" ");
}

// The last word is the last name, as far as anybody can tell.
export function splitName(name: string): { first: string; last: string } {
  const words = name.trim().split(/\s+/);
  const last = words.length > 1 ? (words.pop() ?? "") : "";
  return { first: words.join(" "), last };
}

// The address book, as it is, then where earlier orders went, the newest first; each place once.
export function knownPlaces(
  book: Pick<Address, "name" | "phone" | "address">[],
  orders: Pick<Order, "phone" | "address">[],
): Place[] {
  const seen = new Map<string, Place>();
  const places = [
    ...book.map(({ name, phone, address }) => ({ name, phone, address })),
    ...orders.map(({ phone, address }) => ({ phone, address })),
  ];
  for (const place of places) {
    const same = place.address.replace(/\s+/g, " ").toLowerCase();
    if (!seen.has(same)) seen.set(same, place);
  }
  return [...seen.values()];
}
