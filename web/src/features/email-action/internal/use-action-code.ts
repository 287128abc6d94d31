import { useEffect, useState } from "react";
import type { ActionCodeInfo, Mode } from "../../auth/action-link";
import { readCode } from "../../auth/auth";
import type { Failure } from "../../auth/auth-errors";

const SPENT = new Set(["auth/invalid-action-code", "auth/expired-action-code"]);

type ActionCodeState = {
  purpose: ActionCodeInfo | null;
  failed: Failure | null;
  done: boolean;
  // Handles the result of using the code. Errors that can be retried are returned for the form.
  finish: (answer: Failure | null) => Failure | null;
};

// What an action code is for. It is not used up before a click.
export function useActionCode(mode: Mode, code: string): ActionCodeState {
  const [purpose, setPurpose] = useState<ActionCodeInfo | null>(null);
  const [failed, setFailed] = useState<Failure | null>(null);
  const [done, setDone] = useState(false);

  useEffect(() => {
    let gone = false;
    void readCode(mode, code).then((found) => {
      if (gone) return;
      if ("message" in found) setFailed(found);
      else setPurpose(found);
    });
    return () => {
      gone = true;
    };
  }, [mode, code]);

  function finish(answer: Failure | null): Failure | null {
    if (answer === null) setDone(true);
    else if (SPENT.has(answer.code)) setFailed(answer);
    else return answer;
    return null;
  }

  return { purpose, failed, done, finish };
}
