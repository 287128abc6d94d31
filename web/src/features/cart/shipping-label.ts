// What the cost of the delivery is called, as in invoices: with the method, where there are methods.
import * as m from "messages/cart";

export function shippingLabel(method: string | undefined): string {
  return method === undefined ? m.shipping() : m.shippingBy({ method });
}
