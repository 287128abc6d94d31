import * as m from "messages/emailAction";
import { useEffect, useState } from "react";
import { verifyEmail } from "../../auth/auth";
import type { Failure } from "../../auth/auth-errors";
import { LinkError } from "./link-error";
import { CheckingLink, ContinueShopping, Step } from "./step";

type Props = { code: string; next: string };

// The only link that acts without a click: it grants nothing, and e-mail scanners run no scripts.
export function VerifyEmail({ code, next }: Props) {
  const [answer, setAnswer] = useState<{ failed: Failure | null } | null>(null);

  useEffect(() => {
    void verifyEmail(code).then((failed) => setAnswer({ failed }));
  }, [code]);

  if (answer === null) return <CheckingLink />;
  if (answer.failed) return <LinkError mode="verifyEmail" failed={answer.failed} next={next} />;
  return (
    <Step title={m.verified()} text={m.verifiedText()}>
      <ContinueShopping next={next} />
    </Step>
  );
}
