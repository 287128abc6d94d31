import RotateCcw from "lucide-react/icons/rotate-ccw";
import Truck from "lucide-react/icons/truck";
import { useMoney, useShop } from "../lib/shop";
import { deliveryWords, returnWords } from "../lib/terms";
import styles from "./buying-terms.module.css";

// What a shopper wants to know before buying, in two lines, from the shop's settings.
export function BuyingTerms() {
  const { shop } = useShop();
  const money = useMoney();
  return (
    <ul className={styles.terms} aria-label="Delivery, returns and payment">
      <li>
        <Truck size={18} strokeWidth={1.5} aria-hidden />
        {deliveryWords(shop.terms, money)}
      </li>
      <li>
        <RotateCcw size={18} strokeWidth={1.5} aria-hidden />
        {returnWords(shop.terms, shop.payments)}
      </li>
    </ul>
  );
}
