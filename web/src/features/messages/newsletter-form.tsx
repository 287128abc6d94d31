import { NO_EMAIL, useShop } from "../../lib/shop-context";
import { prepareFormToken, subscribeToNewsletter } from "./form-api";
import { EmailForm } from "./internal/email-form";

// The newsletter form.
export function NewsletterForm() {
  const { shop } = useShop();
  // Without e-mail no address can be confirmed.
  if (!shop.sendsEmail) return <p>{NO_EMAIL} The newsletter waits until it can.</p>;
  return (
    <EmailForm
      action="/newsletter"
      send={subscribeToNewsletter}
      onTouch={() => void prepareFormToken()}
      done="Almost there: open the e-mail we have just sent you and confirm the address."
    >
      Subscribe
    </EmailForm>
  );
}
