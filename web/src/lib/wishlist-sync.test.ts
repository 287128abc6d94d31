// Against a server that is a list, and a browser that can be offline, reloaded and signed out.
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { changed, changes } from "./wishlist-sync";

const lists = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e"));

test("what differs between two lists makes the one into the other", () => {
  fc.assert(
    fc.property(lists, lists, (before, now) => {
      expect(new Set(changed(before, changes(before, now)))).toEqual(new Set(now));
      expect(changes(now, now)).toEqual([]);
    }),
  );
});

const toasts: string[] = [];
vi.mock("./toast", () => ({ toast: { error: (message: string) => toasts.push(message) } }));

let server: string[];
let asked: string[];
let offline: boolean;
let refuse: number | null;
let before: () => void;
let shelf: Map<string, string>;
let events: Map<string, () => void>;

beforeEach(() => {
  vi.useFakeTimers();
  server = [];
  asked = [];
  toasts.length = 0;
  offline = false;
  refuse = null;
  before = () => {};
  shelf = new Map([["accessToken", "token"]]);
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
    getItem: (key: string) => shelf.get(key) ?? null,
    setItem: (key: string, text: string) => shelf.set(key, text),
    removeItem: (key: string) => shelf.delete(key),
  });
  vi.stubGlobal("fetch", async (path: string, { method = "GET", body }: RequestInit) => {
    asked.push(`${method} ${path.replace("/api/wishlist", "")}`.trim());
    if (offline) throw new TypeError("Failed to fetch");
    if (refuse !== null && method !== "GET") {
      const error = { code: "full", message: "It is full." };
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

// A page that has just been loaded: what it knows is in the storage.
async function opened() {
  vi.resetModules();
  const { wishlist } = await import("./wishlist");
  const { wishlistSync } = await import("./wishlist-sync");
  return { sync: wishlistSync(), tap: wishlist.toggle, shown: wishlist.ids };
}

const settle = (time = 1_000) => vi.advanceTimersByTimeAsync(time);

test("a guest's wishes join the account's at sign-in, once", async () => {
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

test("each tap is sent, and another device's is seen", async () => {
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

test("a tap during a question is neither lost nor taken back", async () => {
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

test("what is refused or cannot be sent goes back, with a word", async () => {
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
  expect(toasts).toEqual(["It is full.", expect.stringContaining("could not be reached")]);
  expect(server).toEqual(["a", "b", "c"]);
});

test("a tap just before the page goes is sent by the next one", async () => {
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

test("at sign-out the list goes, and a guest's is touched by nobody", async () => {
  const page = await opened();
  page.tap("a");
  page.sync.stop();
  expect(page.shown()).toEqual(["a"]);
  page.sync.start("nila");
  await settle();
  page.sync.stop();
  expect(page.shown()).toEqual([]);
  // The next one at this browser brings nothing of it along.
  server = [];
  page.sync.start("rafi");
  await settle();
  expect(server).toEqual([]);
});
