import * as cart from "messages/cart";
import * as m from "messages/checkout";
import { Checkout } from "../features/checkout/checkout";
import { PageHead } from "../features/layout/page-head";
import { localUrl } from "../lib/language";
import type { PageOf } from "../lib/page";
import styles from "./checkout.module.css";

// The same checkout on one page, without the cart's steps.
export default function CheckoutPage(page: PageOf<"checkout">) {
  return (
    <div className={`wrap ${styles.page}`}>
      <PageHead
        page={page}
        title={`${m.title()} · ${page.shop.name}`}
        description={m.description({ shop: page.shop.name })}
      />
      <nav className={styles.tabs} aria-label={m.title()}>
        <a href={localUrl("/cart")}>{cart.shoppingCart()}</a>
        <a href={localUrl("/checkout")} aria-current="page">
          {m.title()}
        </a>
      </nav>
      <h1>{m.title()}</h1>
      <Checkout from="/checkout" split />
    </div>
  );
}
