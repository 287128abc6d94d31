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

test("a form that was just opened is sent at once, with the pass that there is", async () => {
  const asked = vi.fn(async () => Response.json({ pass: "one" }));
  const sent = shop(asked);
  const { askForLetter, preparePass, sendMessage } = await import("./messages");
  preparePass();
  const letter = askForLetter({ email: "a@b.c" });
  expect(sent.map(({ body }) => body)).toEqual([{ email: "a@b.c", pass: "" }]);
  expect(await letter).toBeNull();
  await vi.advanceTimersByTimeAsync(1_000);
  await sendMessage({ name: "A", email: "a@b.c", message: "Hello" });
  expect(sent[1]?.body).toMatchObject({ message: "Hello", pass: "one" });
  expect(asked).toHaveBeenCalledTimes(1);
});

test("where that was too often, it is sent again when the pass is good", async () => {
  let refusals = 1;
  const sent = shop(
    async () => Response.json({ pass: "one" }),
    () => (refusals-- > 0 ? tooMany() : Response.json({ received: true })),
  );
  const { askForLetter, preparePass } = await import("./messages");
  preparePass();
  await vi.advanceTimersByTimeAsync(1_000);
  const letter = askForLetter({ email: "a@b.c" });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(500);
  expect(await letter).toBeNull();
  expect(sent[1]?.body).toEqual({ email: "a@b.c", pass: "one" });

  // With a good one there is nothing to wait for.
  refusals = 1;
  expect(await askForLetter({ email: "a@b.c" })).toMatchObject({ message: "That was often." });
  expect(sent).toHaveLength(3);
});

test("where there is no pass, the form is sent without one", async () => {
  const sent = shop(() => Promise.reject(new TypeError("away")));
  const { askForLetter } = await import("./messages");
  expect(await askForLetter({ email: "a@b.c" })).toBeNull();
  expect(sent[0]?.body).toEqual({ email: "a@b.c", pass: "" });
});
