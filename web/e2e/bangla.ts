// The storefront in Bangla, for tests: its messages, and what customers do.
import type { Page } from "@playwright/test";
import account from "../../messages/bn/account.json" with { type: "json" };
import auth from "../../messages/bn/auth.json" with { type: "json" };
import cart from "../../messages/bn/cart.json" with { type: "json" };
import catalog from "../../messages/bn/catalog.json" with { type: "json" };
import checkout from "../../messages/bn/checkout.json" with { type: "json" };
import common from "../../messages/bn/common.json" with { type: "json" };
import forms from "../../messages/bn/forms.json" with { type: "json" };
import language from "../../messages/bn/language.json" with { type: "json" };
import layout from "../../messages/bn/layout.json" with { type: "json" };
import orders from "../../messages/bn/orders.json" with { type: "json" };
import search from "../../messages/bn/search.json" with { type: "json" };
import { PASSWORD } from "./customer";
import { hydrated } from "./locators";

export const bn = {
  account,
  auth,
  cart,
  catalog,
  checkout,
  common,
  forms,
  language,
  layout,
  orders,
  search,
};

// A message with its arguments: {name}, or {count, number} in Bangla digits.
export function say(message: string, args: Record<string, string | number>): string {
  return message.replace(/\{(\w+)(?:, number)?\}/g, (_, name: string) =>
    banglaDigits(String(args[name])),
  );
}

export function banglaDigits(text: string): string {
  return text.replace(/\d/g, (digit) => "০১২৩৪৫৬৭৮৯".charAt(Number(digit)));
}

export async function openPage(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await hydrated(page);
}

export const heading = (page: Page) => page.getByRole("heading", { level: 1 });

export const header = (page: Page) => page.locator("header");

export const cartIcon = (page: Page) =>
  page
    .getByRole("navigation", { name: layout.shopping })
    .getByRole("link", { name: new RegExp(`^${common.cart}`) });

// On the sign-in page.
export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel(auth.email).fill(email);
  await page.getByLabel(auth.password, { exact: true }).fill(password);
  await page.getByRole("button", { name: auth.continue }).click();
}
