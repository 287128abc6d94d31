import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { leaveFor } from "./leave";

let page: EventTarget;
const assign = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  page = new EventTarget();
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("removeEventListener", page.removeEventListener.bind(page));
  vi.stubGlobal("location", { assign });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  assign.mockClear();
});

test("whoever comes back by the Back button goes on, once", () => {
  const onStay = vi.fn();
  leaveFor("https://pay.example/1", onStay);
  expect(assign).toHaveBeenCalledExactlyOnceWith("https://pay.example/1");
  page.dispatchEvent(new Event("pagehide"));
  vi.advanceTimersByTime(60_000);
  expect(onStay).not.toHaveBeenCalled();
  page.dispatchEvent(new Event("pageshow"));
  page.dispatchEvent(new Event("pageshow"));
  expect(onStay).toHaveBeenCalledTimes(1);
});

test("where the next page does not load, the wait ends", () => {
  const onStay = vi.fn();
  leaveFor("https://pay.example/1", onStay);
  vi.advanceTimersByTime(14_999);
  expect(onStay).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onStay).toHaveBeenCalledTimes(1);
});
