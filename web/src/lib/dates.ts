import * as m from "messages/format";
import { digits } from "./numbers";

// "3 May 2026". UTC on the server and in the browser, so that a visitor's time zone cannot change
// the text. The same as `date` of crates/messages, which writes e-mails and invoices.
export function longDate(iso: string): string {
  return m.date(parts(iso));
}

// "22–24 November", "30 November – 2 December", "22 November": days of the weeks to come, without a year.
export function dayRange(first: string, last: string): string {
  const [from, to] = [parts(first), parts(last)];
  const end = m.dayMonth(to);
  if (from.month !== to.month) return m.dateRange({ first: m.dayMonth(from), last: end });
  return from.day === to.day ? end : m.dayRange({ first: from.day, last: to.day, month: to.month });
}

function parts(iso: string): Record<"day" | "month" | "year", string> {
  const [year = 0, month = 1, day = 1] = iso.slice(0, 10).split("-").map(Number);
  const name = m.months().split(", ")[month - 1] ?? "";
  return { day: digits(day), month: name, year: digits(year) };
}
