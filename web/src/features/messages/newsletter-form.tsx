import * as m from "messages/forms";
import { localUrl } from "../../lib/language";
import { useShop } from "../../lib/shop-context";
import { prepareFormToken, subscribeToNewsletter } from "./form-api";
import { EmailForm } from "./internal/email-form";

// The newsletter form.
export function NewsletterForm() {
  const shop = useShop();
  // Without e-mail no address can be confirmed.
  if (!shop.sendsEmail) return <p>{m.newsletterWaits()}</p>;
  return (
    <EmailForm
      action={localUrl("/newsletter")}
      send={subscribeToNewsletter}
      onTouch={() => void prepareFormToken()}
      done={m.newsletterSent()}
    >
      {m.subscribe()}
    </EmailForm>
  );
}
