// Discount codes of a link. Loaded with the first one.
import * as m from "messages/cart";
import { toast } from "../../lib/toast";
import { discountCodes, MAX_CODES, parseCode } from "../cart/discount-codes";

// A link can hold anything, so what cannot be a code is not repeated to the visitor.
export function addLinkedCodes(found: string[]): void {
  const codes = found.map(parseCode).filter((code) => code !== null);
  for (const code of new Set(codes.slice(0, MAX_CODES))) {
    discountCodes.add(code);
    toast.success(m.codeInCart({ code }));
  }
}
