import Monitor from "lucide-react/icons/monitor";
import Smartphone from "lucide-react/icons/smartphone";
import { longDate } from "../../../lib/dates";
import { useShop } from "../../../lib/shop-context";
import { loginUrl } from "../../../lib/urls";
import { useAsync } from "../../../lib/use-async";
import { Button } from "../../../ui/button";
import { LoadError } from "../../../ui/empty-state";
import { Skeleton } from "../../../ui/skeleton";
import type { Device } from "../../auth/identity-profile";
import styles from "../profile.module.css";
import { listDevices, signOutEverywhere } from "../profile-api";
import { deviceName } from "./device-name";
import { ErrorText, ProfileSection, useAction } from "./profile-section";

const TITLE = "Signed-in devices";

type Props = {
  // Where to go after signing out on this device too.
  leaveTo: (url: string) => void;
};

export function Devices({ leaveTo }: Props) {
  const { shop } = useShop();
  // A hosted identity service does not list devices.
  if (shop.identity.hosted) {
    return (
      <ProfileSection title={TITLE}>
        <p className={styles.small}>
          Who you are is kept by another service here, which does not list your devices. A new
          password ends your sign-in on all of them.
        </p>
      </ProfileSection>
    );
  }
  return <DeviceList leaveTo={leaveTo} />;
}

function DeviceList({ leaveTo }: Props) {
  const { value, failed, retry } = useAsync(listDevices);
  const { busy, failed: signOutError, run } = useAction();

  async function signOutAll() {
    leaveTo(loginUrl("/account/profile"));
    const error = await signOutEverywhere();
    if (error !== null) leaveTo("/");
    return error;
  }

  return (
    <ProfileSection
      title={TITLE}
      text="Is there one that you do not know? Sign out everywhere, and change your password."
    >
      {failed && <LoadError what="Your devices" retry={retry} />}
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
          onClick={() => void run(signOutAll, "You are signed out everywhere.")}
        >
          Sign out everywhere
        </Button>
        <ErrorText failed={signOutError} />
      </div>
    </ProfileSection>
  );
}

function Row({ device }: { device: Device }) {
  const { name, handheld } = deviceName(device.agent);
  const Icon = handheld ? Smartphone : Monitor;
  return (
    <li className={styles.item}>
      <Icon size={20} strokeWidth={1.5} aria-hidden />
      <div className={styles.details}>
        <p>
          {name}
          {device.here && (
            <span className={styles.mark} data-tone="good">
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
