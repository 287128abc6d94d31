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

function shop(
  givesPass: () => Promise<Response>,
  answers: () => Response = () => Response.json({ received: true }),
): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal("fetch", (address: string, init?: { body: string; keepalive: boolean }) => {
    if (address === "/api/pass") return givesPass();
    expect(init?.keepalive, "goes on when the page is left").toBe(true);
    sent.push({ address, body: JSON.parse(init?.body ?? "{}") });
    return Promise.resolve(answers());
  });
  return sent;
}

const tooMany = () =>
  Response.json({ error: { code: "too_many", message: "That was often." } }, { status: 429 });

test("sends a new form at once, with the token that there is", async () => {
  const asked = vi.fn(async () => Response.json({ pass: "one" }));
  const sent = shop(asked);
  const { subscribeToNewsletter, prepareFormToken, sendMessage } = await import("./form-api");
  prepareFormToken();
  const sending = subscribeToNewsletter({ email: "a@b.c" });
  expect(sent.map(({ body }) => body)).toEqual([{ email: "a@b.c", pass: "" }]);
  expect(await sending).toBeNull();
  await vi.advanceTimersByTimeAsync(1_000);
  await sendMessage({ name: "A", email: "a@b.c", message: "Hello" });
  expect(sent[1]?.body).toMatchObject({ message: "Hello", pass: "one" });
  expect(asked).toHaveBeenCalledTimes(1);
});

test("after too many requests sends it again when the token is valid", async () => {
  let refusals = 1;
  const sent = shop(
    async () => Response.json({ pass: "one" }),
    () => (refusals-- > 0 ? tooMany() : Response.json({ received: true })),
  );
  const { subscribeToNewsletter, prepareFormToken } = await import("./form-api");
  prepareFormToken();
  await vi.advanceTimersByTimeAsync(1_000);
  const sending = subscribeToNewsletter({ email: "a@b.c" });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toHaveLength(1);
  // The sentence of the refusal is loaded first, which takes no time of this clock.
  await vi.waitFor(() => expect(sent).toHaveLength(2), { timeout: 10_000 });
  expect(await sending).toBeNull();
  expect(sent[1]?.body).toEqual({ email: "a@b.c", pass: "one" });

  // With a valid one there is nothing to wait for.
  refusals = 1;
  expect(await subscribeToNewsletter({ email: "a@b.c" })).toMatchObject({
    message: "Too many requests. Please try again later.",
  });
  expect(sent).toHaveLength(3);
});

test("sends the form without a token where none can be loaded", async () => {
  const sent = shop(() => Promise.reject(new TypeError("away")));
  const { subscribeToNewsletter } = await import("./form-api");
  expect(await subscribeToNewsletter({ email: "a@b.c" })).toBeNull();
  expect(sent[0]?.body).toEqual({ email: "a@b.c", pass: "" });
});
