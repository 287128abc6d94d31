import Banknote from "lucide-react/icons/banknote";
import CreditCard from "lucide-react/icons/credit-card";
import Landmark from "lucide-react/icons/landmark";
import Smartphone from "lucide-react/icons/smartphone";
import SmartphoneNfc from "lucide-react/icons/smartphone-nfc";
import Wallet from "lucide-react/icons/wallet";
import * as m from "messages/payment";
import type { ComponentProps, ComponentType } from "react";
import type { Currency, PaymentMethod, PaymentProvider } from "../../lib/api.gen";
import { format } from "../../lib/money";
import { useShop } from "../../lib/shop-context";
import card from "../../ui/choice-card.module.css";
import { PAYMENT_NAMES } from "../layout/payment-icons";
import styles from "./method-cards.module.css";
import { refusalOf } from "./method-rules";
import { nextText, refusalText } from "./method-texts";

type Icon = ComponentType<{ size: number; strokeWidth: number; "aria-hidden": true }>;

// A drawing of what is paid with: trade marks are not ours.
const ICONS: Record<PaymentProvider, Icon> = {
  cash_on_delivery: Banknote,
  card: CreditCard,
  google_pay: SmartphoneNfc,
  paypal: Wallet,
  bkash: Smartphone,
  sslcommerz: Landmark,
  store_credit: Wallet,
  gift_card: CreditCard,
};

type Props = {
  methods: PaymentMethod[];
  // What is to be paid; null while it is not known.
  amount: number | null;
  currency: Currency;
  // The attributes of the radio buttons, among them their name.
  input: (provider: PaymentProvider) => ComponentProps<"input">;
  // The id of what names the group.
  labelledBy: string;
  isPickup?: boolean;
  // What is charged for cash on delivery.
  cashFee?: number;
  // Nothing can be chosen.
  inert?: boolean;
};

// The ways to pay as a group of radio buttons. One that cannot be chosen says why.
export function MethodCards({ methods, labelledBy, inert = false, ...rest }: Props) {
  return (
    <div
      className={`${card.cards} ${styles.cards}`}
      role="radiogroup"
      aria-labelledby={labelledBy}
      inert={inert}
    >
      {methods.map((method) => (
        <MethodCard key={method.provider} method={method} {...rest} />
      ))}
    </div>
  );
}

type CardProps = Omit<Props, "methods" | "labelledBy" | "inert"> & { method: PaymentMethod };

function MethodCard({ method, amount, currency, input, isPickup = false, cashFee = 0 }: CardProps) {
  const { demo } = useShop();
  const { provider, enabled } = method;
  const refusal = refusalOf(method, amount, currency);
  const Icon = ICONS[provider];
  return (
    <label className={card.card} data-off={!enabled || undefined}>
      <input {...input(provider)} type="radio" value={provider} disabled={refusal !== null} />
      <Icon size={24} strokeWidth={1.5} aria-hidden />
      <span className={card.words}>
        <span className={card.name}>{PAYMENT_NAMES[provider]()}</span>
        <small>
          <span>
            {refusal === null
              ? nextText(provider, isPickup)
              : refusalText(provider, refusal, currency)}
          </span>
          {refusal === null && demo && provider === "card" && <span>{m.testCards()}</span>}
        </small>
      </span>
      {provider === "cash_on_delivery" && cashFee > 0 && (
        <span className={card.price}>+ {format(cashFee, currency)}</span>
      )}
    </label>
  );
}
