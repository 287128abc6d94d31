import * as m from "messages/cart";
import { useCallback, useId, useRef, useState } from "react";
import type { Quote } from "../../lib/api.gen";
import { useShop } from "../../lib/shop-context";
import { useDeliveryChoice, wantedDestination } from "../cart/delivery-choice";
import { DeliveryMethods } from "./delivery-methods";
import styles from "./delivery-section.module.css";
import { DestinationForm } from "./internal/destination-form";
import { usePlaceName } from "./place-name";
import { hasZones, undeliverableSentence } from "./zones";

// Where the cart goes and how, below its total. Nothing in a shop where neither delivery nor taxes depend on it.
export function DeliverySection({ quote }: { quote: Quote }) {
  const title = useId();
  const { countries } = useShop();
  const choice = useDeliveryChoice();
  const [open, setOpen] = useState(false);
  const movesFocus = useRef(false);
  const destination = choice && wantedDestination(choice, countries);
  const place = usePlaceName(destination);
  const onOpenerShown = useCallback((opener: HTMLElement | null) => {
    if (movesFocus.current) opener?.focus();
  }, []);
  const isAsked = quote.dependsOnDestination && destination !== null;
  if (!isAsked && !hasZones(quote)) return null;

  return (
    <section className={styles.section} aria-labelledby={title}>
      <div className={styles.head}>
        <h3 id={title}>{place === null ? m.delivery() : m.deliveryTo({ place })}</h3>
        {destination !== null && !open && (
          <button
            ref={onOpenerShown}
            className={styles.change}
            type="button"
            aria-label={m.changeDestination()}
            onClick={() => {
              movesFocus.current = true;
              setOpen(true);
            }}
          >
            {m.change()}
          </button>
        )}
      </div>
      {open && destination !== null && (
        <DestinationForm destination={destination} close={() => setOpen(false)} />
      )}
      <p className={styles.nowhere} aria-live="polite">
        {quote.undeliverable && undeliverableSentence(place)}
      </p>
      {quote.deliveries.length > 0 && (
        <DeliveryMethods
          quote={quote}
          legend={<span className="visually-hidden">{m.deliveryMethod()}</span>}
        />
      )}
    </section>
  );
}
