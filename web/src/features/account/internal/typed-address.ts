import type { NewAddress } from "../../../lib/api.gen";
import { normalizePhone } from "../../addresses/addresses";

// What is stored of what a customer typed.
export function typedAddress({ name, phone, address, usual }: Required<NewAddress>): NewAddress {
  const place = typeof address === "string" ? address.trim() : address;
  return { name: name.trim(), phone: normalizePhone(phone), address: place, usual };
}
