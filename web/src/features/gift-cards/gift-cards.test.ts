import { expect, test, vi } from "vitest";
import type { GiftCardBalance } from "../../lib/api.gen";
import { cardParts, checkGiftCard, normalizeCode, whyUseless } from "./gift-cards";

const card = (spendable: number, more: Partial<GiftCardBalance> = {}): GiftCardBalance => ({
  lastFour: "WXYZ",
  currency: "USD",
  balance: spendable,
  spendable,
  state: "active",
  expiresAt: null,
  ...more,
});

const pays = (balances: number[], total: number) =>
  cardParts(
    balances.map((balance, n) => ({ code: `C${n}`, currency: "USD", card: card(balance) })),
    total,
    "USD",
  ).map(({ amount }) => amount);

test("cards pay in their order, and together no more than the total", () => {
  expect(pays([20, 30], 100)).toEqual([20, 30]);
  expect(pays([20, 30, 40], 35.5)).toEqual([20, 15.5, 0]);
  expect(pays([0.1, 0.2, 5], 0.3)).toEqual([0.1, 0.2, 0]);
  expect(pays([50], 0)).toEqual([0]);
  expect(pays([], 10)).toEqual([]);
});

test("a code is the same however it is typed", () => {
  for (const typed of ["abcd-2345-wxyz-6789", " ABCD 2345 WXYZ 6789", "ABCD২৩৪৫WXYZ৬৭৮৯"])
    expect(normalizeCode(typed)).toBe("ABCD2345WXYZ6789");
});

test("a card that pays nothing has its reason", () => {
  expect(whyUseless(card(5))).toBeUndefined();
  expect(whyUseless(card(0))).toBe("Nothing is left on this gift card.");
  const expiresAt = "2026-05-03T23:59:59.000Z";
  expect(whyUseless(card(0, { state: "expired", expiresAt }))).toBe(
    "This gift card expired on 3 May 2026.",
  );
  expect(whyUseless(card(0, { state: "disabled" }))).toContain("not valid any more");
});

test("the code is in the body of the request, not in its address", async () => {
  const fetched = vi.fn(async () => new Response(JSON.stringify(card(5)), { status: 200 }));
  vi.stubGlobal("fetch", fetched);
  expect(await checkGiftCard("ABCD-2345")).toEqual(card(5));
  const [address, init] = fetched.mock.calls[0] as unknown as [string, RequestInit];
  expect(address).toBe("/api/gift-cards/check");
  expect(init.body).toBe('{"code":"ABCD-2345"}');
  const answer = (status: number) =>
    vi.stubGlobal("fetch", async () => new Response("{}", { status }));
  answer(404);
  expect(await checkGiftCard("x")).toMatchObject({
    message: expect.stringContaining("We do not know this gift card"),
    unknown: true,
  });
  answer(429);
  expect(await checkGiftCard("x")).toEqual({ message: expect.stringContaining("in an hour") });
  vi.stubGlobal("fetch", async () => Promise.reject(new TypeError("offline")));
  expect(await checkGiftCard("x")).toEqual({
    message: expect.stringContaining("cannot be reached"),
  });
  vi.unstubAllGlobals();
});
