import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createStore, persistedStore, readIds } from "./store";

const KEY = "haat.test";
const ids = (found: unknown) => readIds(found, 3);
let storage: Map<string, string>;
let heard: (event: Partial<StorageEvent>) => void;

beforeEach(() => {
  storage = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, text: string) => storage.set(key, text),
  });
  vi.stubGlobal("addEventListener", (_: string, listener: typeof heard) => {
    heard = listener;
  });
  vi.stubGlobal("removeEventListener", () => {});
});

afterEach(() => vi.unstubAllGlobals());

test("tells each listener of a change, until it unsubscribes", () => {
  const store = createStore("a");
  const listener = vi.fn(() => store.get());
  expect(store.isWatched()).toBe(false);
  const unsubscribe = store.subscribe(listener);
  expect(store.isWatched()).toBe(true);
  store.set("b");
  expect(listener).toHaveReturnedWith("b");
  expect(store.initial).toBe("a");
  unsubscribe();
  store.set("c");
  expect(listener).toHaveBeenCalledOnce();
  expect(store.isWatched()).toBe(false);
});

test("reads a value that is kept elsewhere", () => {
  let elsewhere = "a";
  const store = createStore("none", () => elsewhere);
  elsewhere = "b";
  store.set("c");
  expect([store.initial, store.get()]).toEqual(["none", "b"]);
});

test("persists a value with its version", () => {
  persistedStore(KEY, ids).update(() => ["a", "b"]);
  expect(JSON.parse(storage.get(KEY) ?? "")).toEqual({ version: 1, value: ["a", "b"] });
  expect(persistedStore(KEY, ids).get()).toEqual(["a", "b"]);
});

test("ignores damaged, foreign and other versions' values", () => {
  for (const text of ["", "{", "null", "[]", "7", '{"version":2,"value":["a"]}', '{"version":1}']) {
    storage.set(KEY, text);
    expect(persistedStore(KEY, ids).get(), text).toEqual([]);
  }
});

test("the same text gives the same object", () => {
  const store = persistedStore(KEY, ids);
  store.update(() => ["a"]);
  expect(store.get()).toBe(store.get());
});

test("notices another tab's change and does not overwrite it", () => {
  const store = persistedStore(KEY, ids);
  const listener = vi.fn();
  store.update(() => ["a"]);
  store.subscribe(listener);
  storage.set(KEY, '{"version":1,"value":["b"]}');
  heard({ key: "other" });
  expect(listener).not.toHaveBeenCalled();
  heard({ key: KEY });
  expect(listener).toHaveBeenCalledOnce();
  store.update((before) => [...before, "c"]);
  expect(store.get()).toEqual(["b", "c"]);
});

test("without storage the value lasts as long as the page", () => {
  const blocked = () => {
    throw new Error("blocked");
  };
  vi.stubGlobal("localStorage", { getItem: blocked, setItem: blocked });
  const store = persistedStore(KEY, ids);
  store.update(() => ["a"]);
  expect(store.get()).toEqual(["a"]);
});

test("reads unique valid ids up to a limit", () => {
  expect(ids(["a", "a", "b c", 7, null, "", "b", "c", "d"])).toEqual(["a", "b", "c"]);
  expect(ids("a")).toEqual([]);
});
