import Mail from "lucide-react/icons/mail";
import Receipt from "lucide-react/icons/receipt-text";
import RotateCcw from "lucide-react/icons/rotate-ccw";
import Truck from "lucide-react/icons/truck";
import * as m from "messages/catalog";
import type { BuyingTerms as Terms } from "../../lib/api.gen";
import { useMoney, useShop } from "../../lib/shop-context";
import styles from "./buying-terms.module.css";
import { deliveryText, returnText } from "./internal/terms";

type Props = {
  terms: Terms;
  isDelivered: boolean;
  giftCard: boolean;
};

// Delivery, return and payment terms, and the taxes that prices include. A gift card is sent by e-mail, and not taxed.
export function BuyingTerms({ terms, isDelivered, giftCard }: Props) {
  const shop = useShop();
  const money = useMoney();
  return (
    <ul className={styles.terms} aria-label={m.termsLabel()}>
      {giftCard && (
        <li>
          <Mail size={18} strokeWidth={1.5} aria-hidden />
          {m.sentByEmail()}
        </li>
      )}
      {isDelivered && !giftCard && (terms.delivery !== null || terms.shipping !== null) && (
        <li>
          <Truck size={18} strokeWidth={1.5} aria-hidden />
          {deliveryText(terms, money)}
        </li>
      )}
      <li>
        <RotateCcw size={18} strokeWidth={1.5} aria-hidden />
        {giftCard ? m.giftCardReturns() : returnText(terms, shop)}
      </li>
      {terms.includedTaxes.length > 0 && !giftCard && (
        <li>
          <Receipt size={18} strokeWidth={1.5} aria-hidden />
          {m.priceIncludes({ taxes: terms.includedTaxes.join(", ") })}
        </li>
      )}
    </ul>
  );
}
