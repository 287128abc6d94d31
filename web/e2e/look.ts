// How a page looks, as far as a program can tell.
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect } from "./shop";

export async function expectFit(page: Page, what: string): Promise<void> {
  const over = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  expect(over, `${what} is wider than its window`).toBeLessThanOrEqual(0);
}

export async function expectClean(page: Page, what: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html)}`);
  expect(found, what).toEqual([]);
}
