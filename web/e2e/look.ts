// How a page looks, as far as a program can tell.
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect } from "./shop";

// How far it reaches out of its window.
export function over(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
}

export async function faults(page: Page, rules?: string[]): Promise<string[]> {
  // Without frames from elsewhere the plain way does, and takes half the time.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (rules === undefined ? axe : axe.withRules(rules)).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html)}`);
}

export async function expectFit(page: Page, what: string): Promise<void> {
  expect(await over(page), `${what} is wider than its window`).toBeLessThanOrEqual(0);
}

export async function expectClean(page: Page, what: string): Promise<void> {
  expect(await faults(page), what).toEqual([]);
}
