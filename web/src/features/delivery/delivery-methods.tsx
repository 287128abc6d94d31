import * as m from "messages/cart";
import { type ReactNode, useId } from "react";
import type { DeliveryOption, Quote } from "../../lib/api.gen";
import { format } from "../../lib/money";
import card from "../../ui/choice-card.module.css";
import { deliveryChoice, useDeliveryChoice } from "../cart/delivery-choice";
import { Arrival } from "./arrival";
import styles from "./delivery-methods.module.css";

type Props = {
  quote: Quote;
  // The name of the group.
  legend: ReactNode;
  // Nothing can be changed: the order is being placed.
  fixed?: boolean;
};

// The methods of delivery to the destination, to choose one. The chosen one is checked at once, before
// the quote with its price is there.
export function DeliveryMethods({ quote, legend, fixed = false }: Props) {
  const group = useId();
  const { deliveries, delivery, currency } = quote;
  const chosen = useDeliveryChoice()?.method;
  const checked = deliveries.some(({ id }) => id === chosen) ? chosen : delivery;
  return (
    <fieldset className={styles.methods} inert={fixed}>
      <legend>{legend}</legend>
      <div className={card.cards}>
        {deliveries.map((method) => (
          <label key={method.id} className={card.card}>
            <input
              type="radio"
              name={group}
              value={method.id}
              checked={method.id === checked}
              onChange={() => deliveryChoice.setMethod(method.id)}
            />
            <span className={card.words}>
              <span className={card.name}>{method.name}</span>
              <small>
                <Arrival delivery={method} />
              </small>
            </span>
            <span className={card.price}>{price(method, currency)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function price({ price }: DeliveryOption, currency: Quote["currency"]): string {
  return price === 0 ? m.free() : format(price, currency);
}
