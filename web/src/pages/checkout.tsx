import { Checkout } from "../features/checkout/checkout";
import { PageHead } from "../features/layout/page-head";
import type { PageOf } from "../lib/page";
import styles from "./checkout.module.css";

// The same checkout on one page, without the cart's steps.
export default function CheckoutPage(page: PageOf<"checkout">) {
  return (
    <div className={`wrap ${styles.page}`}>
      <PageHead
        page={page}
        title={`Checkout · ${page.shop.name}`}
        description={`Where your order from ${page.shop.name} goes, and what it costs.`}
      />
      <nav className={styles.tabs} aria-label="Checkout">
        <a href="/cart">Shopping Cart</a>
        <a href="/checkout" aria-current="page">
          Checkout
        </a>
      </nav>
      <h1>Checkout</h1>
      <Checkout from="/checkout" split />
    </div>
  );
}
