import type { CartStep } from "../../lib/api.gen";
import styles from "./cart-steps.module.css";

const STEPS: { step: CartStep; name: string; url?: string }[] = [
  { step: "cart", name: "Shopping Cart", url: "/cart" },
  { step: "checkout", name: "Check Out" },
  { step: "completed", name: "Order Completed" },
];

// Progress through the checkout. Earlier steps are links, later ones disabled.
export function CartSteps({ current }: { current: CartStep }) {
  const here = STEPS.findIndex(({ step }) => step === current);
  return (
    <ol className={styles.steps} aria-label="Steps">
      {STEPS.map(({ step, name, url }, at) => (
        <li key={step} data-state={at < here ? "done" : at === here ? "here" : "ahead"}>
          {at < here && url ? (
            <a href={url}>{name}</a>
          ) : (
            <span
              {...(at === here ? { "aria-current": "step" as const } : { "aria-disabled": true })}
            >
              {name}
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}
