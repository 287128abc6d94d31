import * as auth from "messages/auth";
import * as m from "messages/emailAction";
import { type ComponentProps, useEffect, useRef } from "react";
import { focusHeading } from "../../../lib/navigation";
import { loginUrl } from "../../../lib/urls";
import { ButtonLink } from "../../../ui/button";
import { AuthText } from "../../auth/auth-layout";
import styles from "../email-action.module.css";

// One step after following the link. A screen reader continues at the heading when it changes.
export function Step(content: ComponentProps<typeof AuthText>) {
  const focused = useRef("");
  useEffect(() => {
    if (focused.current === content.title) return;
    focused.current = content.title;
    focusHeading();
  });
  return <AuthText {...content} />;
}

export function CheckingLink() {
  return <AuthText title={m.oneMoment()} text={m.checkingLink()} />;
}

export function ContinueShopping({ next }: { next: string }) {
  return (
    <p className={styles.ways}>
      <ButtonLink href={next}>{m.continueShopping()}</ButtonLink>
    </p>
  );
}

export function SignInLink() {
  return (
    <p className={styles.ways}>
      <ButtonLink href={loginUrl()}>{auth.signIn()}</ButtonLink>
    </p>
  );
}
