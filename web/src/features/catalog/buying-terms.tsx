import RotateCcw from "lucide-react/icons/rotate-ccw";
import Truck from "lucide-react/icons/truck";
import * as m from "messages/catalog";
import { useMoney, useShop } from "../../lib/shop-context";
import styles from "./buying-terms.module.css";
import { deliveryText, returnText } from "./internal/terms";

// Delivery, return and payment terms, from the shop's settings.
export function BuyingTerms() {
  const shop = useShop();
  const money = useMoney();
  return (
    <ul className={styles.terms} aria-label={m.termsLabel()}>
      <li>
        <Truck size={18} strokeWidth={1.5} aria-hidden />
        {deliveryText(shop.terms, money)}
      </li>
      <li>
        <RotateCcw size={18} strokeWidth={1.5} aria-hidden />
        {returnText(shop.terms, shop.payments)}
      </li>
    </ul>
  );
}
