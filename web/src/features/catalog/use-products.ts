import { useEffect, useState } from "react";
import { fetchJson } from "../../lib/api";
import type { Product, ProductCard } from "../../lib/api.gen";

type ProductsState = {
  // Null while loading. Products that no longer exist are missing.
  products: ProductCard[] | null;
  failed: boolean;
  retry: () => void;
};

// The products with these ids, in order. Only new ids cause a request.
export function useProducts(ids: string[] | null): ProductsState {
  const [known, setKnown] = useState<Map<string, ProductCard | null>>(new Map());
  const [failed, setFailed] = useState(false);
  const missing = ids?.filter((id) => !known.has(id)).join(",") ?? "";

  useEffect(() => {
    if (missing === "" || failed) return;
    const request = new AbortController();
    fetchJson<Product[]>(`/api/products?ids=${missing}`, { signal: request.signal }).then(
      (products) => setKnown((before) => withAnswer(before, missing.split(","), products)),
      () => {
        if (!request.signal.aborted) setFailed(true);
      },
    );
    return () => request.abort();
  }, [missing, failed]);

  const complete = ids !== null && missing === "";
  return {
    products: complete ? ids.flatMap((id) => known.get(id) ?? []) : null,
    failed,
    retry: () => setFailed(false),
  };
}

function withAnswer(
  before: Map<string, ProductCard | null>,
  ids: string[],
  found: ProductCard[],
): Map<string, ProductCard | null> {
  const known = new Map(before);
  for (const id of ids) known.set(id, null);
  for (const product of found) known.set(product._id, product);
  return known;
}
