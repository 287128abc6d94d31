// Validation of the billing form, the same rules as the server's, and addresses known from earlier
// orders.
import type { Address, Order } from "../../lib/api.gen";

export const LONGEST_NAME = 200;
export const LONGEST_PHONE = 40;
export const LONGEST_ADDRESS = 1000;

// The name is known for entries of the address book.
export type SavedAddress = { name?: string; phone: string; address: string };

// Each returns true or a message, as react-hook-form expects.

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

export function joinName(first: string, last: string): string {
  return [first, last]
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join(" ");
}

// Takes the last word as the last name.
export function splitName(name: string): { first: string; last: string } {
  const words = name.trim().split(/\s+/);
  const last = words.length > 1 ? (words.pop() ?? "") : "";
  return { first: words.join(" "), last };
}

// The address book, then addresses of earlier orders, newest first; each address once.
export function savedAddresses(
  book: Pick<Address, "name" | "phone" | "address">[],
  orders: Pick<Order, "phone" | "address">[],
): SavedAddress[] {
  const seen = new Map<string, SavedAddress>();
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
