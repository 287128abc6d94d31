import * as m from "messages/cart";
import { useCallback } from "react";
import { fetchJson } from "../../../lib/api";
import type { CodeRefusal, Currency, VariantCard } from "../../../lib/api.gen";
import { variantUrl } from "../../../lib/urls";
import { useAsync } from "../../../lib/use-async";
import { variantName } from "../../catalog/variant-options";
import { refusalSentence } from "../refusal-sentence";

type Props = { reason: CodeRefusal; currency: Currency };

export function RefusalReason({ reason, currency }: Props) {
  const gift = reason.params?.gift;
  return gift === undefined ? refusalSentence(reason, currency) : <MissingGift id={gift} />;
}

// With a link to the gift, once its name is known.
function MissingGift({ id }: { id: string }) {
  const load = useCallback(
    () => fetchJson<VariantCard[]>(`/api/variants?ids=${encodeURIComponent(id)}`),
    [id],
  );
  const [gift] = useAsync(load).value ?? [];
  if (gift === undefined) return m.codeGiftMissing();
  return m.codeAddGift({
    name: variantName(gift),
    link: (name) => <a href={variantUrl(gift)}>{name}</a>,
  });
}
