import { afterEach, beforeEach, expect, test, vi } from "vitest";

type Sent = { address: string; body: Record<string, string> };

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function shop(givesPass: () => Promise<Response>): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal("fetch", (address: string, init?: { body: string }) => {
    if (address === "/api/pass") return givesPass();
    sent.push({ address, body: JSON.parse(init?.body ?? "{}") });
    return Promise.resolve(Response.json({ received: true }));
  });
  return sent;
}

test("a form that was just opened waits until its pass is ripe", async () => {
  const asked = vi.fn(async () => Response.json({ pass: "one" }));
  const sent = shop(asked);
  const { askForLetter, preparePass, sendMessage } = await import("./messages");
  preparePass();
  await vi.advanceTimersByTimeAsync(1_000);
  const letter = askForLetter({ email: "a@b.c" });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(500);
  expect(await letter).toBeNull();
  expect(sent[0]?.body).toEqual({ email: "a@b.c", pass: "one" });

  // The next one does not wait, nor ask again.
  await sendMessage({ name: "A", email: "a@b.c", message: "Hello" });
  expect(sent[1]?.body).toMatchObject({ message: "Hello", pass: "one" });
  expect(asked).toHaveBeenCalledTimes(1);
});

test("where there is no pass, the form is sent without one", async () => {
  const sent = shop(() => Promise.reject(new TypeError("away")));
  const { askForLetter } = await import("./messages");
  expect(await askForLetter({ email: "a@b.c" })).toBeNull();
  expect(sent[0]?.body).toEqual({ email: "a@b.c", pass: "" });
});
