import * as m from "messages/catalog";
import { useState } from "react";
import { fetchJsonWithHeaders } from "../../lib/api";
import type { Currency, Product, ProductCard } from "../../lib/api.gen";
import { announce } from "../../lib/navigation";
import { useShop } from "../../lib/shop-context";
import { Button } from "../../ui/button";
import { LoadError } from "../../ui/empty-state";
import styles from "./more-products.module.css";
import { ProductGrid } from "./product-grid";
import { cardOf } from "./use-products";

type Props = {
  first: ProductCard[];
  total: number;
  // The cursor after the first products; null where there are no more.
  next: string | null;
  more: string;
};

const AT_ONCE = 24;

type Further = { products: ProductCard[]; next: string | null; currency: Currency };

// The products in the page, and more on request.
export function MoreProducts({ first, total, next, more }: Props) {
  const { currency } = useShop();
  const [loaded, setLoaded] = useState<Further>();
  const further = loaded?.currency === currency ? loaded : undefined;
  const [state, setState] = useState<"calm" | "busy" | "failed">("calm");
  const shown = [...first, ...(further?.products ?? [])];
  const cursor = further === undefined ? next : further.next;

  async function load() {
    if (cursor === null || state === "busy") return;
    setState("busy");
    try {
      const address = `/api/products?limit=${AT_ONCE}&cursor=${encodeURIComponent(cursor)}`;
      const answer = await fetchJsonWithHeaders<Product[]>(address);
      setLoaded({
        currency,
        products: [...(further?.products ?? []), ...answer.body.map(cardOf)],
        next: answer.headers.get("x-next-cursor"),
      });
      setState("calm");
      announce(m.moreShown({ count: answer.body.length }));
    } catch {
      setState("failed");
    }
  }

  return (
    <>
      <ProductGrid products={shown} />
      {state === "failed" && <LoadError title={m.moreNotLoaded()} retry={load} />}
      {cursor !== null && state !== "failed" && (
        <div className={`with-js ${styles.more}`}>
          <Button quiet onClick={load} aria-busy={state === "busy"}>
            {more || m.showMore()}
          </Button>
          <p>{m.shownOf({ shown: shown.length, total })}</p>
        </div>
      )}
    </>
  );
}
