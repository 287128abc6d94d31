import { useEffect, useState } from "react";
import { useCards } from "../lib/cards";
import { noteSeen } from "../lib/seen";
import { Section } from "../ui/section";
import { ProductGrid } from "./product-grid";

const MOST_SHOWN = 4;

// What was looked at before this one. Below everything else, so that it moves nothing when it comes.
export function RecentlySeen({ except }: { except: string }) {
  // As it was on arrival: the list does not change under the eye.
  const [before, setBefore] = useState<string[] | null>(null);
  useEffect(() => {
    const seen = noteSeen(except);
    if (seen.length > 0) setBefore(seen.slice(0, MOST_SHOWN));
  }, [except]);
  const { cards } = useCards(before);
  if (cards === null || cards.length === 0) return null;
  return (
    <Section id="seen" title="Recently seen">
      <ProductGrid products={cards} />
    </Section>
  );
}
