import * as m from "messages/payment";
import { PageHead } from "../features/layout/page-head";
import { payState } from "../features/payment/pay-state";
import { said } from "../features/payment/pay-texts";
import { PayView } from "../features/payment/pay-view";
import { usePayment } from "../features/payment/use-payment";
import type { PageOf } from "../lib/page";
import styles from "./cart.module.css";

export default function PayPage(page: PageOf<"pay">) {
  const { shop } = page;
  const payment = usePayment(page.props);
  const { title } = said(payState(payment.now), payment.now, false);
  return (
    <div className={`wrap ${styles.page}`}>
      <PageHead
        page={page}
        title={`${title} · ${shop.name}`}
        description={m.pageDescription({ shop: shop.name })}
      />
      {/* The URL holds a key. */}
      <meta name="referrer" content="no-referrer" />
      <PayView {...payment} />
    </div>
  );
}
