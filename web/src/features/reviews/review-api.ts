// Reviews API, and the URLs of a product's reviews.
import * as m from "messages/reviews";
import { useCallback, useState } from "react";
import type {
  Helped,
  NewReview,
  Review,
  ReviewPage,
  ReviewSort,
  Standing,
} from "../../lib/api.gen";
import { productUrl } from "../../lib/urls";
import { type AsyncValue, useAsync } from "../../lib/use-async";
import { authJson, jsonBody } from "../auth/api-auth";
import { useUser } from "../auth/auth";

// The server's limits.
export const LONGEST_TITLE = 100;
export const LONGEST_BODY = 2000;

export const SORTS: { value: ReviewSort; label: () => string }[] = [
  { value: "newest", label: m.sortNewest },
  { value: "oldest", label: m.sortOldest },
  { value: "highest", label: m.sortHighest },
  { value: "lowest", label: m.sortLowest },
  { value: "helpful", label: m.sortHelpful },
];

// Anchors: the reviews of a product, and the first review below the summary.
export const REVIEWS = "reviews";
export const FIRST_REVIEW = "first-review";

// `choice`: the parameters of the address that name the chosen variant.
export function reviewsUrl(
  product: string,
  sort: ReviewSort,
  page: number,
  choice: string[] = [],
): string {
  const params = [
    ...choice,
    ...(sort === "newest" ? [] : [`sort=${sort}`]),
    ...(page === 1 ? [] : [`reviews=${page}`]),
  ];
  return `${productUrl(product, params)}#${FIRST_REVIEW}`;
}

// Whether the URL asked for a page of reviews.
export function isChosenPage({ sort, pageNumber }: ReviewPage): boolean {
  return sort !== "newest" || pageNumber > 1;
}

// The name to show; a customer may have none.
export function writer({ name }: Review): string {
  return name === "" ? m.customer() : name;
}

// 4.3 for 4.33.
export function tenths(rating: number): number {
  return Math.round(rating * 10) / 10;
}

const ownReviewUrl = (product: string) =>
  `/api/products/${encodeURIComponent(product)}/reviews/mine`;

export function writeReview(product: string, review: NewReview): Promise<Standing> {
  return authJson(ownReviewUrl(product), { ...jsonBody(review), method: "PUT" });
}

export function deleteReview(product: string): Promise<Standing> {
  return authJson(ownReviewUrl(product), { method: "DELETE" });
}

export function vote(review: string, helped: boolean): Promise<Helped> {
  const method = helped ? "PUT" : "DELETE";
  return authJson(`/api/reviews/${encodeURIComponent(review)}/helpful`, { method });
}

// The signed-in customer's review, votes and permission to write; null for guests and while
// unknown. Loaded when first `wanted`.
export function useStanding(product: string, wanted: boolean): AsyncValue<Standing | null> {
  const user = useUser();
  const [needed, setNeeded] = useState(wanted);
  if (wanted && !needed) setNeeded(true);
  const uid = needed ? user?.uid : undefined;
  const load = useCallback(
    (): Promise<Standing | null> =>
      uid === undefined ? Promise.resolve(null) : authJson(ownReviewUrl(product)),
    [product, uid],
  );
  return useAsync(load);
}
