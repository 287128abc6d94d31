import { askForLetter, preparePass } from "../lib/messages";
import { NO_EMAIL, useShop } from "../lib/shop";
import { AddressForm } from "./address-form";

// The way into the newsletter.
export function Subscribe() {
  const { shop } = useShop();
  // Nobody can confirm an address.
  if (!shop.sendsEmail) return <p>{NO_EMAIL} The newsletter waits until it can.</p>;
  return (
    <AddressForm
      action="/newsletter"
      send={askForLetter}
      onTouch={() => void preparePass()}
      done="Almost there: open the letter we have just sent you and confirm the address."
    >
      Subscribe
    </AddressForm>
  );
}
