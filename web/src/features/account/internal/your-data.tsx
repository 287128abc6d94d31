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
    <ProfileSection
      title="Download my data"
      text="One file with all that we hold about your account, in a form that other programs can read."
    >
      <div className={styles.stack}>
        <Button
          quiet
          aria-busy={busy}
          onClick={() => void run(() => withReauthentication(downloadData))}
        >
          Download my data
        </Button>
        <ErrorText failed={failed} />
      </div>
    </ProfileSection>
  );
}

export function DeleteAccount() {
  const { shop } = useShop();
  const withReauthentication = useReauthentication();
  const { busy, failed, run } = useAction();
  const question: Question = {
    title: "Delete my account?",
    text: <WhatHappens hosted={shop.identity.hosted} />,
    submit: "Delete it for good",
  };
  return (
    <ProfileSection
      title="Delete my account"
      text="At once and for good. What was sold stays in our books, without your name."
    >
      <div className={styles.stack}>
        <Button
          quiet
          data-danger
          aria-busy={busy}
          onClick={() =>
            void run(
              () => withReauthentication(deleteAccount, { question }),
              "Your account is deleted.",
            )
          }
        >
          Delete my account
        </Button>
        <ErrorText failed={failed} />
      </div>
    </ProfileSection>
  );
}

function WhatHappens({ hosted }: { hosted: boolean }) {
  return (
    <>
      <p>This cannot be taken back.</p>
      <ul>
        <li>
          Your profile, photo, addresses, cart, wishlist and reviews are deleted, and our e-mails
          end.
        </li>
        <li>Store credit ends with the account.</li>
        <li>
          Orders stay in our books without your name, e-mail address, phone number and address. One
          that is still on its way keeps them until it has arrived.
        </li>
        {hosted && <li>The service that you sign in with is asked to delete its account too.</li>}
      </ul>
    </>
  );
}
