import ArrowLeft from "lucide-react/icons/arrow-left";
import ShoppingBag from "lucide-react/icons/shopping-bag";
import { useEffect } from "react";
import { CartSteps } from "../components/cart-steps";
import { CartSummary } from "../components/cart-summary";
import { CartTable } from "../components/cart-table";
import { Checkout } from "../components/checkout";
import { PageHead } from "../components/page-head";
import { type CartLine, useCart } from "../lib/cart";
import type { PageOf } from "../lib/page";
import { forgetQuote, useQuote } from "../lib/quote";
import { ButtonLink } from "../ui/button";
import { Empty } from "../ui/empty";
import { Skeleton } from "../ui/skeleton";
import styles from "./cart.module.css";

export default function CartPage(page: PageOf<"cart">) {
  const Step = page.props.step === "checkout" ? Checkout : null;
  return (
    <div className={`wrap ${styles.page}`}>
      <PageHead
        page={page}
        title={`Shopping Cart · ${page.shop.name}`}
        description={`What you are about to buy at ${page.shop.name}.`}
      />
      <CartSteps current={Step === null ? "cart" : "checkout"} />
      {Step === null ? <ShoppingCart /> : <Step />}
    </div>
  );
}

function ShoppingCart() {
  const lines = useCart();
  return (
    <>
      <h1>Shopping Cart</h1>
      <p className={`without-js ${styles.without}`}>
        The cart needs JavaScript: it is kept in your browser alone.
      </p>
      <div className={`with-js ${styles.cart}`}>
        {lines === null && <Waiting />}
        {lines?.length === 0 && <Nothing />}
        {lines !== null && lines.length > 0 && <Filled lines={lines} />}
      </div>
    </>
  );
}

function Filled({ lines }: { lines: CartLine[] }) {
  // Before the next line asks: whoever comes here wants to know what it costs now.
  useEffect(forgetQuote, []);
  const quoted = useQuote();
  return (
    <div className={styles.columns}>
      <div>
        <CartTable lines={lines} quote={quoted.quote} notes={quoted.notes} />
        <a className={styles.back} href="/">
          <ArrowLeft size={18} strokeWidth={1.5} aria-hidden />
          Continue Shopping
        </a>
      </div>
      <CartSummary quoted={quoted} />
    </div>
  );
}

function Nothing() {
  return (
    <Empty icon={<ShoppingBag size={48} strokeWidth={1} aria-hidden />} title="Your carts is empty">
      <p>Put something in, and it waits for you here.</p>
      <ButtonLink href="/">Continue Shopping</ButtonLink>
    </Empty>
  );
}

function Waiting() {
  return (
    <div className={styles.columns}>
      <Skeleton height="18rem" />
      <Skeleton height="18rem" />
    </div>
  );
}
