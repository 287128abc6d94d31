import * as m from "messages/account";
import { download } from "../../../lib/download";
import { useShop } from "../../../lib/shop-context";
import { Button } from "../../../ui/button";
import type { AuthFailure } from "../../auth/auth";
import styles from "../profile.module.css";
import { deleteAccount, downloadMyData } from "../profile-api";
import { ErrorText, ProfileSection, useAction } from "./profile-section";
import { type Question, useReauthentication } from "./reauthenticate";

export function YourData() {
  const withReauthentication = useReauthentication();
  const { busy, failed, run } = useAction();

  async function downloadData(): Promise<AuthFailure | null> {
    const file = await downloadMyData();
    if (!(file instanceof Blob)) return file;
    download(file, "my-data.json");
    return null;
  }

  return (
    <ProfileSection title={m.downloadData()} text={m.downloadDataText()}>
      <div className={styles.stack}>
        <Button
          quiet
          aria-busy={busy}
          onClick={() => void run(() => withReauthentication(downloadData))}
        >
          {m.downloadData()}
        </Button>
        <ErrorText failed={failed} />
      </div>
    </ProfileSection>
  );
}

export function DeleteAccount() {
  const shop = useShop();
  const withReauthentication = useReauthentication();
  const { busy, failed, run } = useAction();
  const question: Question = {
    title: m.deleteAccountQuestion(),
    text: <WhatHappens hosted={shop.identity.hosted} />,
    submit: m.deleteForGood(),
  };
  return (
    <ProfileSection title={m.deleteAccount()} text={m.deleteAccountText()}>
      <div className={styles.stack}>
        <Button
          quiet
          data-danger
          aria-busy={busy}
          onClick={() =>
            void run(() => withReauthentication(deleteAccount, { question }), m.accountDeleted())
          }
        >
          {m.deleteAccount()}
        </Button>
        <ErrorText failed={failed} />
      </div>
    </ProfileSection>
  );
}

function WhatHappens({ hosted }: { hosted: boolean }) {
  return (
    <>
      <p>{m.cannotBeUndone()}</p>
      <ul>
        <li>{m.deletedParts()}</li>
        <li>{m.creditEnds()}</li>
        <li>{m.ordersStay()}</li>
        {hosted && <li>{m.serviceDeletes()}</li>}
      </ul>
    </>
  );
}
