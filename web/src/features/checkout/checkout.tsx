import UserRound from "lucide-react/icons/user-round";
import { loginUrl } from "../../lib/urls";
import { ButtonLink } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";
import { useAuth } from "../auth/auth";
import styles from "./checkout.module.css";
import { CheckoutForm, CheckoutSkeleton } from "./internal/checkout-form";

// `from` is where to return after signing in. `split` asks for first and last name separately.
type Props = { from: string; split?: boolean };

export function Checkout({ from, split = false }: Props) {
  const { loading, user } = useAuth();
  return (
    <>
      <p className={`without-js ${styles.without}`}>
        Placing an order needs JavaScript. Please switch it on.
      </p>
      <div className={`with-js ${styles.checkout}`}>
        {user && <CheckoutForm key={user.uid} user={user} split={split} />}
        {!user && loading && <CheckoutSkeleton />}
        {!user && !loading && <SignInFirst from={from} />}
      </div>
    </>
  );
}

function SignInFirst({ from }: { from: string }) {
  return (
    <EmptyState icon={<UserRound size={48} strokeWidth={1} aria-hidden />} title="One step before">
      <p>An order belongs to an account, so that you can follow it, and send it back.</p>
      <ButtonLink href={loginUrl(from)}>To Continue Please Login first</ButtonLink>
    </EmptyState>
  );
}
