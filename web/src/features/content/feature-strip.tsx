import Gift from "lucide-react/icons/gift";
import Headphones from "lucide-react/icons/headphones";
import ShieldCheck from "lucide-react/icons/shield-check";
import Truck from "lucide-react/icons/truck";
import Undo2 from "lucide-react/icons/undo-2";
import Wallet from "lucide-react/icons/wallet";
import * as m from "messages/content";
import type { Feature, Icon } from "../../lib/api.gen";
import { contentUrl } from "../../lib/urls";
import styles from "./feature-strip.module.css";

const ICONS: Record<Icon, typeof Truck> = {
  delivery: Truck,
  return: Undo2,
  payment: Wallet,
  support: Headphones,
  guarantee: ShieldCheck,
  gift: Gift,
};

type Props = {
  features: Feature[];
  // Where it is not the page's.
  lang?: string | undefined;
};

// The strip of the shop's promises on the home page.
export function FeatureStrip({ features, lang }: Props) {
  return (
    <ul className={`wrap ${styles.features}`} aria-label={m.promises()}>
      {features.map(({ icon, title, text, link }) => {
        const Icon = ICONS[icon];
        return (
          <li key={title} lang={lang}>
            <Icon size={24} strokeWidth={1.5} aria-hidden />
            <p>
              <strong>{link === null ? title : <a href={contentUrl(link)}>{title}</a>}</strong>
              <span>{text}</span>
            </p>
          </li>
        );
      })}
    </ul>
  );
}
