import * as m from "messages/orders";
import { useEffect, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { useUser } from "../features/auth/auth";
import { checkEmail } from "../features/auth/validation";
import { PageHead } from "../features/layout/page-head";
import { ClaimOrder } from "../features/orders/claim-order";
import { PAYMENT_TEXTS, STATUS_NAMES } from "../features/orders/order-status";
import { OrderTimeline } from "../features/orders/order-timeline";
import { isEmail, trackOrder } from "../features/orders/orders-api";
import { PayLink } from "../features/payment/pay-link";
import type { Track } from "../lib/api.gen";
import type { PageOf } from "../lib/page";
import { useHydrated } from "../lib/use-hydrated";
import { SubmitButton } from "../ui/button";
import { Field } from "../ui/field";
import styles from "./track.module.css";

const EXAMPLE_NUMBER = "7K3M-9QXF";

// `contact`: an e-mail address or a phone number.
type Fields = { number: string; contact: string };
type FoundOrder = { track: Track; contact: string };

export default function TrackPage(page: PageOf<"track">) {
  const [found, setFound] = useState<FoundOrder | null>(null);
  return (
    <div className={`wrap ${styles.page}`}>
      <PageHead
        page={page}
        title={`${m.trackTitle()} · ${page.shop.name}`}
        description={m.trackDescription({ shop: page.shop.name })}
        path="/track"
      />
      <div className={styles.ask}>
        <h1>{m.trackTitle()}</h1>
        <p className={styles.lead}>{m.trackLead()}</p>
        <TrackForm show={setFound} />
      </div>
      {found && <Found {...found} />}
    </div>
  );
}

function TrackForm({ show }: { show: (found: FoundOrder | null) => void }) {
  const form = useForm<Fields>({ defaultValues: { number: "", contact: "" } });
  const { errors, isSubmitting } = form.formState;
  const user = useUser();
  const hydrated = useHydrated();

  // An e-mail's link has the number; only the browser reads it.
  useEffect(() => {
    const number = new URLSearchParams(location.search).get("number");
    if (number !== null) form.setValue("number", number.slice(0, 40));
  }, [form]);

  const email = user?.email ?? null;
  useEffect(() => {
    if (email !== null && form.getValues("contact") === "") form.setValue("contact", email);
  }, [email, form]);

  const onSubmit = form.handleSubmit(async ({ number, contact }) => {
    const answer = await trackOrder(number, contact);
    if (typeof answer === "string") form.setError("root", { message: answer });
    show(typeof answer === "string" ? null : { track: answer, contact });
  });

  return (
    <form
      className={styles.form}
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSubmitting) void onSubmit(event);
      }}
    >
      <p className="without-js">{m.trackNeedsJavaScript()}</p>
      <Field
        label={m.orderNumber()}
        placeholder={EXAMPLE_NUMBER}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        required
        maxLength={40}
        error={errors.number?.message}
        {...form.register("number", {
          validate: (number) => number.trim() !== "" || m.orderNumberRequired(),
        })}
      />
      <Field
        label={m.emailOrPhone()}
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        required
        maxLength={254}
        error={errors.contact?.message}
        {...form.register("contact", { validate: checkContact })}
      />
      <SubmitButton busy={isSubmitting} disabled={!hydrated}>
        {m.track()}
      </SubmitButton>
      {errors.root?.message !== undefined && (
        <p className={styles.error} role="alert">
          {errors.root.message}
        </p>
      )}
    </form>
  );
}

function checkContact(contact: string): true | string {
  if (isEmail(contact)) return checkEmail(contact);
  return contact.trim() !== "" || m.emailOrPhoneRequired();
}

function Found({ track, contact }: FoundOrder) {
  const { number, status, paymentStatus, history, guest } = track;
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: focuses on every new result.
  useEffect(() => heading.current?.focus(), [number, status]);
  return (
    <section className={styles.found} aria-labelledby="found">
      <p className={styles.number}>
        {m.orderNumbered({ number })}
        {status !== paymentStatus && ` · ${PAYMENT_TEXTS[paymentStatus].text()}`}
      </p>
      <h2 ref={heading} id="found" tabIndex={-1}>
        {STATUS_NAMES[status]()}
      </h2>
      <OrderTimeline history={history} paymentStatus={paymentStatus} />
      <PayLink button order={track} />
      {guest && <ClaimOrder number={number} phone={isEmail(contact) ? null : contact} />}
    </section>
  );
}
