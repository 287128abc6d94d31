import Gift from "lucide-react/icons/gift";
import Headphones from "lucide-react/icons/headphones";
import ShieldCheck from "lucide-react/icons/shield-check";
import Truck from "lucide-react/icons/truck";
import Undo2 from "lucide-react/icons/undo-2";
import Wallet from "lucide-react/icons/wallet";
import type { Feature, Icon } from "../../lib/api.gen";
import styles from "./feature-strip.module.css";

const ICONS: Record<Icon, typeof Truck> = {
  delivery: Truck,
  return: Undo2,
  payment: Wallet,
  support: Headphones,
  guarantee: ShieldCheck,
  gift: Gift,
};

// The strip of the shop's promises on the home page.
export function FeatureStrip({ features }: { features: Feature[] }) {
  return (
    <ul className={`wrap ${styles.features}`} aria-label="What we promise">
      {features.map(({ icon, title, text, link }) => {
        const Icon = ICONS[icon];
        return (
          <li key={title}>
            <Icon size={24} strokeWidth={1.5} aria-hidden />
            <p>
              <strong>{link === null ? title : <a href={link}>{title}</a>}</strong>
              <span>{text}</span>
            </p>
          </li>
        );
      })}
    </ul>
  );
}
