import * as checkout from "messages/checkout";
import * as m from "messages/orders";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { redirect } from "../../lib/navigation";
import { useShop } from "../../lib/shop-context";
import { loginUrl, orderUrl, trackUrl } from "../../lib/urls";
import { SubmitButton } from "../../ui/button";
import { refreshUserAndToken, useUser } from "../auth/auth";
import styles from "./claim-order.module.css";
import { claimOrder } from "./orders-api";
import { PhoneCodeField } from "./phone-code-field";

// `phone`: the one that the order was found with; null where it was the e-mail address.
type Props = { number: string; phone: string | null };

// Offers to add an order without an account to the customer's own.
export function ClaimOrder({ number, phone }: Props) {
  const user = useUser();
  return (
    <div className={styles.claim}>
      {user === null ? (
        <p>{m.claimSignIn({ link: (text) => <a href={loginUrl(trackUrl(number))}>{text}</a> })}</p>
      ) : (
        <ClaimForm number={number} phone={phone} />
      )}
    </div>
  );
}

function ClaimForm({ number, phone }: Props) {
  const { sendsSms } = useShop();
  const [needsCode, setNeedsCode] = useState(false);
  const form = useForm({ defaultValues: { code: "" } });
  const { errors, isSubmitting } = form.formState;

  const onSubmit = form.handleSubmit(async ({ code }) => {
    // The address may have been verified since the token was issued.
    if (!needsCode) await refreshUserAndToken();
    const failed = await claimOrder(number, needsCode ? code : null);
    if (failed === null) return redirect(orderUrl(number));
    if (failed.code === "wrong_phone_code") {
      form.setError("code", { message: failed.message });
    } else if (failed.code !== "not_found") {
      form.setError("root", { message: failed.message });
    } else if (phone !== null && sendsSms && !needsCode) {
      setNeedsCode(true);
    } else {
      form.setError("root", { message: m.claimNeedsProof() });
    }
  });

  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSubmitting) void onSubmit(event);
      }}
    >
      <p>{m.claimText()}</p>
      {needsCode && phone !== null && (
        <PhoneCodeField
          to={{ phone, number }}
          required
          error={errors.code?.message}
          {...form.register("code", {
            validate: (code) => code.trim() !== "" || checkout.phoneCodeRequired(),
          })}
        />
      )}
      {errors.root?.message !== undefined && (
        <p className={styles.error} role="alert">
          {errors.root.message}
        </p>
      )}
      <SubmitButton busy={isSubmitting}>{m.claim()}</SubmitButton>
    </form>
  );
}
