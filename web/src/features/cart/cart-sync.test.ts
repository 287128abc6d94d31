// Against a fake server, in a browser that can be offline, reloaded and opened twice.
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { CartLine } from "./cart";
import { difference, mergeLines, type QuantityById, quantitiesById } from "./cart-sync";

const lineOf = (_id: string, qtn: number): CartLine => ({
  _id,
  product: _id,
  name: `The ${_id}`,
  img: [`/${_id}.svg`],
  options: {},
  buyPrice: 9,
  currency: "USD",
  qtn,
});

describe("the difference of two carts", () => {
  const cartOf = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.integer({ min: 1, max: 9 }));

  test("turns one into the other", () => {
    fc.assert(
      fc.property(cartOf, cartOf, (before, now) => {
        const after = { ...before };
        for (const { _id, qtn } of difference(before, now)) after[_id] = qtn;
        const kept = Object.entries(after).filter(([, qtn]) => qtn > 0);
        expect(Object.fromEntries(kept)).toEqual(now);
      }),
    );
  });

  test("is empty between equal carts", () => {
    fc.assert(fc.property(cartOf, (one) => difference(one, { ...one }).length === 0));
  });
});

test("changes since the request override the answer, in the displayed order", () => {
  const serverLines = [lineOf("a", 1), lineOf("b", 2), lineOf("c", 3)];
  const shown = [lineOf("c", 9), lineOf("d", 1), lineOf("a", 1)];
  const since = [
    { _id: "c", qtn: 9 },
    { _id: "b", qtn: 0 },
    { _id: "d", qtn: 1 },
  ];
  expect(mergeLines(serverLines, shown, since)).toMatchObject([
    { _id: "c", qtn: 9 },
    { _id: "d", qtn: 1 },
    { _id: "a", qtn: 1 },
  ]);
});

test("a line keeps the price it was added at", () => {
  const line = { ...lineOf("a", 1), buyPrice: 110 };
  const serverLines = [{ ...line, buyPrice: 123, qtn: 2 }];
  expect(mergeLines(serverLines, [line], [])).toEqual([{ ...line, qtn: 2 }]);
  expect(mergeLines(serverLines, [], [])).toEqual(serverLines);
});

let server: Map<string, number>;
let asked: string[];
let offline: boolean;
let status: number;
let before: () => void;
let storage: Map<string, string>;
let events: Map<string, () => void>;

beforeEach(() => {
  vi.useFakeTimers();
  server = new Map();
  asked = [];
  offline = false;
  status = 200;
  before = () => {};
  storage = new Map([["accessToken", "token"]]);
  events = new Map();
  const listening = {
    addEventListener: (name: string, listener: () => void) => events.set(name, listener),
    removeEventListener: (name: string) => events.delete(name),
  };
  vi.stubGlobal("addEventListener", listening.addEventListener);
  vi.stubGlobal("removeEventListener", listening.removeEventListener);
  vi.stubGlobal("document", { visibilityState: "visible", ...listening });
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, text: string) => storage.set(key, text),
    removeItem: (key: string) => storage.delete(key),
  });
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    const { method = "GET", body } = init;
    asked.push(`${method} ${path}`);
    if (offline) throw new TypeError("Failed to fetch");
    if (status !== 200) return new Response("{}", { status });
    const { lines = [] } = JSON.parse(String(body ?? "{}")) as { lines?: CartLine[] };
    for (const { _id, qtn } of lines) {
      const most = Math.max(server.get(_id) ?? 0, qtn);
      server.set(_id, path.endsWith("/join") ? most : qtn);
      if (server.get(_id) === 0) server.delete(_id);
    }
    const currency = new Headers(init.headers).get("x-currency");
    const answered = [...server].map(([id, qtn]) => lineOf(id, qtn));
    const answer = Response.json({ currency, lines: answered });
    before();
    before = () => {};
    return answer;
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

// A newly loaded page: it knows only what is in storage.
async function opened() {
  vi.resetModules();
  const { cart } = await import("./cart");
  const { cartSync } = await import("./cart-sync");
  const sync = cartSync();
  return {
    sync,
    put: (id: string, qtn: number) =>
      cart.replace((lines) => [
        ...lines.filter((other) => other._id !== id),
        ...(qtn > 0 ? [lineOf(id, qtn)] : []),
      ]),
    lines: cart.lines,
    shown: (): QuantityById => quantitiesById(cart.lines()),
  };
}

