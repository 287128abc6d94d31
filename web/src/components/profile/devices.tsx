import Monitor from "lucide-react/icons/monitor";
import Smartphone from "lucide-react/icons/smartphone";
import { longDate } from "../../lib/dates";
import { type Device, deviceName } from "../../lib/devices";
import { useLoaded } from "../../lib/loaded";
import { devices, signOutEverywhere } from "../../lib/profile";
import { useShop } from "../../lib/shop";
import { loginUrl } from "../../lib/urls";
import { Button } from "../../ui/button";
import { Failed } from "../../ui/empty";
import { Skeleton } from "../../ui/skeleton";
import { Fault, Part, useDeed } from "./part";
import styles from "./profile.module.css";

const TITLE = "Signed-in devices";

type Props = {
  // Where one goes when one is signed out here too.
  leaveTo: (url: string) => void;
};

export function Devices({ leaveTo }: Props) {
  const { shop } = useShop();
  // A hosted identity provider does not tell.
  if (shop.identity.hosted) {
    return (
      <Part title={TITLE}>
        <p className={styles.small}>
          Who you are is kept by another service here, which does not list your devices. A new
          password ends your sign-in on all of them.
        </p>
      </Part>
    );
  }
  return <Known leaveTo={leaveTo} />;
}

function Known({ leaveTo }: Props) {
  const { value, failed, retry } = useLoaded(devices);
  const { busy, failed: trouble, run } = useDeed();

  async function leave() {
    leaveTo(loginUrl("/account/profile"));
    const wrong = await signOutEverywhere();
    if (wrong !== null) leaveTo("/");
    return wrong;
  }

  return (
    <Part
      title={TITLE}
      words="Is there one that you do not know? Sign out everywhere, and change your password."
    >
      {failed && <Failed what="Your devices" retry={retry} />}
      {!failed && value === null && <Skeleton height="4rem" />}
      {value !== null && (
        <ul className={styles.list}>
          {value.map((device) => (
            <Row key={`${device.signedInAt} ${device.usedAt} ${device.agent}`} device={device} />
          ))}
        </ul>
      )}
      <div className={styles.stack}>
        <Button
          quiet
          aria-busy={busy}
          onClick={() => void run(leave, "You are signed out everywhere.")}
        >
          Sign out everywhere
        </Button>
        <Fault failed={trouble} />
      </div>
    </Part>
  );
}

function Row({ device }: { device: Device }) {
  const { name, handheld } = deviceName(device.agent);
  const Icon = handheld ? Smartphone : Monitor;
  return (
    <li className={styles.item}>
      <Icon size={20} strokeWidth={1.5} aria-hidden />
      <div className={styles.said}>
        <p>
          {name}
          {device.here && (
            <span className={styles.mark} data-mood="good">
              This device
            </span>
          )}
        </p>
        <p className={styles.small}>
          Signed in {longDate(device.signedInAt)}, last used {longDate(device.usedAt)}
        </p>
      </div>
    </li>
  );
}
