import type { NewAddress } from "../../../lib/api.gen";
import { asciiDigits } from "../../../lib/numbers";

// What is stored of what a customer typed, with whichever digits.
export function typedAddress({ name, phone, address, usual }: Required<NewAddress>): NewAddress {
  return { name: name.trim(), phone: asciiDigits(phone.trim()), address: address.trim(), usual };
}
