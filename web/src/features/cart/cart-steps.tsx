import * as m from "messages/cart";
import type { CartStep } from "../../lib/api.gen";
import { localUrl } from "../../lib/language";
import styles from "./cart-steps.module.css";

const STEPS: { step: CartStep; name: () => string; path?: string }[] = [
  { step: "cart", name: m.shoppingCart, path: "/cart" },
  { step: "checkout", name: m.checkOut },
  { step: "completed", name: m.orderCompleted },
];

// Progress through the checkout. Earlier steps are links, later ones disabled.
export function CartSteps({ current }: { current: CartStep }) {
  const here = STEPS.findIndex(({ step }) => step === current);
  return (
    <ol className={styles.steps} aria-label={m.steps()}>
      {STEPS.map(({ step, name, path }, at) => (
        <li key={step} data-state={at < here ? "done" : at === here ? "here" : "ahead"}>
          {at < here && path ? (
            <a href={localUrl(path)}>{name()}</a>
          ) : (
            <span
              {...(at === here ? { "aria-current": "step" as const } : { "aria-disabled": true })}
            >
              {name()}
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}
