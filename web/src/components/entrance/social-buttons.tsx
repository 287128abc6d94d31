import { type ReactNode, useState } from "react";
import { useAlive } from "../../lib/alive";
import type { Provider } from "../../lib/api.gen";
import { socialSignIn } from "../../lib/auth";
import type { Failure } from "../../lib/auth-errors";
import { useShop } from "../../lib/shop";
import { Button } from "../../ui/button";
import { useSecondStep } from "./second-step";
import styles from "./social-buttons.module.css";

const NAMES: Record<Provider, string> = { "google.com": "Google", "facebook.com": "Facebook" };

type Props = {
  // Those that this page offers; shown are those of them that the shop has set up.
  providers: Provider[];
  // What stands above the buttons where there is one at all.
  above: ReactNode;
  // Where a button says more than the provider's name.
  label?: (name: string) => string;
};

export function SocialButtons({ providers, above, label = (name) => name }: Props) {
  const { shop } = useShop();
  const alive = useAlive();
  const orSecondStep = useSecondStep();
  const [failed, setFailed] = useState<Failure | null>(null);

  async function enter(provider: Provider) {
    setFailed(null);
    const trouble = orSecondStep(await socialSignIn(provider));
    // A second click took over; it will tell how it went.
    if (trouble?.code === "auth/cancelled-popup-request") return;
    // The code's own words are about a password.
    const unconfirmed = trouble?.code === "auth/invalid-credential";
    const message = `${NAMES[provider]} did not confirm who you are. Please try again.`;
    setFailed(unconfirmed ? { ...trouble, message } : trouble);
  }

  const offered = providers.filter((provider) => shop.identity.providers.includes(provider));
  if (offered.length === 0) return null;
  return (
    <div>
      {above}
      <div className={styles.buttons}>
        {offered.map((provider) => (
          <Button key={provider} quiet disabled={!alive} onClick={() => enter(provider)}>
            <span className={styles.mark} data-provider={provider} />
            {label(NAMES[provider])}
          </Button>
        ))}
      </div>
      {failed && (
        <p className={styles.fault} role="alert">
          {failed.message}
        </p>
      )}
    </div>
  );
}
