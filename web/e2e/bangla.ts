// The storefront in Bangla, for tests: its messages, and what customers do.
import type { Page } from "@playwright/test";
import account from "../../messages/bn/account.json" with { type: "json" };
import addresses from "../../messages/bn/addresses.json" with { type: "json" };
import auth from "../../messages/bn/auth.json" with { type: "json" };
import cart from "../../messages/bn/cart.json" with { type: "json" };
import catalog from "../../messages/bn/catalog.json" with { type: "json" };
import checkout from "../../messages/bn/checkout.json" with { type: "json" };
import common from "../../messages/bn/common.json" with { type: "json" };
import credit from "../../messages/bn/credit.json" with { type: "json" };
import email from "../../messages/bn/email.json" with { type: "json" };
import emailAction from "../../messages/bn/emailAction.json" with { type: "json" };
import forms from "../../messages/bn/forms.json" with { type: "json" };
import language from "../../messages/bn/language.json" with { type: "json" };
import layout from "../../messages/bn/layout.json" with { type: "json" };
import orders from "../../messages/bn/orders.json" with { type: "json" };
import payment from "../../messages/bn/payment.json" with { type: "json" };
import reviews from "../../messages/bn/reviews.json" with { type: "json" };
import search from "../../messages/bn/search.json" with { type: "json" };
import ui from "../../messages/bn/ui.json" with { type: "json" };
import wishlist from "../../messages/bn/wishlist.json" with { type: "json" };
import { PASSWORD } from "./customer";
import { hydrated } from "./locators";

export const bn = {
  account,
  addresses,
  auth,
  cart,
  catalog,
  checkout,
  common,
  credit,
  email,
  emailAction,
  forms,
  language,
  layout,
  orders,
  payment,
  reviews,
  search,
  ui,
  wishlist,
};

// A message without its tags and with its arguments: {name}, or {count, number} in Bangla digits.
export function say(message: string, args: Record<string, string | number> = {}): string {
  return message
    .replace(/<\/?\w+>/g, "")
    .replace(/\{(\w+)(?:, number)?\}/g, (_, name: string) => banglaDigits(String(args[name])));
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
  // Not the footer's, whose label begins with the same word.
  await page.getByLabel(auth.email, { exact: true }).fill(email);
  await page.getByLabel(auth.password, { exact: true }).fill(password);
  await page.getByRole("button", { name: auth.continue }).click();
}

// Opens a page of the account as a guest, who signs in first.
export async function signInAt(page: Page, address: string, email: string): Promise<void> {
  await page.goto(address);
  await page.waitForURL(/\/bn\/login\?from=/);
  await hydrated(page);
  await signIn(page, email);
  await page.waitForURL(`**${address}`);
}
