// The sentences of the API's errors, made from codes and parameters. Loaded with the first error.
import * as sentences from "messages/errors";
import type { ErrorDetail } from "./api.gen";
import { digits, formatNumber } from "./numbers";

type Reason = { code: string; params?: Record<string, string> };
type Sentence = (params: Record<string, string>) => string;

// Where only the fields tell what is wrong.
const BY_FIELD = /^(invalid|unprocessable)$/;
// With the sign of a currency, or its code.
const AMOUNT = /^(-?(?:\p{Sc}|[A-Z]{3}\u00a0)?)(\d[\d,]*)(\.\d+)?$/u;

// The error with its messages in the language of the page.
export function withSentences(error: ErrorDetail): ErrorDetail {
  const message = sentence(error) ?? sentences.unknown();
  const fields = error.fields?.map((field) => ({ ...field, message: sentence(field) ?? message }));
  const first = error.fields?.find((field) => sentence(field) !== null);
  const whole = first !== undefined && BY_FIELD.test(error.code) ? sentence(first) : null;
  return { ...error, message: whole ?? message, ...(fields && { fields }) };
}

// Null for an error that only programs meet.
function sentence({ code, params = {} }: Reason): string | null {
  const key = code.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const shown = Object.entries(params).map(([name, value]) => [name, localAmount(value)]);
  // biome-ignore lint/performance/noDynamicNamespaceImportAccess: the server chooses the sentence.
  const found = sentences[key as keyof typeof sentences] as Sentence | undefined;
  return found?.(Object.fromEntries(shown)) ?? null;
}

// "$1,234,567.50" in the language's digits and grouping; any other text as it is.
function localAmount(text: string): string {
  const [, sign = "", whole, decimals = ""] = AMOUNT.exec(text) ?? [];
  if (whole === undefined) return text;
  return sign + formatNumber(Number(whole.replaceAll(",", ""))) + digits(decimals);
}
