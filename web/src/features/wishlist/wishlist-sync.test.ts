// Against a fake server, in a browser that can be offline, reloaded and signed out.
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { applyChanges, diff } from "./wishlist-sync";

const lists = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e"));

test("the difference of two lists turns one into the other", () => {
  fc.assert(
    fc.property(lists, lists, (before, now) => {
      expect(new Set(applyChanges(before, diff(before, now)))).toEqual(new Set(now));
      expect(diff(now, now)).toEqual([]);
    }),
  );
});

const toasts: string[] = [];
vi.mock("../../lib/toast", () => ({ toast: { error: (message: string) => toasts.push(message) } }));

let server: string[];
let asked: string[];
let offline: boolean;
let refuse: number | null;
let before: () => void;
let storage: Map<string, string>;
let events: Map<string, () => void>;

beforeEach(() => {
  vi.useFakeTimers();
  server = [];
  asked = [];
  toasts.length = 0;
  offline = false;
  refuse = null;
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
  vi.stubGlobal("fetch", async (path: string, { method = "GET", body }: RequestInit) => {
    asked.push(`${method} ${path.replace("/api/wishlist", "")}`.trim());
    if (offline) throw new TypeError("Failed to fetch");
    if (refuse !== null && method !== "GET") {
      const error = { code: "wishlist_full", message: "", params: { most: "500" } };
      return Response.json({ error }, { status: refuse });
    }
    const id = path.split("/")[3] ?? "";
    if (method === "PUT" && !server.includes(id)) server = [id, ...server];
    if (method === "DELETE") server = server.filter((other) => other !== id);
    if (method === "POST") {
      const { products } = JSON.parse(String(body)) as { products: string[] };
      server = [...new Set([...products, ...server])];
    }
    const answer = Response.json({ products: server, share: null });
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
  const { wishlist } = await import("./wishlist");
  const { wishlistSync } = await import("./wishlist-sync");
  return { sync: wishlistSync(), tap: wishlist.toggle, shown: wishlist.ids };
}

async function settle(time = 1_000) {
  await vi.advanceTimersByTimeAsync(time);
  // The sentences of errors are loaded with the first one.
  await vi.dynamicImportSettled();
}

test("merges a guest's wishlist with the account's at sign-in, once", async () => {
  server = ["a", "b"];
  const page = await opened();
  page.tap("b");
  page.tap("c");
  page.sync.start("nila");
  await settle();
  expect(page.shown()).toEqual(["c", "b", "a"]);
  const again = await opened();
  again.sync.start("nila");
  await settle();
  expect(asked).toEqual(["POST", "GET"]);
});

test("sends each change, and shows another device's", async () => {
  const page = await opened();
  page.sync.start("nila");
  await settle();
  page.tap("a");
  page.tap("b");
  await settle();
  expect(server).toEqual(["b", "a"]);
  page.tap("a");
  await settle();
  expect(asked).toEqual(["POST", "PUT /a", "PUT /b", "DELETE /a"]);
  server = ["x", "b"];
  events.get("focus")?.();
  await settle();
  expect(page.shown()).toEqual(["x", "b"]);
});

test("a change during a request is neither lost nor reverted", async () => {
  const page = await opened();
  page.sync.start("nila");
  await settle();
  page.tap("a");
  before = () => {
    page.tap("a");
    page.tap("b");
  };
  await settle();
  expect(page.shown()).toEqual(["b"]);
  expect(server).toEqual(["b"]);
});

test("reverts what is refused or cannot be sent, with a message", async () => {
  server = ["a", "b", "c"];
  const page = await opened();
  page.sync.start("nila");
  await settle();
  refuse = 409;
  page.tap("d");
  expect(page.shown()).toEqual(["d", "a", "b", "c"]);
  await settle();
  expect(page.shown()).toEqual(["a", "b", "c"]);
  offline = true;
  page.tap("b");
  expect(page.shown()).toEqual(["a", "c"]);
  await settle();
  expect(page.shown()).toEqual(["a", "b", "c"]);
  expect(toasts).toEqual([
    "A wishlist holds at most 500 products.",
    expect.stringContaining("could not be reached"),
  ]);
  expect(server).toEqual(["a", "b", "c"]);
});

test("sends a change made just before the page closed from the next one", async () => {
  const page = await opened();
  page.sync.start("nila");
  await settle();
  page.tap("a");
  const again = await opened();
  again.sync.start("nila");
  await settle();
  expect(server).toEqual(["a"]);
  expect(again.shown()).toEqual(["a"]);
});

test("empties the list at sign-out, and leaves a guest's alone", async () => {
  const page = await opened();
  page.tap("a");
  page.sync.stop();
  expect(page.shown()).toEqual(["a"]);
  page.sync.start("nila");
  await settle();
  page.sync.stop();
  expect(page.shown()).toEqual([]);
  // The next customer in this browser sends nothing of it.
  server = [];
  page.sync.start("rafi");
  await settle();
  expect(server).toEqual([]);
});
