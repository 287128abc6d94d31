import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Attempt } from "./attempt";
import { find, place } from "./placing";

const attempt: Attempt = {
  uid: "nila",
  key: "key-1",
  at: 0,
  order: { name: "Nila", phone: "1234", address: "Dhaka", lines: [], total: 1 },
};

let keys: (string | undefined)[];
let answers: (Response | null)[];

const refused = (status: number, error: object) => Response.json({ error }, { status });

beforeEach(() => {
  keys = [];
  answers = [];
  vi.stubGlobal("localStorage", { getItem: () => "token" });
  vi.stubGlobal("fetch", async (_: string, init: RequestInit) => {
    const headers = init.headers as Record<string, string>;
    keys.push(headers["idempotency-key"]);
    const answer = answers.shift();
    if (answer === null || answer === undefined) throw new TypeError("Failed to fetch");
    return answer;
  });
});

afterEach(() => vi.unstubAllGlobals());

test("an answer that was lost is asked for again, with the same key", async () => {
  answers = [null, new Response("", { status: 502 }), Response.json({ number: "7K3M-9QXF" })];
  const outcome = await place(attempt, [0, 0]);
  expect(outcome).toEqual({ kind: "placed", order: { number: "7K3M-9QXF" } });
  expect(keys).toEqual(["key-1", "key-1", "key-1"]);
});

test("half an answer is none", async () => {
  answers = [new Response('{"numb'), Response.json({ number: "7K3M-9QXF" })];
  expect(await place(attempt, [0])).toMatchObject({ kind: "placed" });
});

test("nobody guesses where no answer comes", async () => {
  expect(await place(attempt, [0, 0])).toEqual({ kind: "unknown" });
  expect(keys).toHaveLength(3);
});

test("waits longer each time", async () => {
  vi.useFakeTimers();
  const outcome = place(attempt, [500, 1_500]);
  await vi.advanceTimersByTimeAsync(499);
  expect(keys).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(keys).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1_499);
  expect(keys).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(await outcome).toEqual({ kind: "unknown" });
  vi.useRealTimers();
});

test("what became of an order is asked without sending it", async () => {
  answers = [Response.json([{ number: "7K3M-9QXF" }]), Response.json([]), refused(429, {}), null];
  const came = [];
  while (answers.length > 0) came.push((await find(attempt)).kind);
  expect(came).toEqual(["placed", "unknown", "unknown", "unknown"]);
  expect(keys).toEqual(Array(4).fill(undefined));
});

test("who is to confirm the address first may have done so: it is asked once more", async () => {
  const unproven = () => refused(403, { code: "unproven", message: "Confirm your address." });
  answers = [unproven(), unproven()];
  expect(await place(attempt, [])).toEqual({ kind: "unproven", message: "Confirm your address." });
  answers = [unproven(), Response.json({ number: "7K3M-9QXF" })];
  expect(await place(attempt, [])).toMatchObject({ kind: "placed" });
  expect(keys).toEqual(Array(4).fill("key-1"));
});

test("refusals are answers", async () => {
  const fields = [{ name: "phone", message: "is required" }];
  const quote = { lines: [] };
  answers = [
    refused(400, { code: "invalid", message: "phone: is required", fields }),
    refused(422, { code: "idempotency_key_reused", message: "Another order." }),
    new Response("<html>", { status: 413 }),
    Response.json({ error: { code: "price" }, quote }, { status: 409 }),
    new Response(null, { status: 401 }),
  ];
  const kinds = [];
  while (answers.length > 0) kinds.push(await place(attempt, []));
  expect(kinds).toEqual([
    { kind: "invalid", message: "phone: is required", fields },
    { kind: "refused", message: "Another order." },
    { kind: "refused", message: "Something went wrong. Please try again in a moment." },
    { kind: "changed", cart: { error: { code: "price" }, quote } },
    { kind: "signedOut" },
  ]);
});
