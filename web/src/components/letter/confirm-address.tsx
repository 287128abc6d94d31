import { useEffect, useState } from "react";
import { confirmAddress } from "../../lib/auth";
import type { Failure } from "../../lib/auth-errors";
import { Moment, Step, ToTheShop } from "./step";
import { Trouble } from "./trouble";

type Props = { code: string; next: string };

// The only link that acts without a click: it gives nothing away, and scanners run no scripts.
export function ConfirmAddress({ code, next }: Props) {
  const [answer, setAnswer] = useState<{ failed: Failure | null } | null>(null);

  useEffect(() => {
    void confirmAddress(code).then((failed) => setAnswer({ failed }));
  }, [code]);

  if (answer === null) return <Moment />;
  if (answer.failed) return <Trouble mode="verifyEmail" failed={answer.failed} next={next} />;
  return (
    <Step
      title="Your address is confirmed."
      words="Thank you. Now we can reach you about your orders."
    >
      <ToTheShop next={next} />
    </Step>
  );
}
