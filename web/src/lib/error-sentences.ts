// The sentences of the API's errors, made from codes and parameters. Loaded with the first error.
import * as sentences from "messages/errors";
import type { ErrorDetail } from "./api.gen";
import { digits, formatNumber } from "./numbers";

// `name`: the field, where it is one's.
type Reason = { name?: string; code: string; params?: Record<string, string> };
type Sentence = (params: Record<string, string>) => string;

// Where only the fields tell what is wrong.
const BY_FIELD = /^(invalid|unprocessable)$/;
// Where the server has none, as of addresses without a country.
const EXAMPLE = "+880 1700 000 000";
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

// Null for an error that only programs meet. A field may have a sentence of its own.
function sentence({ name = "", code, params = {} }: Reason): string | null {
  const { example = EXAMPLE, ...values } = params;
  const shown = Object.entries(values).map(([param, value]) => [param, localAmount(value)]);
  const found = sentenceNamed(`${name}_${code}`) ?? sentenceNamed(code);
  return found?.({ ...Object.fromEntries(shown), example: digits(example) }) ?? null;
}

function sentenceNamed(name: string): Sentence | undefined {
  const key = name.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase());
  // biome-ignore lint/performance/noDynamicNamespaceImportAccess: the server chooses the sentence.
  return sentences[key as keyof typeof sentences] as Sentence | undefined;
}

// "$1,234,567.50" in the language's digits and grouping; any other text as it is.
function localAmount(text: string): string {
  const [, sign = "", whole, decimals = ""] = AMOUNT.exec(text) ?? [];
  if (whole === undefined) return text;
  return sign + formatNumber(Number(whole.replaceAll(",", ""))) + digits(decimals);
}
