import type { User } from "../auth/identity";
import { AboutYou } from "./internal/about-you";
import { Addresses } from "./internal/addresses";
import { Devices } from "./internal/devices";
import { Email } from "./internal/email";
import { LinkedAccounts } from "./internal/linked-accounts";
import { Password } from "./internal/password";
import { Reauthentication } from "./internal/reauthenticate";
import { SecondFactor } from "./internal/second-factor";
import { DeleteAccount, YourData } from "./internal/your-data";

type Props = { user: User; leaveTo: (url: string) => void };

export default function ProfilePanel({ user, leaveTo }: Props) {
  return (
    <Reauthentication user={user}>
      <div>
        <AboutYou user={user} />
        <Email user={user} />
        <Password user={user} />
        <LinkedAccounts user={user} />
        <SecondFactor user={user} />
        <Devices leaveTo={leaveTo} />
        <Addresses user={user} />
        <YourData />
        <DeleteAccount />
      </div>
    </Reauthentication>
  );
}
