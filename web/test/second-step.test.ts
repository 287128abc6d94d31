// What the second step shows first; the browser tests cover the rest.
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { Factor } from "../src/features/auth/challenge";
import { SecondStepForm } from "../src/features/auth/second-step";
import { ShopContext } from "../src/lib/shop-context";
import { shop } from "./fixtures";

const phone: Factor = { id: "p", name: "Work", phone: "+*******0100" };
const app: Factor = { id: "a", name: null, phone: null };

function render(factors: Factor[]): string {
  const step = { factors, sendCode: async () => null, finish: async () => null };
  const form = createElement(SecondStepForm, { step, back: () => {} });
  return renderToStaticMarkup(createElement(ShopContext, { value: shop }, form));
}

test("an app's code field is shown at once", () => {
  const html = render([app]);
  expect(html).toContain("authenticator app shows for Haat.");
  expect(html).toMatch(/<input[^>]*inputMode="numeric"[^>]*autoComplete="one-time-code"/i);
  expect(html).not.toContain("Use another way");
});

test("a phone's code is sent on request", () => {
  const html = render([phone]);
  expect(html).toContain("We send a code to +*******0100.");
  expect(html).toContain("Send me a code");
  expect(html).not.toContain("<input");
});

test("with several factors one is chosen first", () => {
  const html = render([phone, app]);
  expect(html).toMatch(/Text message to \+\*{7}0100<small>Work<\/small>/);
  expect(html).toContain("Authenticator app");
  expect(html).not.toMatch(/<input|<form/);
});
