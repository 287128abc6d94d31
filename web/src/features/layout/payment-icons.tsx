import * as common from "messages/common";
import * as m from "messages/layout";
import type { ReactNode } from "react";
import type { PaymentProvider } from "../../lib/api.gen";
import { useShop } from "../../lib/shop-context";
import styles from "./payment-icons.module.css";

// Payment icons, drawn by us: no trade marks.
const DRAWINGS: Record<PaymentProvider, ReactNode> = {
  cash_on_delivery: (
    <>
      <rect x="8" y="7" width="24" height="12" rx="2" />
      <circle cx="20" cy="13" r="3" />
      <path d="M12 13h.01M28 13h.01" />
    </>
  ),
  card: (
    <>
      <rect x="9" y="6" width="22" height="14" rx="2" />
      <path d="M9 11h22M13 16h5" />
    </>
  ),
  paypal: (
    <>
      <path d="M28 9V7.5A1.5 1.5 0 0 0 26.5 6H12a2 2 0 0 0 0 4h17v10H12a2 2 0 0 1-2-2V8" />
      <path d="M25 15h.01" />
    </>
  ),
  google_pay: (
    <>
      <rect x="14" y="5" width="12" height="16" rx="2.5" />
      <path d="M17.5 13l2 2 3.5-4" />
    </>
  ),
  store_credit: (
    <>
      <path d="M11 8.5L25 5v3.5" />
      <rect x="9" y="8.5" width="22" height="12" rx="2" />
      <path d="M31 12.5h-5a2 2 0 0 0 0 4h5" />
    </>
  ),
  gift_card: (
    <>
      <rect x="9" y="6" width="22" height="14" rx="2" />
      <path d="M9 12h22M16 6v14M16 12c-3 0-4-4-1.5-4S16 12 16 12s-1-4 1.500-4S19 12 16 12" />
    </>
  ),
};

export const PAYMENT_NAMES: Record<PaymentProvider, () => string> = {
  cash_on_delivery: common.cashOnDelivery,
  card: common.creditCard,
  paypal: common.paypal,
  google_pay: common.googlePay,
  store_credit: common.storeCredit,
  gift_card: common.giftCard,
};

// The shop's payment methods in the footer; unavailable ones are dimmed.
export function PaymentIcons() {
  const shop = useShop();
  return (
    <ul className={styles.marks} aria-label={m.paymentOptions()}>
      {shop.payments.map(({ provider, enabled }) => (
        <li key={provider} data-off={!enabled || undefined}>
          <PaymentIcon provider={provider} />
          <span className="visually-hidden">
            {enabled
              ? PAYMENT_NAMES[provider]()
              : m.notAvailableYet({ name: PAYMENT_NAMES[provider]() })}
          </span>
        </li>
      ))}
    </ul>
  );
}

export function PaymentIcon({ provider }: { provider: PaymentProvider }) {
  return (
    <svg className={styles.mark} viewBox="0 0 40 26" aria-hidden>
      <rect className={styles.frame} x="0.5" y="0.5" width="39" height="25" rx="4" />
      {DRAWINGS[provider]}
    </svg>
  );
}
