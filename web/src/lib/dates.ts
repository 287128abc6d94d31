import * as m from "messages/format";
import { digits } from "./numbers";

// "3 May 2026". UTC on the server and in the browser, so that a visitor's time zone cannot change
// the text.
export function longDate(iso: string): string {
  const [year = 0, month = 1, day = 1] = iso.slice(0, 10).split("-").map(Number);
  const name = m.months().split(", ")[month - 1] ?? "";
  return m.date({ day: digits(day), month: name, year: digits(year) });
}

// A date in a table: "2026-05-03" in English, and where the message `dateStyle` is "long", as
// `longDate`. The same as `date` of crates/messages, which writes the invoices.
export function tableDate(iso: string): string {
  return m.dateStyle() === "long" ? longDate(iso) : digits(iso.slice(0, 10));
}
