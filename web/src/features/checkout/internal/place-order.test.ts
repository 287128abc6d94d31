import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Attempt } from "./order-attempt";
import { findOrder, payOtherwise, placeOrder } from "./place-order";

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

test("retries a lost response with the same key", async () => {
  answers = [null, new Response("", { status: 502 }), Response.json({ number: "7K3M-9QXF" })];
  const outcome = await placeOrder(attempt, [0, 0]);
  expect(outcome).toEqual({ kind: "placed", order: { number: "7K3M-9QXF" } });
  expect(keys).toEqual(["key-1", "key-1", "key-1"]);
});

test("retries an incomplete response", async () => {
  answers = [new Response('{"numb'), Response.json({ number: "7K3M-9QXF" })];
  expect(await placeOrder(attempt, [0])).toMatchObject({ kind: "placed" });
});

const lines = [{ _id: "lamp", qtn: 2, name: "Lamp" }];
const payUrl = "/pay/7K3M-9QXF?key=k";
const waiting = { number: "7K3M-9QXF", lines: [{ _id: "lamp", qtn: 2 }], payUrl };

test("an order that is paid elsewhere is not placed yet", async () => {
  const next = { redirect: "https://pay.example/1", payUrl };
  answers = [null, Response.json({ number: "7K3M-9QXF", lines, next })];
  expect(await placeOrder(attempt, [0])).toEqual({
    kind: "awaitsPayment",
    redirect: "https://pay.example/1",
    ...waiting,
  });
  expect(keys).toEqual(["key-1", "key-1"]);
  answers = [Response.json({ number: "7K3M-9QXF", lines, next: null })];
  expect(await placeOrder(attempt, [])).toMatchObject({ kind: "placed" });
});

test("an order that was only looked up leads nowhere by itself", async () => {
  answers = [Response.json([{ number: "7K3M-9QXF", lines, payUrl }])];
  const found = { kind: "awaitsPayment", redirect: null, ...waiting };
  expect(await findOrder(attempt)).toEqual(found);
  answers = [Response.json([{ number: "7K3M-9QXF", lines, payUrl: null }])];
  expect(await findOrder(attempt)).toMatchObject({ kind: "placed" });
});

test("pays in another way, or leads to the page of the payment", async () => {
  answers = [Response.json({ redirect: "https://wallet.example/1" }), refused(503, {})];
  const found = { kind: "awaitsPayment", ...waiting };
  expect(await payOtherwise(waiting, "bkash")).toEqual({
    ...found,
    redirect: "https://wallet.example/1",
  });
  expect(await payOtherwise(waiting, "bkash")).toEqual({ ...found, redirect: payUrl });
});

test("reports an unknown result where no response arrives", async () => {
  expect(await placeOrder(attempt, [0, 0])).toEqual({ kind: "unknown" });
  expect(keys).toHaveLength(3);
});

test("waits longer before each retry", async () => {
  vi.useFakeTimers();
  const outcome = placeOrder(attempt, [500, 1_500]);
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

test("looks an order up without sending it", async () => {
  answers = [Response.json([{ number: "7K3M-9QXF" }]), Response.json([]), refused(429, {}), null];
  const came = [];
  while (answers.length > 0) came.push((await findOrder(attempt)).kind);
  expect(came).toEqual(["placed", "unknown", "unknown", "unknown"]);
  expect(keys).toEqual(Array(4).fill(undefined));
});

test("retries once where the address may have been verified meanwhile", async () => {
  const unproven = () => refused(403, { code: "unproven", params: { most: "$1,000.00" } });
  answers = [unproven(), unproven()];
  expect(await placeOrder(attempt, [])).toEqual({
    kind: "unproven",
    message: expect.stringMatching(/^Before we deliver for more than \$1,000.00 without payment/),
  });
  answers = [unproven(), Response.json({ number: "7K3M-9QXF" })];
  expect(await placeOrder(attempt, [])).toMatchObject({ kind: "placed" });
  expect(keys).toEqual(Array(4).fill("key-1"));
});

test("does not retry refusals", async () => {
  const fields = [{ name: "phone", code: "required", message: "is required" }];
  const quote = { lines: [] };
  answers = [
    refused(400, { code: "invalid", message: "phone: is required", fields }),
    refused(422, { code: "idempotency_key_reused", message: "Another order." }),
    new Response("<html>", { status: 413 }),
    Response.json({ error: { code: "price" }, quote }, { status: 409 }),
    new Response(null, { status: 401 }),
  ];
  const kinds = [];
  while (answers.length > 0) kinds.push(await placeOrder(attempt, []));
  expect(kinds).toEqual([
    {
      kind: "invalid",
      message: "Please fill this in.",
      fields: [{ ...fields[0], message: "Please fill this in." }],
    },
    { kind: "refused", message: "This Idempotency-Key has placed another order already." },
    { kind: "refused", message: "Something went wrong. Please try again in a moment." },
    {
      kind: "changed",
      cart: {
        error: {
          code: "price",
          message: "The price has changed. Please look at the new total.",
        },
        quote,
      },
    },
    { kind: "signedOut" },
  ]);
});
