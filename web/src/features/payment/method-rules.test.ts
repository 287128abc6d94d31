import { afterEach, expect, test } from "vitest";
import type { PaymentMethod } from "../../lib/api.gen";
import { setLanguage } from "../../lib/language";
import { chooseMethod, isPaidElsewhere, refusalOf } from "./method-rules";
import { nextText, refusalText } from "./method-texts";

const speak = (language: string) => setLanguage({ language, shop: { languages: ["en", "bn"] } });
afterEach(() => speak("en"));

const way = (
  provider: PaymentMethod["provider"],
  ...amounts: PaymentMethod["amounts"]
): PaymentMethod => ({ provider, title: provider, enabled: amounts.length > 0, amounts });

const cash = way(
  "cash_on_delivery",
  { currency: "USD", min: null, max: null },
  { currency: "BDT", min: null, max: null },
);
const card = way("card", { currency: "USD", min: 0.5, max: 1000 });
const bkash = way("bkash", { currency: "BDT", min: 10, max: 500_000 });
const paypal = way("paypal");
const all = [cash, card, bkash, paypal];

test("a way to pay takes some currencies, and some amounts of them", () => {
  expect(refusalOf(cash, 1e9, "USD")).toBeNull();
  expect(refusalOf(paypal, 5, "USD")).toEqual({ kind: "notOffered" });
  expect(refusalOf(bkash, 5, "USD")).toEqual({ kind: "currency", takes: ["BDT"] });
  const taken = [9.99, 10, 500_000, 500_000.01].map((amount) => refusalOf(bkash, amount, "BDT"));
  const refused = { kind: "amount", min: 10, max: 500_000 };
  expect(taken).toEqual([refused, null, null, refused]);
});

test("while the amount is not known, only the currency counts", () => {
  expect(refusalOf(bkash, null, "BDT")).toBeNull();
  expect(refusalOf(bkash, null, "USD")).not.toBeNull();
});

test("a choice stays while it is possible, and then is the first that is", () => {
  expect(chooseMethod(all, "card", 196, "USD")).toBe("card");
  expect(chooseMethod(all, "card", 1000.01, "USD")).toBe("cash_on_delivery");
  expect(chooseMethod(all, "bkash", 196, "USD")).toBe("cash_on_delivery");
  expect(chooseMethod(all, "bkash", 196, "BDT")).toBe("bkash");
  expect(chooseMethod([card, bkash], undefined, 196, "BDT")).toBe("bkash");
  expect(chooseMethod([card, paypal], "card", 196, "BDT")).toBeNull();
});

test("only cash, gift cards and store credit are not paid on a page of a provider", () => {
  const here = ["cash_on_delivery", "store_credit", "gift_card"] as const;
  expect(here.map(isPaidElsewhere)).toEqual([false, false, false]);
  const elsewhere = ["card", "google_pay", "paypal", "bkash", "sslcommerz"] as const;
  expect(elsewhere.map(isPaidElsewhere)).toEqual([true, true, true, true, true]);
});

test("says why, in both languages", () => {
  const say = () => [
    refusalText("paypal", { kind: "notOffered" }, "USD"),
    refusalText("bkash", { kind: "currency", takes: ["BDT"] }, "USD"),
    refusalText("paypal", { kind: "currency", takes: ["USD", "EUR"] }, "BDT"),
    refusalText("bkash", { kind: "amount", min: 10, max: 500_000 }, "BDT"),
    refusalText("card", { kind: "amount", min: 0.5, max: null }, "USD"),
    refusalText("card", { kind: "amount", min: null, max: 1000 }, "USD"),
  ];
  expect(say()).toEqual([
    "Not available yet",
    "bKash takes taka only.",
    "PayPal takes US dollars, euros only.",
    "bKash takes from ৳10 to ৳500,000.",
    "Credit card takes $0.50 or more.",
    "Credit card takes $1,000 or less.",
  ]);
  speak("bn");
  expect(say().slice(1, 4)).toEqual([
    "বিকাশ দিয়ে শুধু টাকায় দাম দেওয়া যায়।",
    "পেপ্যাল দিয়ে শুধু মার্কিন ডলারে, ইউরোতে দাম দেওয়া যায়।",
    "বিকাশ দিয়ে ৳১০ থেকে ৳৫,০০,০০০ পর্যন্ত দেওয়া যায়।",
  ]);
});

test("cash is paid to the courier, or where the goods are picked up", () => {
  expect(nextText("cash_on_delivery", false)).toBe("You pay the courier in cash.");
  expect(nextText("cash_on_delivery", true)).toBe("You pay in cash when you pick it up.");
  expect(nextText("card", true)).toBe(nextText("card", false));
});
