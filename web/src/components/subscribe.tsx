import { askForLetter, preparePass } from "../lib/messages";
import { AddressForm } from "./address-form";

// The way into the newsletter.
export function Subscribe() {
  return (
    <AddressForm
      action="/newsletter"
      send={askForLetter}
      onTouch={preparePass}
      done="Almost there: open the letter we have just sent you and confirm the address."
    >
      Subscribe
    </AddressForm>
  );
}
