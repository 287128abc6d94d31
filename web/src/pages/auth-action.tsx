import { useEffect, useState } from "react";
import { Hall, Words } from "../components/entrance/hall";
import { ChangeAddress } from "../components/letter/change-address";
import { ConfirmAddress } from "../components/letter/confirm-address";
import styles from "../components/letter/letter.module.css";
import { LinkSignIn } from "../components/letter/link-sign-in";
import { NewPassword } from "../components/letter/new-password";
import { MISSING, Trouble } from "../components/letter/trouble";
import { UndoChange } from "../components/letter/undo-change";
import { PageHead } from "../components/page-head";
import { type Letter, readLetter } from "../lib/letter";
import type { PageOf } from "../lib/page";

// Where the links of the account's letters lead. The server knows nothing of the letter: the browser
// reads it from the address and asks the identity service.
export default function AuthActionPage(page: PageOf<"authAction">) {
  const { shop } = page;
  const [letter, setLetter] = useState<Letter | null>(null);

  // The address is the new one only after the page is shown, and every visit brings a new `page`.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above.
  useEffect(() => setLetter(readLetter(location.href)), [page.props]);

  return (
    <Hall quiet>
      <PageHead
        page={page}
        title={`Your account · ${shop.name}`}
        description={`Where the links in the letters of ${shop.name} lead.`}
      />
      {/* The address holds a code that is nobody else's business. */}
      <meta name="referrer" content="no-referrer" />
      {letter === null ? (
        <Words title="One moment…" words="We are looking at the link from your letter.">
          <p className={`without-js ${styles.note}`}>
            This page needs JavaScript. Please switch it on and open the link again.
          </p>
        </Words>
      ) : (
        <Opened key={`${letter.mode} ${letter.code}`} {...letter} />
      )}
    </Hall>
  );
}

function Opened({ mode, code, next }: Letter) {
  if (mode === null || code === null) {
    return <Trouble mode={mode} failed={MISSING} next={next} />;
  }
  switch (mode) {
    case "verifyEmail":
      return <ConfirmAddress code={code} next={next} />;
    case "resetPassword":
      return <NewPassword code={code} next={next} />;
    case "verifyAndChangeEmail":
      return <ChangeAddress code={code} next={next} />;
    case "recoverEmail":
      return <UndoChange code={code} next={next} />;
    case "signIn":
      return <LinkSignIn next={next} />;
  }
}
