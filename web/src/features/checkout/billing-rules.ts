// Rules of the billing form: names, and addresses known from earlier orders.
import type { Address, Order, StoredParts } from "../../lib/api.gen";

// The name is known for entries of the address book.
export type SavedAddress = {
  name?: string;
  phone: string;
  address: string;
  parts?: StoredParts | null | undefined;
};

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
  book: (Pick<Address, "name" | "phone" | "address"> & Partial<Pick<Address, "parts">>)[],
  orders: (Pick<Order, "phone" | "address"> & Partial<Pick<Order, "postalAddress">>)[],
): SavedAddress[] {
  const seen = new Map<string, SavedAddress>();
  const places = [
    ...book.map(({ name, phone, address, parts }) => ({ name, phone, address, parts })),
    ...orders.map(({ phone, address, postalAddress: parts }) => ({ phone, address, parts })),
  ];
  for (const place of places) {
    const same = place.address.replace(/\s+/g, " ").toLowerCase();
    if (!seen.has(same)) seen.set(same, place);
  }
  return [...seen.values()];
}
