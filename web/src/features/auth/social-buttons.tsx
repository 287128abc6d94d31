import * as m from "messages/auth";
import { type ReactNode, useState } from "react";
import type { Provider } from "../../lib/api.gen";
import { useShop } from "../../lib/shop-context";
import { useHydrated } from "../../lib/use-hydrated";
import { Button } from "../../ui/button";
import { socialSignIn } from "./auth";
import type { Failure } from "./auth-errors";
import { useSecondStep } from "./second-step";
import styles from "./social-buttons.module.css";

const NAMES: Record<Provider, string> = { "google.com": "Google", "facebook.com": "Facebook" };

type Props = {
  // The providers that this page offers, if the shop has set them up.
  providers: Provider[];
  // Rendered above the buttons if there are any.
  above: ReactNode;
  // The button's text.
  label?: (name: string) => string;
};

export function SocialButtons({ providers, above, label = (name) => name }: Props) {
  const shop = useShop();
  const hydrated = useHydrated();
  const unlessSecondStep = useSecondStep();
  const [failed, setFailed] = useState<Failure | null>(null);

  async function enter(provider: Provider) {
    setFailed(null);
    const error = unlessSecondStep(await socialSignIn(provider));
    // A second click took over and will report its own result.
    if (error?.code === "auth/cancelled-popup-request") return;
    // The code's own message is about a password.
    const unconfirmed = error?.code === "auth/invalid-credential";
    const message = m.providerRefused({ provider: NAMES[provider] });
    setFailed(unconfirmed ? { ...error, message } : error);
  }

  const offered = providers.filter((provider) => shop.identity.providers.includes(provider));
  if (offered.length === 0) return null;
  return (
    <div>
      {above}
      <div className={styles.buttons}>
        {offered.map((provider) => (
          <Button key={provider} quiet disabled={!hydrated} onClick={() => enter(provider)}>
            <span className={styles.mark} data-provider={provider} />
            {label(NAMES[provider])}
          </Button>
        ))}
      </div>
      {failed && (
        <p className={styles.error} role="alert">
          {failed.message}
        </p>
      )}
    </div>
  );
}
