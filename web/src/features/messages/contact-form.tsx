import * as m from "messages/forms";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { type Path, useForm } from "react-hook-form";
import { localUrl } from "../../lib/language";
import { useShop } from "../../lib/shop-context";
import { toast } from "../../lib/toast";
import { useHydrated } from "../../lib/use-hydrated";
import { SubmitButton } from "../../ui/button";
import { Field } from "../../ui/field";
import { Honeypot } from "../../ui/honeypot";
import { TextArea } from "../../ui/text-area";
import { checkEmail, checkName } from "../auth/validation";
import styles from "./contact-form.module.css";
import { prepareFormToken, sendMessage } from "./form-api";

type ContactMessage = { name: string; email: string; message: string };
type Props = {
  // The button's text.
  button: string;
  // Who replies, and when.
  reply: string;
  longestName: number;
  longestMessage: number;
  sent: boolean;
  // Help below the form.
  children?: ReactNode;
};

// Without JavaScript the browser submits the form, and a page answers.
export function ContactForm(props: Props) {
  const { button, reply, longestName, longestMessage, sent, children } = props;
  const form = useForm<ContactMessage>();
  const { errors, isSubmitting } = form.formState;
  const [done, setDone] = useState(sent);
  const hydrated = useHydrated();
  const formElement = useRef<HTMLFormElement>(null);

  const onSubmit = form.handleSubmit(async (message) => {
    const website = formElement.current && new FormData(formElement.current).get("website");
    const failed = await sendMessage({ ...message, website: String(website ?? "") });
    if (failed === null) {
      toast.success(m.messageSent());
      setDone(true);
    } else if (failed.field !== null && failed.field in message) {
      const field = failed.field as Path<ContactMessage>;
      form.setError(field, { message: failed.message }, { shouldFocus: true });
    } else {
      form.setError("root", { message: failed.message });
    }
  });

  if (done) return <Thanks moved={!sent} reply={reply} />;
  return (
    <form
      ref={formElement}
      className={styles.form}
      method="post"
      action={localUrl("/contact")}
      noValidate={hydrated}
      onFocus={prepareFormToken}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSubmitting) void onSubmit(event);
      }}
    >
      <Field
        label={m.name()}
        autoComplete="name"
        required
        maxLength={longestName}
        error={errors.name?.message}
        {...form.register("name", { validate: checkName })}
      />
      <Field
        label={m.email()}
        type="email"
        autoComplete="email"
        required
        maxLength={254}
        error={errors.email?.message}
        {...form.register("email", { validate: checkEmail })}
      />
      <TextArea
        label={m.message()}
        required
        maxLength={longestMessage}
        error={errors.message?.message}
        {...form.register("message", {
          validate: (text) => text.trim() !== "" || m.messageRequired(),
        })}
      />
      <Honeypot />
      <SubmitButton busy={isSubmitting}>{button}</SubmitButton>
      {errors.root?.message !== undefined && (
        <p className={styles.error} role="alert">
          {errors.root.message}
        </p>
      )}
      {children}
    </form>
  );
}

// `moved`: it replaces the form that was just sent, and takes the focus.
function Thanks({ moved, reply }: { moved: boolean; reply: string }) {
  const { sendsEmail } = useShop();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (moved) heading.current?.focus();
  }, [moved]);
  return (
    <div className={styles.thanks}>
      <h3 ref={heading} tabIndex={-1}>
        {m.thanks()}
      </h3>
      <p>
        {sendsEmail && `${m.receiptComing()} `}
        {reply}
      </p>
    </div>
  );
}
