import * as m from "messages/account";
import type { Provider } from "../../../lib/api.gen";
import { useShop } from "../../../lib/shop-context";
import { Button } from "../../../ui/button";
import { hidden } from "../../../ui/visually-hidden";
import type { User } from "../../auth/identity";
import marks from "../../auth/social-buttons.module.css";
import styles from "../profile.module.css";
import { linkProvider, requireRecentSignIn, unlinkProvider } from "../profile-api";
import { ErrorText, ProfileSection, useAction } from "./profile-section";
import { useReauthentication } from "./reauthenticate";

const PROVIDERS: [Provider, string][] = [
  ["google.com", "Google"],
  ["facebook.com", "Facebook"],
];

export function LinkedAccounts({ user }: { user: User }) {
  const shop = useShop();
  const only = user.signInMethods.length < 2;
  // A linked provider can be removed even if the shop no longer offers it.
  const shown = PROVIDERS.filter(
    ([provider]) =>
      shop.identity.providers.includes(provider) || user.signInMethods.includes(provider),
  );
  if (shown.length === 0) return null;
  return (
    <ProfileSection title={m.linkedAccounts()} text={m.linkedAccountsText()}>
      <ul className={styles.list}>
        {shown.map(([provider, name]) => (
          <ProviderRow
            key={provider}
            provider={provider}
            name={name}
            linked={user.signInMethods.includes(provider)}
            only={only}
          />
        ))}
      </ul>
    </ProfileSection>
  );
}

type Props = { provider: Provider; name: string; linked: boolean; only: boolean };

function ProviderRow({ provider, name, linked, only }: Props) {
  const withReauthentication = useReauthentication();
  const { busy, failed, run } = useAction();

  async function connect() {
    // Browsers block a popup long after the click, so reauthentication comes first.
    const stale = await withReauthentication(requireRecentSignIn);
    return stale ?? (await linkProvider(provider));
  }

  return (
    <li className={styles.item}>
      <span className={marks.mark} data-provider={provider} />
      <div className={styles.details}>
        <p>{name}</p>
        <p className={styles.small}>{linkState(linked, only)}</p>
        <ErrorText failed={failed} />
      </div>
      {linked && !only && (
        <Button
          quiet
          aria-busy={busy}
          onClick={() =>
            void run(
              () => withReauthentication(() => unlinkProvider(provider)),
              m.unlinkedDone({ provider: name }),
            )
          }
        >
          {m.unlink({ provider: name, hidden })}
        </Button>
      )}
      {!linked && (
        <Button
          quiet
          aria-busy={busy}
          onClick={() => void run(connect, m.linkedDone({ provider: name }))}
        >
          {m.link({ provider: name, hidden })}
        </Button>
      )}
    </li>
  );
}

function linkState(linked: boolean, only: boolean): string {
  if (!linked) return m.notLinked();
  return only ? m.linkedOnly() : m.linked();
}
