import type { User } from "../../lib/identity";
import { AboutYou } from "./about-you";
import { Addresses } from "./addresses";
import { Devices } from "./devices";
import { Email } from "./email";
import { Linked } from "./linked";
import { Password } from "./password";
import styles from "./profile.module.css";
import { Proof } from "./proof";
import { SecondFactor } from "./second-factor";
import { DeleteAccount, YourData } from "./your-data";

type Props = { user: User; leaveTo: (url: string) => void };

export default function Profile({ user, leaveTo }: Props) {
  return (
    <Proof user={user}>
      <div className={styles.profile}>
        <AboutYou user={user} />
        <Email user={user} />
        <Password user={user} />
        <Linked user={user} />
        <SecondFactor user={user} />
        <Devices leaveTo={leaveTo} />
        <Addresses user={user} />
        <YourData />
        <DeleteAccount />
      </div>
    </Proof>
  );
}
