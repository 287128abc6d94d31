import { type ComponentProps, useEffect, useRef } from "react";
import { focusHeading } from "../../lib/navigation";
import { ButtonLink } from "../../ui/button";
import { Words } from "../entrance/hall";
import styles from "./letter.module.css";

// One thing that is said, or asked, of whoever followed the link. As after a visit, a screen reader
// goes on from the heading when it changes.
export function Step(words: ComponentProps<typeof Words>) {
  const told = useRef("");
  useEffect(() => {
    if (told.current === words.title) return;
    told.current = words.title;
    focusHeading();
  });
  return <Words {...words} />;
}

export function Moment() {
  return <Words title="One moment…" words="We are looking at the link from your letter." />;
}

export function ToTheShop({ next }: { next: string }) {
  return (
    <p className={styles.ways}>
      <ButtonLink href={next}>Continue shopping</ButtonLink>
    </p>
  );
}

export function ToSignIn() {
  return (
    <p className={styles.ways}>
      <ButtonLink href="/login">Sign in</ButtonLink>
    </p>
  );
}
