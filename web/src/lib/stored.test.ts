import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readIds, stored } from "./stored";

const KEY = "haat.test";
const ids = (found: unknown) => readIds(found, 3);
let shelf: Map<string, string>;
let heard: (event: Partial<StorageEvent>) => void;

beforeEach(() => {
  shelf = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => shelf.get(key) ?? null,
    setItem: (key: string, text: string) => shelf.set(key, text),
  });
  vi.stubGlobal("addEventListener", (_: string, listener: typeof heard) => {
    heard = listener;
  });
  vi.stubGlobal("removeEventListener", () => {});
});

afterEach(() => vi.unstubAllGlobals());

test("what is stored is there for the next page, with its version", () => {
  stored(KEY, ids).change(() => ["a", "b"]);
  expect(JSON.parse(shelf.get(KEY) ?? "")).toEqual({ version: 1, value: ["a", "b"] });
  expect(stored(KEY, ids).get()).toEqual(["a", "b"]);
});

test("what is damaged, foreign or of another version counts as nothing", () => {
  for (const text of ["", "{", "null", "[]", "7", '{"version":2,"value":["a"]}', '{"version":1}']) {
    shelf.set(KEY, text);
    expect(stored(KEY, ids).get(), text).toEqual([]);
  }
});

test("the same text is the same value, so that React rests", () => {
  const store = stored(KEY, ids);
  store.change(() => ["a"]);
  expect(store.get()).toBe(store.get());
});

test("another tab's change is heard, and not written over", () => {
  const store = stored(KEY, ids);
  const listener = vi.fn();
  store.change(() => ["a"]);
  store.subscribe(listener);
  shelf.set(KEY, '{"version":1,"value":["b"]}');
  heard({ key: "other" });
  expect(listener).not.toHaveBeenCalled();
  heard({ key: KEY });
  expect(listener).toHaveBeenCalledOnce();
  store.change((before) => [...before, "c"]);
  expect(store.get()).toEqual(["b", "c"]);
});

test("without storage it lasts as long as the page", () => {
  const blocked = () => {
    throw new Error("blocked");
  };
  vi.stubGlobal("localStorage", { getItem: blocked, setItem: blocked });
  const store = stored(KEY, ids);
  store.change(() => ["a"]);
  expect(store.get()).toEqual(["a"]);
});

test("ids are read each once, the good ones, and not too many", () => {
  expect(ids(["a", "a", "b c", 7, null, "", "b", "c", "d"])).toEqual(["a", "b", "c"]);
  expect(ids("a")).toEqual([]);
});
