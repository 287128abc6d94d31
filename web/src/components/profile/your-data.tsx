import type { Refusal } from "../../lib/auth";
import { deleteAccount, myData } from "../../lib/profile";
import { save } from "../../lib/save";
import { useShop } from "../../lib/shop";
import { Button } from "../../ui/button";
import { Fault, Part, useDeed } from "./part";
import styles from "./profile.module.css";
import { type Question, useProof } from "./proof";

export function YourData() {
  const withProof = useProof();
  const { busy, failed, run } = useDeed();

  async function download(): Promise<Refusal | null> {
    const file = await myData();
    if (!(file instanceof Blob)) return file;
    save(file, "my-data.json");
    return null;
  }

  return (
    <Part
      title="Download my data"
      words="One file with all that we hold about your account, in a form that other programs can read."
    >
      <div className={styles.stack}>
        <Button quiet aria-busy={busy} onClick={() => void run(() => withProof(download))}>
          Download my data
        </Button>
        <Fault failed={failed} />
      </div>
    </Part>
  );
}

export function DeleteAccount() {
  const { shop } = useShop();
  const withProof = useProof();
  const { busy, failed, run } = useDeed();
  const question: Question = {
    title: "Delete my account?",
    words: <WhatHappens hosted={shop.identity.hosted} />,
    submit: "Delete it for good",
  };
  return (
    <Part
      title="Delete my account"
      words="At once and for good. What was sold stays in our books, without your name."
    >
      <div className={styles.stack}>
        <Button
          quiet
          data-danger
          aria-busy={busy}
          onClick={() =>
            void run(() => withProof(deleteAccount, { question }), "Your account is deleted.")
          }
        >
          Delete my account
        </Button>
        <Fault failed={failed} />
      </div>
    </Part>
  );
}

function WhatHappens({ hosted }: { hosted: boolean }) {
  return (
    <>
      <p>This cannot be taken back.</p>
      <ul>
        <li>
          Your profile, photo, addresses, cart, wishlist and reviews are deleted, and our letters
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
