import * as m from "messages/checkout";
import { type ComponentProps, useEffect, useState } from "react";
import type { PhoneCodeRequest } from "../../lib/api.gen";
import { Button } from "../../ui/button";
import { Field } from "../../ui/field";
import { sendPhoneCode } from "./phone-code";
import styles from "./phone-code-field.module.css";

type Props = Omit<ComponentProps<typeof Field>, "label"> & { to: PhoneCodeRequest };

// The code of a text message, which is sent when the field appears.
export function PhoneCodeField({ to, ...input }: Props) {
  const [status, setStatus] = useState("");
  const [busy, setBusy] = useState(false);
  async function send() {
    setBusy(true);
    const failed = await sendPhoneCode(to);
    setStatus(failed ?? m.phoneCodeSent({ phone: to.phone }));
    setBusy(false);
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once.
  useEffect(() => void send(), []);
  return (
    <div className={styles.code}>
      <p role="status">{status}</p>
      <Field
        {...input}
        label={m.phoneCode()}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={40}
      />
      <Button quiet disabled={busy} onClick={() => void send()}>
        {m.sendCodeAgain()}
      </Button>
    </div>
  );
}
