// Latin words that are left on a page in Bangla.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { latinWords } from "../test/latin-words";
import { expect } from "./shop";

// Brands have no translation.
const CATALOG = resolve(import.meta.dirname, "../../demo/catalog.json");
const { products } = JSON.parse(readFileSync(CATALOG, "utf8")) as {
  products: { brand?: string }[];
};
const BRANDS = products.flatMap(({ brand }) => brand?.split(" ") ?? []);

// `names`: words that a visitor has typed.
export async function expectBangla(page: Page, what: string, names: string[] = []): Promise<void> {
  expect.soft(await leftLatin(page, names), `Latin words on ${what}`).toEqual([]);
}

async function leftLatin(page: Page, names: string[]): Promise<string[]> {
  const texts = [...(await headTexts(page)), ...(await bodyTexts(page.locator("body")))];
  return latinIn(texts, names);
}

export async function latinWordsIn(part: Locator, names: string[] = []): Promise<string[]> {
  return latinIn(await bodyTexts(part), names);
}

// Each word with the text that it stands in.
function latinIn(texts: string[], names: string[]): string[] {
  const found = texts.flatMap((text) =>
    latinWords(text, [...BRANDS, ...names]).map((word) => `${word} in “${text.slice(0, 80)}”`),
  );
  return [...new Set(found)];
}

function headTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const shown =
      'meta[name="description"], meta[property="og:title"], meta[property="og:description"], meta[property="og:site_name"]';
    const metas = document.head.querySelectorAll<HTMLMetaElement>(shown);
    return [document.title, ...[...metas].map(({ content }) => content)];
  });
}

// All texts, also those that are hidden now, and the attributes that are shown or read out. Not what
// is marked as another language, also where an attribute quotes it, and not code.
function bodyTexts(part: Locator): Promise<string[]> {
  return part.evaluate((root) => {
    const skipped =
      '[lang]:not([lang|="bn"]), [translate="no"], code, kbd, script, style, noscript, template';
    const attributes = [
      "aria-label",
      "aria-description",
      "aria-roledescription",
      "aria-valuetext",
      "title",
      "alt",
      "placeholder",
    ];
    const texts: string[] = [];
    const foreign = [...root.querySelectorAll('[lang]:not([lang|="bn"])')]
      .map(({ textContent }) => textContent.trim())
      .filter((text) => text !== "");
    const unquoted = (text: string) =>
      foreign.reduce((left, one) => left.replaceAll(one, ""), text);
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
      if (!node.parentElement?.closest(skipped)) texts.push(node.textContent ?? "");
    for (const element of root.querySelectorAll(attributes.map((name) => `[${name}]`).join()))
      if (!element.closest(skipped))
        for (const name of attributes) texts.push(unquoted(element.getAttribute(name) ?? ""));
    return texts.map((text) => text.trim()).filter((text) => text !== "");
  });
}
