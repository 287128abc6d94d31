import * as m from "messages/cart";
import type { Quote } from "../../../lib/api.gen";
import { useShop } from "../../../lib/shop-context";
import { Skeleton } from "../../../ui/skeleton";
import { useDeliveryChoice, wantedDestination } from "../../cart/delivery-choice";
import { DeliveryMethods } from "../../delivery/delivery-methods";
import { usePlaceName } from "../../delivery/place-name";
import { hasZones, undeliverableSentence } from "../../delivery/zones";
import styles from "./delivery-choice.module.css";

type Props = {
  quote: Quote | null;
  // While the order is being placed.
  fixed: boolean;
};

// How the order is delivered to the address above. Nothing in a shop without delivery zones.
export function DeliveryChoice({ quote, fixed }: Props) {
  const { countries } = useShop();
  const choice = useDeliveryChoice();
  const place = usePlaceName(choice && wantedDestination(choice, countries));
  // A destination is kept where there are zones.
  if (quote === null && choice?.destination) return <Skeleton height="10rem" />;
  if (quote === null || !hasZones(quote)) return null;
  if (!quote.undeliverable) {
    const legend = <span className={styles.title}>{m.delivery()}</span>;
    return <DeliveryMethods quote={quote} legend={legend} fixed={fixed} />;
  }
  return (
    <section aria-labelledby="delivery">
      <h2 id="delivery" className={styles.title}>
        {m.delivery()}
      </h2>
      <p className={styles.nowhere} role="alert">
        {undeliverableSentence(place)}
      </p>
    </section>
  );
}
