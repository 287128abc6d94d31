import * as m from "messages/payment";
import { ButtonLink } from "../../ui/button";
import { hidden } from "../../ui/visually-hidden";
import { payPageUrl } from "./payment-api";

type Props = {
  order: { number: string; payUrl: string | null };
  button?: boolean;
  className?: string | undefined;
};

// Leads to the payment page of an order that waits for its payment; nothing for any other.
export function PayLink({ order: { number, payUrl }, button = false, className }: Props) {
  if (payUrl === null) return null;
  const Link = button ? ButtonLink : "a";
  const styled = className === undefined ? {} : { className };
  return (
    <Link href={payPageUrl(payUrl)} {...styled}>
      {m.payNow({ hidden, number })}
    </Link>
  );
}
