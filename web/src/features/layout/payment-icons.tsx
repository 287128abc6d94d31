import * as common from "messages/common";
import * as m from "messages/layout";
import type { PaymentProvider } from "../../lib/api.gen";
import { useShop } from "../../lib/shop-context";
import styles from "./payment-icons.module.css";

export const PAYMENT_NAMES: Record<PaymentProvider, () => string> = {
  cash_on_delivery: common.cashOnDelivery,
  card: common.creditCard,
  paypal: common.paypal,
  google_pay: common.googlePay,
  bkash: common.bkash,
  sslcommerz: common.sslcommerz,
  store_credit: common.storeCredit,
  gift_card: common.giftCard,
};

// Cash and cards as drawings; the others as their names, since trade marks are not ours.
const DRAWINGS: Partial<Record<PaymentProvider, string>> = {
  cash_on_delivery: "M8 7h24v12H8zM23 13a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM12 13h.01M28 13h.01",
  card: "M9 6h22v14H9zM9 11h22M13 16h5",
};

// The ways to pay that the shop offers.
export function PaymentIcons() {
  const { payments } = useShop();
  return (
    <ul className={styles.marks} aria-label={m.paymentOptions()}>
      {payments.map(({ provider, enabled }) => {
        const drawing = DRAWINGS[provider];
        const name = PAYMENT_NAMES[provider]();
        return (
          enabled && (
            <li key={provider}>
              {drawing && (
                <svg viewBox="0 0 40 26" aria-hidden>
                  <path d={drawing} />
                </svg>
              )}
              <span className={drawing && "visually-hidden"}>{name}</span>
            </li>
          )
        );
      })}
    </ul>
  );
}
