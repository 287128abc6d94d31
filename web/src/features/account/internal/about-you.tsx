import { useRef } from "react";
import { useForm } from "react-hook-form";
import { localPart } from "../../../lib/text";
import { toast } from "../../../lib/toast";
import { Button } from "../../../ui/button";
import { Field } from "../../../ui/field";
import { AccountForm } from "../../auth/account-form";
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
    <ProfileSection
      title="About you"
      text="Your name stands at the top of the page and under the reviews that you write."
    >
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
    await run(
      async () => (file.size > LARGEST ? TOO_LARGE : uploadPhoto(file)),
      "Your photo is saved.",
    );
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
            aria-label="Photo"
            tabIndex={-1}
            onChange={(event) => void upload(event.target.files?.[0])}
          />
          <Button quiet aria-busy={busy} onClick={() => input.current?.click()}>
            Upload<span className="visually-hidden"> a photo</span>
          </Button>
          {user.photoURL !== null && (
            <button
              type="button"
              className={styles.plain}
              onClick={() => void run(removePhoto, "Your photo is gone.")}
            >
              Remove<span className="visually-hidden"> the photo</span>
            </button>
          )}
        </div>
        <p className={styles.small}>
          JPEG, PNG, WebP or AVIF, at most 20 MB. Its middle is kept, and nothing of what the camera
          noted.
        </p>
        <ErrorText failed={failed} />
      </div>
    </div>
  );
}

const TOO_LARGE = {
  code: "too_large",
  message: "A photo may have at most 20 MB. Please choose a smaller one.",
  field: null,
};

function Name({ user }: { user: User }) {
  const form = useForm({ defaultValues: { name: user.displayName ?? "" } });
  return (
    <div className={styles.form}>
      <AccountForm
        form={form}
        send={async ({ name }) => {
          const failed = await updateDisplayName(name.trim());
          if (failed === null) toast.success("Your name is changed.");
          return failed;
        }}
        submit="Save Change"
      >
        <Field
          label="Display name"
          autoComplete="name"
          maxLength={LONGEST_NAME}
          error={form.formState.errors.name?.message}
          {...form.register("name", { validate: checkName })}
        />
      </AccountForm>
    </div>
  );
}
