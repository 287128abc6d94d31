// Failed action links, with e-mail and without.
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { Mode } from "../src/features/auth/action-link";
import type { Failure } from "../src/features/auth/auth-errors";
import { LinkError, MISSING_CODE } from "../src/features/email-action/internal/link-error";
import type { Shop } from "../src/lib/api.gen";
import { ShopContext } from "../src/lib/shop-context";
import { shop } from "./fixtures";

const OLD: Failure = { code: "auth/expired-action-code", message: "", field: null };
const SILENT = { ...shop, sendsEmail: false };

function render(mode: Mode, shop: Shop, failed = OLD): string {
  const trouble = createElement(LinkError, { mode, failed, next: "/" });
  return renderToStaticMarkup(createElement(ShopContext, { value: shop }, trouble));
}

test("offers a new e-mail where one can be sent", () => {
  const hosted = { ...SILENT, identity: { ...shop.identity, hosted: true } };
  for (const sends of [shop, hosted]) {
    expect(render("resetPassword", sends)).toContain("We can send you a new one.");
    expect(render("resetPassword", sends)).toContain("Send me a link");
    expect(render("verifyEmail", sends, MISSING_CODE)).toContain(
      "The link for it is in our e-mail.",
    );
  }
});

test("offers no e-mail where none can be sent", () => {
  for (const mode of ["resetPassword", "verifyEmail"] as const) {
    for (const failed of [OLD, MISSING_CODE]) {
      const html = render(mode, SILENT, failed);
      expect(html).toContain("This shop cannot send e-mail yet.");
      expect(html).not.toMatch(/send you|in our e-mail|<form|<button/);
    }
  }
});
