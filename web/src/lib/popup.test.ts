import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { askProvider } from "./popup";

const ORIGIN = "https://shop.example";

let popup: { closed: boolean; close: () => void };
let opened: { url: URL; features: string } | null;
let blocked: boolean;
let page: EventTarget;

const state = () => opened?.url.searchParams.get("state");

function message(data: unknown, from: { origin?: string; source?: unknown } = {}): void {
  page.dispatchEvent(
    Object.assign(new Event("message"), { origin: ORIGIN, source: popup, data, ...from }),
  );
}

beforeEach(() => {
  vi.useFakeTimers();
  page = new EventTarget();
  opened = null;
  blocked = false;
  popup = { closed: false, close: () => Object.assign(popup, { closed: true }) };
  const globals = {
    location: { origin: ORIGIN },
    screenX: 0,
    screenY: 0,
    outerWidth: 1500,
    outerHeight: 1000,
    addEventListener: page.addEventListener.bind(page),
    removeEventListener: page.removeEventListener.bind(page),
    open: (url: string, _: string, features: string) => {
      if (blocked) return null;
      opened = { url: new URL(url, ORIGIN), features };
      return popup;
    },
  };
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("opens our own address in a window of 500 by 600, and takes the code", async () => {
  const asked = askProvider("google.com");
  expect(opened?.url.pathname).toBe("/auth/start");
  expect(opened?.url.searchParams.get("provider")).toBe("google.com");
  expect(opened?.features).toBe("popup,width=500,height=600,left=500,top=200");
  message({ type: "haat:auth", state: state(), providerId: "google.com", code: "once" });
  expect(await asked).toBe("once");
  expect(popup.closed).toBe(true);
});

test("listens to nobody else", async () => {
  const asked = askProvider("facebook.com");
  const answer = { type: "haat:auth", state: state(), code: "forged" };
  message(answer, { origin: "https://evil.example" });
  message(answer, { source: {} });
  message({ ...answer, state: "guessed" });
  message({ ...answer, type: "other" });
  message(null);
  message({ ...answer, code: "true" });
  expect(await asked).toBe("true");
});

test("a window that is closed is given two seconds for its last word", async () => {
  const asked = askProvider("google.com");
  const outcome = vi.fn();
  asked.catch(outcome);
  popup.closed = true;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(outcome).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(500);
  expect(outcome).toHaveBeenCalledWith({ code: "auth/popup-closed-by-user" });
});

test("a code that comes after the window closed still counts", async () => {
  const asked = askProvider("google.com");
  popup.closed = true;
  await vi.advanceTimersByTimeAsync(1_000);
  message({ type: "haat:auth", state: state(), code: "late" });
  expect(await asked).toBe("late");
});

test.each([
  ["access_denied", "user-cancelled"],
  ["invalid-credential", "invalid-credential"],
  ["operation-not-allowed", "operation-not-allowed"],
  ["internal-error", "internal-error"],
  ["network-request-failed", "provider-unreachable"],
  [undefined, "internal-error"],
])("the window's %s is told as %s", async (error, code) => {
  const asked = askProvider("facebook.com");
  message({ type: "haat:auth", state: state(), providerId: "facebook.com", error });
  await expect(asked).rejects.toEqual({ code: `auth/${code}` });
});

test("a blocked window, a refusal and a second click have their codes", async () => {
  blocked = true;
  await expect(askProvider("google.com")).rejects.toEqual({ code: "auth/popup-blocked" });
  blocked = false;
  const refused = askProvider("google.com");
  message({ type: "haat:auth", state: state(), error: "access_denied" });
  await expect(refused).rejects.toEqual({ code: "auth/user-cancelled" });
  const first = askProvider("google.com");
  const cancelled = expect(first).rejects.toEqual({ code: "auth/cancelled-popup-request" });
  askProvider("google.com").catch(() => {});
  await cancelled;
});
