// What a link that does not work any more leads to, with e-mail and without.
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { MISSING, Trouble } from "../src/components/letter/trouble";
import type { Shop } from "../src/lib/api.gen";
import type { Failure } from "../src/lib/auth-errors";
import type { Mode } from "../src/lib/letter";
import { NO_EMAIL, ShopContext } from "../src/lib/shop";
import { shop } from "./fixtures";

const OLD: Failure = { code: "auth/expired-action-code", message: "", field: null };
const SILENT = { ...shop, sendsEmail: false };

function render(mode: Mode, shop: Shop, failed = OLD): string {
  const trouble = createElement(Trouble, { mode, failed, next: "/" });
  const value = { shop, chooseCurrency: () => {} };
  return renderToStaticMarkup(createElement(ShopContext, { value }, trouble));
}

test("a new letter is promised where one can be sent", () => {
  const hosted = { ...SILENT, identity: { ...shop.identity, hosted: true } };
  for (const sends of [shop, hosted]) {
    expect(render("resetPassword", sends)).toContain("We can send you a new one.");
    expect(render("resetPassword", sends)).toContain("Send me a link");
    expect(render("verifyEmail", sends, MISSING)).toContain("The link for it is in our letter.");
  }
});

test("no letter is promised where none can be sent", () => {
  for (const mode of ["resetPassword", "verifyEmail"] as const) {
    for (const failed of [OLD, MISSING]) {
      const html = render(mode, SILENT, failed);
      expect(html).toContain(NO_EMAIL);
      expect(html).not.toMatch(/send you|in our letter|<form|<button/);
    }
  }
});
