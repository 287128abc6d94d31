// What buyers say about a product: where it stands in addresses, and one's own part in it.
import { useCallback, useState } from "react";
import type { Helped, NewReview, ReviewPage, ReviewSort, Standing } from "./api.gen";
import { useUser } from "./auth";
import { type Loaded, useLoaded } from "./loaded";
import { jsonOf, own } from "./own";
import { productUrl } from "./urls";

// As the shop takes them.
export const LONGEST_TITLE = 100;
export const LONGEST_BODY = 2000;

export const SORTS: { value: ReviewSort; label: string }[] = [
  { value: "newest", label: "Newest" },
  { value: "oldest", label: "Oldest" },
  { value: "highest", label: "Highest rating" },
  { value: "lowest", label: "Lowest rating" },
  { value: "helpful", label: "Most helpful" },
];

// Where a product's reviews begin on its page; and where, below what they come to, the first one is.
export const REVIEWS = "reviews";
export const FIRST_REVIEW = "first-review";

export function reviewsUrl(product: string, sort: ReviewSort, page: number): string {
  const params = [
    ...(sort === "newest" ? [] : [`sort=${sort}`]),
    ...(page === 1 ? [] : [`reviews=${page}`]),
  ];
  const query = params.length === 0 ? "" : `?${params.join("&")}`;
  return `${productUrl(product)}${query}#${FIRST_REVIEW}`;
}

// Whether an address asked for these, rather than for the product.
export function areChosen({ sort, pageNumber }: ReviewPage): boolean {
  return sort !== "newest" || pageNumber > 1;
}

// "4.3", of 4.33; whole numbers as they are.
export function tenths(rating: number): number {
  return Math.round(rating * 10) / 10;
}

const address = (product: string) => `/api/products/${encodeURIComponent(product)}/reviews/mine`;

export function writeReview(product: string, review: NewReview): Promise<Standing> {
  return own(address(product), { ...jsonOf(review), method: "PUT" });
}

export function deleteReview(product: string): Promise<Standing> {
  return own(address(product), { method: "DELETE" });
}

export function vote(review: string, helped: boolean): Promise<Helped> {
  const method = helped ? "PUT" : "DELETE";
  return own(`/api/reviews/${encodeURIComponent(review)}/helpful`, { method });
}

// What whoever is signed in has to do with a product's reviews; null for guests, and until it is known.
// Nobody asks before it is `wanted` for the first time.
export function useStanding(product: string, wanted: boolean): Loaded<Standing | null> {
  const user = useUser();
  const [asked, setAsked] = useState(wanted);
  if (wanted && !asked) setAsked(true);
  const uid = asked ? user?.uid : undefined;
  const load = useCallback(
    (): Promise<Standing | null> =>
      uid === undefined ? Promise.resolve(null) : own(address(product)),
    [product, uid],
  );
  return useLoaded(load);
}
