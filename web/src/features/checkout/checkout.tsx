import UserRound from "lucide-react/icons/user-round";
import * as cart from "messages/cart";
import * as m from "messages/checkout";
import { useShop } from "../../lib/shop-context";
import { loginUrl } from "../../lib/urls";
import { ButtonLink } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";
import { useAuth } from "../auth/auth";
import styles from "./checkout.module.css";
import { AwaitingNotice } from "./internal/awaiting-notice";
import { CheckoutForm, CheckoutSkeleton } from "./internal/checkout-form";

// `from` is where to return after signing in. `split` asks for first and last name separately.
type Props = { from: string; split?: boolean };

export function Checkout({ from, split = false }: Props) {
  const { loading, user } = useAuth();
  const { guestCheckout } = useShop();
  return (
    <>
      <p className={`without-js ${styles.without}`}>{m.needsJavaScript()}</p>
      <div className={`with-js ${styles.checkout}`}>
        {(user || !loading) && <AwaitingNotice uid={user?.uid ?? ""} />}
        {user && <CheckoutForm key={user.uid} user={user} split={split} />}
        {!user && loading && <CheckoutSkeleton />}
        {!user && !loading && guestCheckout && <GuestCheckout from={from} split={split} />}
        {!user && !loading && !guestCheckout && <SignInFirst from={from} />}
      </div>
    </>
  );
}

function GuestCheckout({ from, split }: { from: string; split: boolean }) {
  return (
    <CheckoutForm user={null} split={split}>
      <p className={styles.asGuest}>
        {m.asGuest({ link: (text) => <a href={loginUrl(from)}>{text}</a> })}
      </p>
    </CheckoutForm>
  );
}

function SignInFirst({ from }: { from: string }) {
  return (
    <EmptyState
      icon={<UserRound size={48} strokeWidth={1} aria-hidden />}
      title={m.oneStepBefore()}
    >
      <p>{m.signInText()}</p>
      <ButtonLink href={loginUrl(from)}>{cart.loginFirst()}</ButtonLink>
    </EmptyState>
  );
}
