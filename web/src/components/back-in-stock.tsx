import { useId } from "react";
import { useUser } from "../lib/auth";
import { askForGoods } from "../lib/messages";
import { NO_EMAIL, useShop } from "../lib/shop";
import { AddressForm } from "./address-form";
import styles from "./back-in-stock.module.css";

// What is out of stock can be waited for, with JavaScript or without.
export function BackInStock({ product }: { product: string }) {
  const user = useUser();
  const { shop } = useShop();
  const id = useId();
  if (!shop.sendsEmail) return <p className={styles.waiting}>{NO_EMAIL} Please look in again.</p>;
  return (
    <section className={styles.waiting} aria-labelledby={id}>
      <h2 id={id}>Tell me when it is back</h2>
      <p>One letter when it can be had again, and none besides.</p>
      <AddressForm
        action="/back-in-stock"
        send={(typed) => askForGoods({ product, ...typed })}
        done="It is noted. We will write to you once, when it is back."
        known={user?.email ?? ""}
        hidden={<input type="hidden" name="product" value={product} />}
      >
        Tell me
      </AddressForm>
    </section>
  );
}
