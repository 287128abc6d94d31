import * as m from "messages/account";
import { useRef } from "react";
import { useForm } from "react-hook-form";
import { localPart } from "../../../lib/text";
import { toast } from "../../../lib/toast";
import { Button } from "../../../ui/button";
import { Field } from "../../../ui/field";
import { hidden } from "../../../ui/visually-hidden";
import { AccountForm } from "../../auth/account-form";
import type { Failure } from "../../auth/auth-errors";
import type { User } from "../../auth/identity";
import { checkName } from "../../auth/validation";
import { Avatar } from "../avatar";
import styles from "../profile.module.css";
import { removePhoto, updateDisplayName, uploadPhoto } from "../profile-api";
import { ErrorText, ProfileSection, useAction } from "./profile-section";

const LONGEST_NAME = 256;
const LARGEST = 20 * 1024 * 1024;

export function AboutYou({ user }: { user: User }) {
  return (
    <ProfileSection title={m.aboutYou()} text={m.aboutYouText()}>
      <Photo user={user} />
      <Name user={user} />
    </ProfileSection>
  );
}

function Photo({ user }: { user: User }) {
  const { busy, failed, run } = useAction();
  const input = useRef<HTMLInputElement>(null);

  async function upload(file: File | undefined) {
    if (file === undefined) return;
    await run(async () => (file.size > LARGEST ? tooLarge() : uploadPhoto(file)), m.photoSaved());
    // So that the same file can be chosen again.
    if (input.current) input.current.value = "";
  }

  return (
    <div className={styles.photo}>
      <Avatar
        photoURL={user.photoURL}
        name={user.displayName || localPart(user.email ?? "")}
        large
      />
      <div className={styles.stack}>
        <div className={styles.row}>
          <input
            ref={input}
            className="visually-hidden"
            type="file"
            accept="image/jpeg,image/png,image/webp,image/avif"
            aria-label={m.photo()}
            tabIndex={-1}
            onChange={(event) => void upload(event.target.files?.[0])}
          />
          <Button quiet aria-busy={busy} onClick={() => input.current?.click()}>
            {m.uploadPhoto({ hidden })}
          </Button>
          {user.photoURL !== null && (
            <button
              type="button"
              className={styles.plain}
              onClick={() => void run(removePhoto, m.photoRemoved())}
            >
              {m.removePhoto({ hidden })}
            </button>
          )}
        </div>
        <p className={styles.small}>{m.photoRules()}</p>
        <ErrorText failed={failed} />
      </div>
    </div>
  );
}

function tooLarge(): Failure {
  return { code: "too_large", message: m.photoTooLarge(), field: null };
}

function Name({ user }: { user: User }) {
  const form = useForm({ defaultValues: { name: user.displayName ?? "" } });
  return (
    <div className={styles.form}>
      <AccountForm
        form={form}
        send={async ({ name }) => {
          const failed = await updateDisplayName(name.trim());
          if (failed === null) toast.success(m.nameChanged());
          return failed;
        }}
        submit={m.saveName()}
      >
        <Field
          label={m.displayName()}
          autoComplete="name"
          maxLength={LONGEST_NAME}
          error={form.formState.errors.name?.message}
          {...form.register("name", { validate: checkName })}
        />
      </AccountForm>
    </div>
  );
}
