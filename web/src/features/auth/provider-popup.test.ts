import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openProviderPopup } from "./provider-popup";

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

test("opens our own URL in a window of 500 by 600 and resolves to its code", async () => {
  const asked = openProviderPopup("google.com");
  expect(opened?.url.pathname).toBe("/auth/start");
  expect(opened?.url.searchParams.get("provider")).toBe("google.com");
  expect(opened?.features).toBe("popup,width=500,height=600,left=500,top=200");
  message({ type: "haat:auth", state: state(), providerId: "google.com", code: "once" });
  expect(await asked).toBe("once");
  expect(popup.closed).toBe(true);
});

test("ignores messages from anywhere else", async () => {
  const asked = openProviderPopup("facebook.com");
  const answer = { type: "haat:auth", state: state(), code: "forged" };
  message(answer, { origin: "https://evil.example" });
  message(answer, { source: {} });
  message({ ...answer, state: "guessed" });
  message({ ...answer, type: "other" });
  message(null);
  message({ ...answer, code: "true" });
  expect(await asked).toBe("true");
});

test("waits two seconds for a message after the window closes", async () => {
  const asked = openProviderPopup("google.com");
  const outcome = vi.fn();
  asked.catch(outcome);
  popup.closed = true;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(outcome).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(500);
  expect(outcome).toHaveBeenCalledWith({ code: "auth/popup-closed-by-user" });
});

test("accepts a code that arrives after the window closed", async () => {
  const asked = openProviderPopup("google.com");
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
])("maps the window's %s to %s", async (error, code) => {
  const asked = openProviderPopup("facebook.com");
  message({ type: "haat:auth", state: state(), providerId: "facebook.com", error });
  await expect(asked).rejects.toEqual({ code: `auth/${code}` });
});

test("a blocked window, a refusal and a second click have their error codes", async () => {
  blocked = true;
  await expect(openProviderPopup("google.com")).rejects.toEqual({ code: "auth/popup-blocked" });
  blocked = false;
  const refused = openProviderPopup("google.com");
  message({ type: "haat:auth", state: state(), error: "access_denied" });
  await expect(refused).rejects.toEqual({ code: "auth/user-cancelled" });
  const first = openProviderPopup("google.com");
  const cancelled = expect(first).rejects.toEqual({ code: "auth/cancelled-popup-request" });
  openProviderPopup("google.com").catch(() => {});
  await cancelled;
});