const settle = (time = 1_000) => vi.advanceTimersByTimeAsync(time);
const onServer = () => Object.fromEntries(server);

test("merges a guest's cart with the account's at sign-in, once, taking the larger quantity", async () => {
  server = new Map([
    ["a", 1],
    ["b", 5],
  ]);
  const page = await opened();
  page.put("a", 3);
  page.put("c", 1);
  page.sync.start("nila");
  await settle();
  expect(page.shown()).toEqual({ a: 3, b: 5, c: 1 });
  expect(onServer()).toEqual({ a: 3, b: 5, c: 1 });
  page.sync.start("nila");
  const again = await opened();
  again.sync.start("nila");
  await settle();
  expect(asked).toEqual(["POST /api/cart/join", "GET /api/cart"]);
});

test("sends changes together, as a difference", async () => {
  const page = await opened();
  page.sync.start("nila");
  await settle();
  page.put("a", 1);
  page.put("a", 2);
  page.put("b", 1);
  await settle(399);
  expect(asked).toHaveLength(1);
  await settle();
  expect(asked).toEqual(["POST /api/cart/join", "PATCH /api/cart"]);
  expect(onServer()).toEqual({ a: 2, b: 1 });
  page.put("a", 0);
  await settle();
  expect(onServer()).toEqual({ b: 1 });
});

test("a change during a request is neither lost nor reverted", async () => {
  const page = await opened();
  page.sync.start("nila");
  await settle();
  page.put("a", 1);
  before = () => page.put("a", 4);
  await settle(450);
  expect(page.shown()).toEqual({ a: 4 });
  await settle();
  expect(onServer()).toEqual({ a: 4 });
});

test("sends offline changes later, also after a reload", async () => {
  const page = await opened();
  page.sync.start("nila");
  await settle();
  offline = true;
  page.put("a", 2);
  await settle(60_000);
  expect(page.shown()).toEqual({ a: 2 });
  const again = await opened();
  again.sync.start("nila");
  await settle();
  expect(again.shown()).toEqual({ a: 2 });
  offline = false;
  events.get("online")?.();
  await settle();
  expect(onServer()).toEqual({ a: 2 });
});

test("retries failures with backoff", async () => {
  const page = await opened();
  status = 503;
  page.put("a", 1);
  page.sync.start("nila");
  await settle(14_000);
  expect(asked).toHaveLength(2);
  status = 200;
  await settle(1_000);
  expect(onServer()).toEqual({ a: 1 });
});

test("shows changes of another device on focus", async () => {
  const page = await opened();
  page.sync.start("nila");
  page.put("a", 1);
  await settle();
  server.set("b", 2);
  server.delete("a");
  events.get("focus")?.();
  await settle();
  expect(page.shown()).toEqual({ b: 2 });
});

test("empties the cart at sign-out and keeps unsent changes for their owner", async () => {
  const page = await opened();
  page.sync.start("nila");
  page.put("a", 1);
  await settle();
  page.put("b", 2);
  page.sync.stop();
  expect(page.shown()).toEqual({});
  await settle();
  expect(onServer()).toEqual({ a: 1 });

  // The next customer in this browser sees nothing of it.
  const nilas = server;
  server = new Map();
  page.sync.start("rafi");
  await settle();
  expect(page.shown()).toEqual({});
  page.sync.stop();

  server = nilas;
  page.sync.start("nila");
  await settle();
  expect(page.shown()).toEqual({ a: 1, b: 2 });
  expect(onServer()).toEqual({ a: 1, b: 2 });
});

test("lines of the server have the currency of its answer", async () => {
  server = new Map([["a", 1]]);
  const page = await opened();
  const { setCurrency } = await import("../../lib/currency");
  setCurrency({ currency: "BDT", currencies: ["USD", "BDT"] });
  page.sync.start("nila");
  await settle();
  expect(page.lines()).toMatchObject([{ _id: "a", currency: "BDT" }]);
});

test("leaves a guest's cart alone", async () => {
  const page = await opened();
  page.put("a", 1);
  page.sync.stop();
  await settle();
  expect(page.shown()).toEqual({ a: 1 });
  expect(asked).toEqual([]);
});

test("keeps what the server refuses, and does not send it again", async () => {
  const page = await opened();
  page.sync.start("nila");
  await settle();
  status = 400;
  page.put("a", 1);
  await settle(600_000);
  expect(page.shown()).toEqual({ a: 1 });
  expect(asked).toHaveLength(2);
});
