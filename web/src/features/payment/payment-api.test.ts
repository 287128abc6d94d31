import { afterEach, expect, test, vi } from "vitest";
import { setLanguage } from "../../lib/language";
import {
  cancelOrder,
  failureText,
  fetchPayment,
  payPageUrl,
  payUrlOf,
  startPayment,
} from "./payment-api";

const speak = (language: string) => setLanguage({ language, shop: { languages: ["en", "bn"] } });

afterEach(() => {
  speak("en");
  vi.unstubAllGlobals();
});

function answering(answer: () => Response): [string, string, unknown][] {
  const sent: [string, string, unknown][] = [];
  vi.stubGlobal("fetch", async (address: string, { method = "GET", body }: RequestInit) => {
    sent.push([method, address, body]);
    return answer();
  });
  return sent;
}

test("the page is in the language that is shown, and the API has none", async () => {
  const payUrl = payUrlOf({ number: "7K3M-9QXF", key: "a+b" });
  expect(payUrl).toBe("/pay/7K3M-9QXF?key=a%2Bb");
  speak("bn");
  expect(payPageUrl(payUrl)).toBe("/bn/pay/7K3M-9QXF?key=a%2Bb");
  expect(payPageUrl(`/bn${payUrl}`)).toBe("/bn/pay/7K3M-9QXF?key=a%2Bb");
  const sent = answering(() => Response.json({ redirect: "https://pay.example/1" }));
  await fetchPayment(`/bn${payUrl}`);
  expect(await startPayment(payUrl, "bkash")).toBe("https://pay.example/1");
  await cancelOrder(payUrl);
  expect(sent).toEqual([
    ["GET", "/api/pay/7K3M-9QXF?key=a%2Bb", undefined],
    ["POST", "/api/pay/7K3M-9QXF?key=a%2Bb", '{"payment":"bkash"}'],
    ["POST", "/api/pay/7K3M-9QXF/cancel?key=a%2Bb", undefined],
  ]);
});

test("says why it did not work", async () => {
  const refusal = async (status: number, code: string) => {
    answering(() => Response.json({ error: { code, message: "" } }, { status }));
    return startPayment("/pay/7K3M-9QXF?key=a", "card").catch(failureText);
  };
  expect(await refusal(409, "not_awaiting_payment")).toBe(
    "This order does not wait for payment any more.",
  );
  expect(await refusal(503, "unavailable")).toMatch(
    /^The payment provider cannot be reached now\./,
  );
  expect(await refusal(422, "payment_amount")).toMatch(
    /^This way to pay does not take this amount/,
  );
  expect(failureText(new TypeError("Failed to fetch"))).toBe(
    "The shop cannot be reached. Please try again.",
  );
});
