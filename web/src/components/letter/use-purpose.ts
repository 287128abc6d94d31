import { useEffect, useState } from "react";
import { readCode } from "../../lib/auth";
import type { Failure } from "../../lib/auth-errors";
import type { Mode, Purpose } from "../../lib/letter";

const SPENT = new Set(["auth/invalid-action-code", "auth/expired-action-code"]);

type Looked = {
  purpose: Purpose | null;
  failed: Failure | null;
  done: boolean;
  // Takes the answer from using the code. Only what one can try again is left for the form to show.
  finish: (answer: Failure | null) => Failure | null;
};

// What a letter's code is for. Nothing is used up before somebody clicks.
export function usePurpose(mode: Mode, code: string): Looked {
  const [purpose, setPurpose] = useState<Purpose | null>(null);
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
