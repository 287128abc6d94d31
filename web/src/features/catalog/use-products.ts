import { useEffect, useState } from "react";
import { fetchJson } from "../../lib/api";
import type { Currency, Product, ProductCard, VariantCard } from "../../lib/api.gen";
import { useShop } from "../../lib/shop-context";

type CardsState<Card> = {
  // Null while loading. Those that are no longer sold are missing.
  products: Card[] | null;
  failed: boolean;
  retry: () => void;
};

type Load<Card> = (ids: string, signal: AbortSignal) => Promise<Card[]>;

// The products with these ids, in order.
export function useProducts(ids: string[] | null): CardsState<ProductCard> {
  return useCards(ids, loadProducts);
}

// The variants with these ids, in order. The id of a product is that of its default variant.
export function useVariants(ids: string[] | null): CardsState<VariantCard> {
  return useCards(ids, loadVariants);
}

async function loadProducts(ids: string, signal: AbortSignal): Promise<ProductCard[]> {
  const products = await fetchJson<Product[]>(`/api/products?ids=${ids}`, { signal });
  return products.map(cardOf);
}

// A product as a card. A card's options, if any, are those that were chosen.
export function cardOf({ options, ...card }: Product): ProductCard {
  return card;
}

function loadVariants(ids: string, signal: AbortSignal): Promise<VariantCard[]> {
  return fetchJson<VariantCard[]>(`/api/variants?ids=${ids}`, { signal });
}

// Only new ids cause a request, and another currency.
function useCards<Card extends { _id: string }>(
  ids: string[] | null,
  load: Load<Card>,
): CardsState<Card> {
  const { currency } = useShop();
  // By currency and id.
  const [known, setKnown] = useState<Map<string, Card | null>>(new Map());
  const [failed, setFailed] = useState(false);
  const missing = ids?.filter((id) => !known.has(currency + id)).join(",") ?? "";

  useEffect(() => {
    if (missing === "" || failed) return;
    const request = new AbortController();
    load(missing, request.signal).then(
      (cards) => setKnown((before) => withAnswer(before, currency, missing.split(","), cards)),
      () => {
        if (!request.signal.aborted) setFailed(true);
      },
    );
    return () => request.abort();
  }, [missing, failed, load, currency]);

  const complete = ids !== null && missing === "";
  return {
    products: complete ? ids.flatMap((id) => known.get(currency + id) ?? []) : null,
    failed,
    retry: () => setFailed(false),
  };
}

function withAnswer<Card extends { _id: string }>(
  before: Map<string, Card | null>,
  currency: Currency,
  ids: string[],
  found: Card[],
): Map<string, Card | null> {
  const known = new Map(before);
  for (const id of ids) known.set(currency + id, null);
  for (const card of found) known.set(currency + card._id, card);
  return known;
}
