import * as m from "messages/forms";
import { useId } from "react";
import { localUrl } from "../../lib/language";
import { useShop } from "../../lib/shop-context";
import { useUser } from "../auth/auth";
import { requestStockAlert } from "./form-api";
import { EmailForm } from "./internal/email-form";
import styles from "./stock-alert-form.module.css";

// The stock alert form, shown for products that are out of stock. Works without JavaScript.
export function StockAlertForm({ product }: { product: string }) {
  const user = useUser();
  const shop = useShop();
  const id = useId();
  if (!shop.sendsEmail) return <p className={styles.waiting}>{m.alertWaits()}</p>;
  return (
    <section className={styles.waiting} aria-labelledby={id}>
      <h2 id={id}>{m.alertTitle()}</h2>
      <p>{m.alertText()}</p>
      <EmailForm
        action={localUrl("/back-in-stock")}
        send={(typed) => requestStockAlert({ product, ...typed })}
        done={m.alertSent()}
        known={user?.email ?? ""}
        hidden={<input type="hidden" name="product" value={product} />}
      >
        {m.tellMe()}
      </EmailForm>
    </section>
  );
}
