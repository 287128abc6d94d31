import ArrowLeft from "lucide-react/icons/arrow-left";
import ShoppingBag from "lucide-react/icons/shopping-bag";
import * as m from "messages/cart";
import { useEffect } from "react";
import { type CartLine, useCart } from "../features/cart/cart";
import { CartSteps } from "../features/cart/cart-steps";
import { CartSummary } from "../features/cart/cart-summary";
import { CartTable } from "../features/cart/cart-table";
import { invalidateQuote, useQuote } from "../features/cart/quote";
import { Checkout } from "../features/checkout/checkout";
import { OrderCompleted } from "../features/checkout/order-completed";
import { PageHead } from "../features/layout/page-head";
import type { CartStep } from "../lib/api.gen";
import { localUrl } from "../lib/language";
import type { PageOf } from "../lib/page";
import { checkoutUrl } from "../lib/urls";
import { ButtonLink } from "../ui/button";
import { EmptyState } from "../ui/empty-state";
import { Skeleton } from "../ui/skeleton";
import styles from "./cart.module.css";

const TITLES: Record<CartStep, () => string> = {
  cart: m.shoppingCart,
  checkout: m.checkOut,
  completed: m.orderCompleted,
};

export default function CartPage(page: PageOf<"cart">) {
  const { step } = page.props;
  return (
    <div className={`wrap ${styles.page}`}>
      <PageHead
        page={page}
        title={`${TITLES[step]()} · ${page.shop.name}`}
        description={m.description({ shop: page.shop.name })}
      />
      <CartSteps current={step} />
      {step === "cart" && <ShoppingCart />}
      {step === "checkout" && (
        <>
          <h1>{m.checkOut()}</h1>
          <Checkout from={checkoutUrl()} />
        </>
      )}
      {step === "completed" && <OrderCompleted />}
    </div>
  );
}

function ShoppingCart() {
  const lines = useCart();
  return (
    <>
      <h1>{m.shoppingCart()}</h1>
      <p className={`without-js ${styles.without}`}>{m.needsJavaScript()}</p>
      <div className={`with-js ${styles.cart}`}>
        {lines === null && <CartSkeleton />}
        {lines?.length === 0 && <EmptyCart />}
        {lines !== null && lines.length > 0 && <Filled lines={lines} />}
      </div>
    </>
  );
}

function Filled({ lines }: { lines: CartLine[] }) {
  // Before useQuote: prices may have changed since the last visit.
  useEffect(invalidateQuote, []);
  const quoted = useQuote();
  return (
    <div className={styles.columns}>
      <div>
        <CartTable lines={lines} quote={quoted.quote} notes={quoted.notes} />
        <a className={styles.back} href={localUrl("/")}>
          <ArrowLeft size={18} strokeWidth={1.5} aria-hidden />
          {m.continueShopping()}
        </a>
      </div>
      <CartSummary quoted={quoted} />
    </div>
  );
}

function EmptyCart() {
  return (
    <EmptyState icon={<ShoppingBag size={48} strokeWidth={1} aria-hidden />} title={m.emptyPage()}>
      <p>{m.emptyPageText()}</p>
      <ButtonLink href={localUrl("/")}>{m.continueShopping()}</ButtonLink>
    </EmptyState>
  );
}

function CartSkeleton() {
  return (
    <div className={styles.columns}>
      <Skeleton height="18rem" />
      <Skeleton height="18rem" />
    </div>
  );
}
