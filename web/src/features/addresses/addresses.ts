// A customer's addresses: the address book on the server, and the validation that it shares with
// orders, by the server's rules.
import type { Address, NewAddress } from "../../lib/api.gen";
import { authJson, jsonBody } from "../auth/api-auth";

export const LONGEST_NAME = 200;
export const LONGEST_PHONE = 40;
export const LONGEST_ADDRESS = 1000;

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
