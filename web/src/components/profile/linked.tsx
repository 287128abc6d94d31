import type { Provider } from "../../lib/api.gen";
import type { User } from "../../lib/identity";
import { expectFresh, link, unlink } from "../../lib/profile";
import { useShop } from "../../lib/shop";
import { Button } from "../../ui/button";
import marks from "../entrance/social-buttons.module.css";
import { Fault, Part, useDeed } from "./part";
import styles from "./profile.module.css";
import { useProof } from "./proof";

const PROVIDERS: [Provider, string][] = [
  ["google.com", "Google"],
  ["facebook.com", "Facebook"],
];

export function Linked({ user }: { user: User }) {
  const { shop } = useShop();
  const only = user.ways.length < 2;
  // One that is linked can be taken away, also when the shop has left it since.
  const shown = PROVIDERS.filter(
    ([provider]) => shop.identity.providers.includes(provider) || user.ways.includes(provider),
  );
  if (shown.length === 0) return null;
  return (
    <Part title="Linked accounts" words="Further ways into this account, beside your password.">
      <ul className={styles.list}>
        {shown.map(([provider, name]) => (
          <Way
            key={provider}
            provider={provider}
            name={name}
            linked={user.ways.includes(provider)}
            only={only}
          />
        ))}
      </ul>
    </Part>
  );
}

type Props = { provider: Provider; name: string; linked: boolean; only: boolean };

function Way({ provider, name, linked, only }: Props) {
  const withProof = useProof();
  const { busy, failed, run } = useDeed();

  async function connect() {
    // The window must open soon after a press, so who it is is asked for before.
    const stale = await withProof(expectFresh);
    return stale ?? (await link(provider));
  }

  return (
    <li className={styles.item}>
      <span className={marks.mark} data-provider={provider} />
      <div className={styles.said}>
        <p>{name}</p>
        <p className={styles.small}>
          {linked ? "Linked" : "Not linked"}
          {linked && only && ". It is your only way in: set a password before you take it away."}
        </p>
        <Fault failed={failed} />
      </div>
      {linked && !only && (
        <Button
          quiet
          aria-busy={busy}
          onClick={() =>
            void run(() => withProof(() => unlink(provider)), `${name} is not linked any more.`)
          }
        >
          Unlink<span className="visually-hidden"> {name}</span>
        </Button>
      )}
      {!linked && (
        <Button quiet aria-busy={busy} onClick={() => void run(connect, `${name} is linked.`)}>
          Link<span className="visually-hidden"> {name}</span>
        </Button>
      )}
    </li>
  );
}
