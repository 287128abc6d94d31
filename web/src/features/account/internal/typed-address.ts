import type { NewAddress } from "../../../lib/api.gen";
import { normalizePhone } from "../../addresses/addresses";

// What is stored of what a customer typed.
export function typedAddress({ name, phone, address, usual }: Required<NewAddress>): NewAddress {
  return { name: name.trim(), phone: normalizePhone(phone), address: address.trim(), usual };
}
