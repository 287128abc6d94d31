// What a quote tells about delivery zones.
import * as m from "messages/cart";
import type { Quote } from "../../lib/api.gen";

// Without zones there is one price of delivery, and nothing to choose.
export function hasZones({ deliveries, undeliverable }: Quote): boolean {
  return deliveries.length > 0 || undeliverable;
}

// Where no method takes the goods to the place; null where it is not known.
export function undeliverableSentence(place: string | null): string {
  return place === null ? m.undeliverable() : m.undeliverableTo({ place });
}
