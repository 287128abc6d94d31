// What may be meant by what is typed so far: one question a pause, and only the newest answer counts.
import { useEffect, useState } from "react";
import type { Suggestions } from "../api.gen";
import { ask } from "../ask";

const PAUSE = 150;
// The shop takes no more.
const LONGEST = 80;

// Null: nothing is typed.
export function questionOf(typed: string, category: string): string | null {
  const q = Array.from(typed.trim().replace(/\s+/g, " ")).slice(0, LONGEST).join("");
  if (q === "") return null;
  const within = category === "" ? "" : `&category=${encodeURIComponent(category)}`;
  return `/api/search/suggestions?q=${encodeURIComponent(q)}${within}`;
}

// Null until there is an answer. The last one stays until the next has come, so that nothing flickers.
export function useSuggestions(question: string | null): Suggestions | null {
  const [answer, setAnswer] = useState<Suggestions | null>(null);

  useEffect(() => {
    if (question === null) return setAnswer(null);
    const asking = new AbortController();
    const { signal } = asking;
    const pause = setTimeout(async () => {
      // Without suggestions one still searches.
      const found = await ask<Suggestions>(question, { signal }).catch(() => null);
      if (!signal.aborted) setAnswer(found);
    }, PAUSE);
    return () => {
      clearTimeout(pause);
      asking.abort();
    };
  }, [question]);

  return question === null ? null : answer;
}
