import { afterEach, expect, test, vi } from "vitest";
import { trackOrder } from "./orders-api";

afterEach(() => vi.unstubAllGlobals());

function shop(answer: () => Response): string[] {
  const sent: string[] = [];
  vi.stubGlobal("fetch", async (_: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body).number);
    return answer();
  });
  return sent;
}

test("finds an order by a number in Bangla digits", async () => {
  const sent = shop(() => Response.json({ number: "7K3M-9QXF" }));
  expect(await trackOrder(" ৭K৩M-৯QXF ", "a@b.c")).toEqual({
    number: "7K3M-9QXF",
  });
  expect(sent).toEqual(["7K3M-9QXF"]);
});

test("says why there is no order to show", async () => {
  const ask = () => trackOrder("1", "a@b.c");
  shop(() => new Response(null, { status: 404 }));
  expect(await ask()).toMatch(/^There is no order with this number/);
  shop(() => new Response(null, { status: 429 }));
  expect(await ask()).toMatch(/^That was asked too often/);
  shop(() => {
    throw new TypeError("Failed to fetch");
  });
  expect(await ask()).toMatch(/^The shop cannot be reached/);
});
