// At checkout the cart goes where the address says.
import { useEffect } from "react";
import { type UseFormReturn, useWatch } from "react-hook-form";
import type { Quote } from "../../../lib/api.gen";
import { useShop } from "../../../lib/shop-context";
import {
  type Destination,
  deliveryChoice,
  destinationOf,
  isSameDestination,
  useDeliveryChoice,
} from "../../cart/delivery-choice";
import type { Billing } from "./billing-fields";

const DEBOUNCE = 400;

// Makes the typed address the destination of the cart, in shops where it matters. Returns whether it is.
export function useQuotedAddress(form: UseFormReturn<Billing>, quote: Quote | null): boolean {
  const { countries } = useShop();
  const follows = countries.length > 0 && quote?.dependsOnDestination === true;
  const destination = useDeliveryChoice()?.destination ?? null;
  const typed = useTypedDestination(form);
  const { country, region, district, postcode } = typed;
  const isFollowed = destination !== null && isSameDestination(typed, destination);
  useEffect(() => {
    if (!follows || isFollowed) return;
    const next = { country, region, district, postcode };
    // Another window may have the checkout open with another address.
    const follow = () => document.hasFocus() && deliveryChoice.setDestination(next);
    const timer = setTimeout(follow, DEBOUNCE);
    addEventListener("focus", follow);
    return () => {
      clearTimeout(timer);
      removeEventListener("focus", follow);
    };
  }, [follows, isFollowed, country, region, district, postcode]);
  return !follows || isFollowed;
}

function useTypedDestination({ control }: UseFormReturn<Billing>): Destination {
  const [country, region, district, postcode] = useWatch({
    control,
    name: ["parts.country", "parts.region", "parts.district", "parts.postcode"],
  });
  return destinationOf({ country, region, district, postcode });
}
