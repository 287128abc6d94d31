import { useId } from "react";
import { NO_EMAIL, useShop } from "../../lib/shop-context";
import { useUser } from "../auth/auth";
import { requestStockAlert } from "./form-api";
import { EmailForm } from "./internal/email-form";
import styles from "./stock-alert-form.module.css";

// The stock alert form, shown for products that are out of stock. Works without JavaScript.
export function StockAlertForm({ product }: { product: string }) {
  const user = useUser();
  const { shop } = useShop();
  const id = useId();
  if (!shop.sendsEmail) return <p className={styles.waiting}>{NO_EMAIL} Please look in again.</p>;
  return (
    <section className={styles.waiting} aria-labelledby={id}>
      <h2 id={id}>Tell me when it is back</h2>
      <p>One e-mail when it is back in stock, and no others.</p>
      <EmailForm
        action="/back-in-stock"
        send={(typed) => requestStockAlert({ product, ...typed })}
        done="It is noted. We will write to you once, when it is back."
        known={user?.email ?? ""}
        hidden={<input type="hidden" name="product" value={product} />}
      >
        Tell me
      </EmailForm>
    </section>
  );
}
