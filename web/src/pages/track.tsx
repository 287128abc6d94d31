import { useEffect, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { useUser } from "../features/auth/auth";
import { checkEmail } from "../features/auth/validation";
import { PageHead } from "../features/layout/page-head";
import { STATUS_NAMES } from "../features/orders/order-status";
import { OrderTimeline } from "../features/orders/order-timeline";
import { trackOrder } from "../features/orders/orders-api";
import type { Track, Tracking } from "../lib/api.gen";
import type { PageOf } from "../lib/page";
import { useHydrated } from "../lib/use-hydrated";
import { SubmitButton } from "../ui/button";
import { Field } from "../ui/field";
import styles from "./track.module.css";

export default function TrackPage(page: PageOf<"track">) {
  const [track, setTrack] = useState<Track | null>(null);
  return (
    <div className={`wrap ${styles.page}`}>
      <PageHead
        page={page}
        title={`Track my order · ${page.shop.name}`}
        description={`Where your order from ${page.shop.name} is: its number and your e-mail address are enough.`}
        path="/track"
      />
      <div className={styles.ask}>
        <h1>Track my order</h1>
        <p className={styles.lead}>
          You were told the order’s number when you placed it. You need no account.
        </p>
        <TrackForm found={setTrack} />
      </div>
      {track && <Found track={track} />}
    </div>
  );
}

function TrackForm({ found }: { found: (track: Track | null) => void }) {
  const form = useForm<Tracking>({ defaultValues: { number: "", email: "" } });
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
    if (email !== null && form.getValues("email") === "") form.setValue("email", email);
  }, [email, form]);

  const onSubmit = form.handleSubmit(async ({ number, email }) => {
    const answer = await trackOrder({ number: number.trim(), email: email.trim() });
    if (typeof answer === "string") form.setError("root", { message: answer });
    found(typeof answer === "string" ? null : answer);
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
      <p className="without-js">Tracking needs JavaScript. Please switch it on.</p>
      <Field
        label="Order number"
        placeholder="7K3M-9QXF"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        required
        maxLength={40}
        error={errors.number?.message}
        {...form.register("number", {
          validate: (number) => number.trim() !== "" || "Order number is required",
        })}
      />
      <Field
        label="Email"
        type="email"
        autoComplete="email"
        required
        maxLength={254}
        error={errors.email?.message}
        {...form.register("email", { validate: checkEmail })}
      />
      <SubmitButton busy={isSubmitting} disabled={!hydrated}>
        Track
      </SubmitButton>
      {errors.root?.message !== undefined && (
        <p className={styles.error} role="alert">
          {errors.root.message}
        </p>
      )}
    </form>
  );
}

function Found({ track: { number, status, history } }: { track: Track }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: focuses on every new result.
  useEffect(() => heading.current?.focus(), [number, status]);
  return (
    <section className={styles.found} aria-labelledby="found">
      <p className={styles.number}>Order {number}</p>
      <h2 ref={heading} id="found" tabIndex={-1}>
        {STATUS_NAMES[status]}
      </h2>
      <OrderTimeline history={history} />
    </section>
  );
}
