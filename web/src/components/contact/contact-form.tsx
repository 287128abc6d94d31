import { type ReactNode, useEffect, useRef, useState } from "react";
import { type Path, useForm } from "react-hook-form";
import { checkEmail, checkName } from "../../lib/account-rules";
import { useAlive } from "../../lib/alive";
import { preparePass, sendMessage } from "../../lib/messages";
import { useShop } from "../../lib/shop";
import { toast } from "../../lib/toast";
import { SubmitButton } from "../../ui/button";
import { Field } from "../../ui/field";
import { TextArea } from "../../ui/text-area";
import { Trap } from "../../ui/trap";
import styles from "./contact-form.module.css";

type Message = { name: string; email: string; message: string };
type Props = {
  // What the button says.
  button: string;
  // Who answers, and when.
  reply: string;
  longestName: number;
  longestMessage: number;
  sent: boolean;
  // What helps to write, below the form.
  children?: ReactNode;
};

// Without JavaScript the form is sent as it is, and a page answers.
export function ContactForm(props: Props) {
  const { button, reply, longestName, longestMessage, sent, children } = props;
  const form = useForm<Message>();
  const { errors, isSubmitting } = form.formState;
  const [done, setDone] = useState(sent);
  const alive = useAlive();
  const trap = useRef<HTMLFormElement>(null);

  const onSubmit = form.handleSubmit(async (message) => {
    const website = trap.current && new FormData(trap.current).get("website");
    const trouble = await sendMessage({ ...message, website: String(website ?? "") });
    if (trouble === null) {
      toast.success("Your message was sent.");
      setDone(true);
    } else if (trouble.field !== null && trouble.field in message) {
      const field = trouble.field as Path<Message>;
      form.setError(field, { message: trouble.message }, { shouldFocus: true });
    } else {
      form.setError("root", { message: trouble.message });
    }
  });

  if (done) return <Thanks moved={!sent} reply={reply} />;
  return (
    <form
      ref={trap}
      className={styles.form}
      method="post"
      action="/contact"
      noValidate={alive}
      onFocus={preparePass}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSubmitting) void onSubmit(event);
      }}
    >
      <Field
        label="Name"
        autoComplete="name"
        required
        maxLength={longestName}
        fault={errors.name?.message}
        {...form.register("name", { validate: checkName })}
      />
      <Field
        label="Email"
        type="email"
        autoComplete="email"
        required
        maxLength={254}
        fault={errors.email?.message}
        {...form.register("email", { validate: checkEmail })}
      />
      <TextArea
        label="Message"
        required
        maxLength={longestMessage}
        fault={errors.message?.message}
        {...form.register("message", {
          validate: (text) => text.trim() !== "" || "Message is required",
        })}
      />
      <Trap />
      <SubmitButton busy={isSubmitting}>{button}</SubmitButton>
      {errors.root?.message !== undefined && (
        <p className={styles.fault} role="alert">
          {errors.root.message}
        </p>
      )}
      {children}
    </form>
  );
}

// `moved`: the form was here a moment ago, and who sent it is told where it went.
function Thanks({ moved, reply }: { moved: boolean; reply: string }) {
  const { sendsEmail } = useShop().shop;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (moved) heading.current?.focus();
  }, [moved]);
  return (
    <div className={styles.thanks}>
      <h3 ref={heading} tabIndex={-1}>
        Thank you. Your message is with us.
      </h3>
      <p>
        {sendsEmail && "A receipt is on its way to your address. "}
        {reply}
      </p>
    </div>
  );
}
