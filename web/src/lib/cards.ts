import { useEffect, useState } from "react";
import type { Product, ProductCard } from "./api.gen";
import { ask } from "./ask";

export type Cards = {
  // Null until they have come. What the shop no longer has is not among them.
  cards: ProductCard[] | null;
  failed: boolean;
  retry: () => void;
};

// The products of these ids, in their order. More ids ask again; fewer are only fewer.
export function useCards(ids: string[] | null): Cards {
  const [known, setKnown] = useState<Map<string, ProductCard | null>>(new Map());
  const [failed, setFailed] = useState(false);
  const missing = ids?.filter((id) => !known.has(id)).join(",") ?? "";

  useEffect(() => {
    if (missing === "" || failed) return;
    const asking = new AbortController();
    ask<Product[]>(`/api/products?ids=${missing}`, { signal: asking.signal }).then(
      (products) => setKnown((before) => withAnswer(before, missing.split(","), products)),
      () => {
        if (!asking.signal.aborted) setFailed(true);
      },
    );
    return () => asking.abort();
  }, [missing, failed]);

  const complete = ids !== null && missing === "";
  return {
    cards: complete ? ids.flatMap((id) => known.get(id) ?? []) : null,
    failed,
    retry: () => setFailed(false),
  };
}

function withAnswer(
  before: Map<string, ProductCard | null>,
  asked: string[],
  products: ProductCard[],
): Map<string, ProductCard | null> {
  const known = new Map(before);
  for (const id of asked) known.set(id, null);
  for (const product of products) known.set(product._id, product);
  return known;
}
