import Monitor from "lucide-react/icons/monitor";
import Smartphone from "lucide-react/icons/smartphone";
import * as m from "messages/account";
import { longDate } from "../../../lib/dates";
import { localUrl } from "../../../lib/language";
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

type Props = {
  // Where to go after signing out on this device too.
  leaveTo: (url: string) => void;
};

export function Devices({ leaveTo }: Props) {
  const shop = useShop();
  // A hosted identity service does not list devices.
  if (shop.identity.hosted) {
    return (
      <ProfileSection title={m.devices()}>
        <p className={styles.small}>{m.devicesElsewhere()}</p>
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
    if (error !== null) leaveTo(localUrl("/"));
    return error;
  }

  return (
    <ProfileSection title={m.devices()} text={m.devicesText()}>
      {failed && <LoadError title={m.devicesNotLoaded()} retry={retry} />}
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
          onClick={() => void run(signOutAll, m.signedOutEverywhere())}
        >
          {m.signOutEverywhere()}
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
              {m.thisDevice()}
            </span>
          )}
        </p>
        <p className={styles.small}>
          {m.deviceDates({
            signedIn: longDate(device.signedInAt),
            used: longDate(device.usedAt),
          })}
        </p>
      </div>
    </li>
  );
}
