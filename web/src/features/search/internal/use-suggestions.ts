// Loads search suggestions, debounced; only the newest answer counts.
import { useEffect, useState } from "react";
import { fetchJson } from "../../../lib/api";
import type { Currency, Suggestions } from "../../../lib/api.gen";
import { useShop } from "../../../lib/shop-context";

const DEBOUNCE = 150;
// The API's limit.
const MAX_LENGTH = 80;

// Null: the field is empty.
export function suggestionsUrl(typed: string, category: string): string | null {
  const q = Array.from(typed.trim().replace(/\s+/g, " ")).slice(0, MAX_LENGTH).join("");
  if (q === "") return null;
  const within = category === "" ? "" : `&category=${encodeURIComponent(category)}`;
  return `/api/search/suggestions?q=${encodeURIComponent(q)}${within}`;
}

// Null until there is an answer. The last one stays until the next arrives, to avoid flicker.
export function useSuggestions(url: string | null): Suggestions | null {
  const [answer, setAnswer] = useState<(Suggestions & { currency: Currency }) | null>(null);
  const { currency } = useShop();

  useEffect(() => {
    if (url === null) return setAnswer(null);
    const request = new AbortController();
    const { signal } = request;
    const timer = setTimeout(async () => {
      // Search works without suggestions.
      const found = await fetchJson<Suggestions>(url, { signal }).catch(() => null);
      if (!signal.aborted) setAnswer(found && { ...found, currency });
    }, DEBOUNCE);
    return () => {
      clearTimeout(timer);
      request.abort();
    };
  }, [url, currency]);

  return url === null || answer?.currency !== currency ? null : answer;
}
