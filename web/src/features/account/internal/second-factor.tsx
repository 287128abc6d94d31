import KeyRound from "lucide-react/icons/key-round";
import MessageSquareText from "lucide-react/icons/message-square-text";
import * as m from "messages/account";
import * as auth from "messages/auth";
import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { useAccountEmail, useShop } from "../../../lib/shop-context";
import { toast } from "../../../lib/toast";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { Field } from "../../../ui/field";
import { hidden } from "../../../ui/visually-hidden";
import { AccountForm } from "../../auth/account-form";
import type { AuthFailure } from "../../auth/auth";
import type { Factor } from "../../auth/challenge";
import type { User } from "../../auth/identity";
import type { TotpSecret } from "../../auth/identity-profile";
import { checkCode, normalizeCode } from "../../auth/validation";
import styles from "../profile.module.css";
import { enrolTotp, removeFactor, startTotpEnrolment } from "../profile-api";
import { ErrorText, ProfileSection, useAction } from "./profile-section";
import type { Qr } from "./qr-code";
import { useReauthentication } from "./reauthenticate";

export function SecondFactor({ user }: { user: User }) {
  const shop = useShop();
  const sends = useAccountEmail();
  const withReauthentication = useReauthentication();
  const { busy, failed, run } = useAction();
  const [app, setApp] = useState<TotpSecret | null>(null);
  const hasApp = user.factors.some(({ phone }) => phone === null);

  async function begin(): Promise<AuthFailure | null> {
    const made = await startTotpEnrolment(shop.name);
    if ("message" in made) return made;
    setApp(made);
    return null;
  }

  return (
    <ProfileSection title={m.secondStep()} text={m.secondStepText()}>
      {user.factors.length > 0 && (
        <ul className={styles.list}>
          {user.factors.map((factor) => (
            <FactorItem key={factor.id} factor={factor} />
          ))}
        </ul>
      )}
      {!user.emailVerified && (
        <p className={styles.small}>{sends ? m.confirmEmailFirst() : m.noConfirmation()}</p>
      )}
      {user.emailVerified && !hasApp && (
        <div className={styles.stack}>
          <Button
            quiet
            aria-busy={busy}
            onClick={() => void run(() => withReauthentication(begin))}
          >
            {m.setUpApp()}
          </Button>
        </div>
      )}
      <ErrorText failed={failed} />
      <Dialog open={app !== null} onClose={() => setApp(null)} title={m.setUpApp()} narrow>
        {app !== null && <Enrol app={app} done={() => setApp(null)} />}
      </Dialog>
    </ProfileSection>
  );
}

function FactorItem({ factor }: { factor: Factor }) {
  const withReauthentication = useReauthentication();
  const { busy, failed, run } = useAction();
  const Icon = factor.phone === null ? KeyRound : MessageSquareText;
  const name =
    factor.phone === null ? auth.authenticatorApp() : auth.textMessageTo({ phone: factor.phone });
  return (
    <li className={styles.item}>
      <Icon size={20} strokeWidth={1.5} aria-hidden />
      <div className={styles.details}>
        <p>{name}</p>
        <p className={styles.small}>{m.askedAtSignIn()}</p>
        <ErrorText failed={failed} />
      </div>
      <Button
        quiet
        aria-busy={busy}
        onClick={() =>
          void run(() => withReauthentication(() => removeFactor(factor.id)), m.secondStepRemoved())
        }
      >
        {m.removeNamed({ name, hidden })}
      </Button>
    </li>
  );
}

function Enrol({ app, done }: { app: TotpSecret; done: () => void }) {
  const form = useForm({ defaultValues: { code: "" } });

  async function send({ code }: { code: string }) {
    const failed = await enrolTotp(app, normalizeCode(code));
    if (failed !== null) return failed;
    toast.success(m.secondStepAdded());
    done();
    return null;
  }

  return (
    <>
      <p className={styles.words}>{m.scanCode()}</p>
      <Code text={app.url} />
      <p className={styles.key}>
        <span className={styles.small}>{m.key()}</span>
        <code>{app.key.match(/.{1,4}/g)?.join(" ")}</code>
      </p>
      <AccountForm form={form} send={send} submit={m.turnOn()}>
        <Field
          label={auth.sixDigitCode()}
          inputMode="numeric"
          autoComplete="one-time-code"
          error={form.formState.errors.code?.message}
          {...form.register("code", { validate: checkCode })}
        />
      </AccountForm>
    </>
  );
}

// Dark on white in the dark theme too, with the quiet zone that scanners need. Without it the key
// can be typed.
function Code({ text }: { text: string }) {
  const [code, setCode] = useState<Qr | null>(null);
  useEffect(() => {
    import("./qr-code").then(
      ({ qr }) => setCode(qr(text)),
      () => {},
    );
  }, [text]);
  const side = (code?.size ?? 0) + 8;
  return (
    <div className={styles.code}>
      {code !== null && (
        <svg viewBox={`-4 -4 ${side} ${side}`} role="img" aria-label={m.keyQrCode()}>
          <path d={cells(code)} />
        </svg>
      )}
    </div>
  );
}

function cells({ size, dark }: Qr): string {
  const path: string[] = [];
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) if (dark(x, y)) path.push(`M${x} ${y}h1v1h-1z`);
  }
  return path.join("");
}
