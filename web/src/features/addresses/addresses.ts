// A customer's addresses: the address book on the server, and the validation that it shares with
// orders, by the server's rules.
import * as m from "messages/addresses";
import type { Address, NewAddress } from "../../lib/api.gen";
import { asciiDigits } from "../../lib/numbers";
import { authJson, jsonBody } from "../auth/api-auth";

export const LONGEST_NAME = 200;
export const LONGEST_PHONE = 40;
export const LONGEST_ADDRESS = 1000;

// Each returns true or a message, as react-hook-form expects.

// Where the country is known, the server knows its numbers.
export function requirePhone(phone: string): true | string {
  return phone.trim() !== "" || m.phoneRequired();
}

export function checkPhone(phone: string): true | string {
  const text = phone.trim();
  if (text === "") return m.phoneRequired();
  const digits = text.replace(/\P{Nd}/gu, "").length;
  const callable = /^[\p{Nd} +\-().,/x#*]+$/u.test(text) && digits >= 4 && digits <= 20;
  return callable || m.phoneInvalid();
}

export function checkAddress(address: string): true | string {
  return address.trim() !== "" || m.addressRequired();
}

// As it is kept: couriers' systems read 0 to 9 only.
export function normalizePhone(phone: string): string {
  return asciiDigits(phone.trim());
}

export function listAddresses(): Promise<Address[]> {
  return authJson<Address[]>("/api/addresses");
}

export function saveAddress(address: NewAddress, id: string | null): Promise<Address[]> {
  const init = jsonBody(address);
  return id === null
    ? authJson<Address[]>("/api/addresses", init)
    : authJson<Address[]>(`/api/addresses/${id}`, { ...init, method: "PUT" });
}

export function removeAddress(id: string): Promise<Address[]> {
  return authJson<Address[]>(`/api/addresses/${id}`, { method: "DELETE" });
}
