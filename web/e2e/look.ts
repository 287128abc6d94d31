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
  // Not among the usual rules yet: whoever speaks to the page says the words that are seen.
  const all = { rules: { "label-content-name-mismatch": { enabled: true } } };
  const { violations } = await (rules === undefined
    ? axe.options(all)
    : axe.withRules(rules)
  ).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html)}`);
}

// What is pressed by a finger and smaller than this in some direction. Links within a line of text are
// not: their lines would be apart.
export function smallTargets(page: Page, least = 44): Promise<string[]> {
  return page.evaluate((least) => {
    const pressed = document.querySelectorAll<HTMLElement>(
      "a[href], button, input, select, textarea, summary, [role=button], [role=tab]",
    );
    return [...pressed].flatMap((element) => {
      const { width, height } = element.getBoundingClientRect();
      if (!element.checkVisibility({ visibilityProperty: true }) || width <= 1) return [];
      if (element.closest(".visually-hidden, .skip-link, [aria-hidden=true]")) return [];
      if (getComputedStyle(element).display === "inline" && element.closest("p, li, dd, td"))
        return [];
      // A label around it is pressed as well.
      const label = element.closest("label")?.getBoundingClientRect();
      const size = [Math.max(width, label?.width ?? 0), Math.max(height, label?.height ?? 0)];
      if (Math.min(...size) >= least - 0.5) return [];
      const name = element.ariaLabel ?? element.textContent?.trim() ?? "";
      return `${element.tagName.toLowerCase()} "${name.slice(0, 40)}": ${size.map(Math.round).join(" × ")}`;
    });
  }, least);
}

// From the next page on, adds up by how much things move that nobody has touched.
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts = { total: 0 };
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const shift = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
        if (!shift.hadRecentInput) shifts.total += shift.value;
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

export function shifts(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as { shifts: { total: number } }).shifts.total);
}

export async function expectFit(page: Page, what: string): Promise<void> {
  expect(await over(page), `${what} is wider than its window`).toBeLessThanOrEqual(0);
}

export async function expectClean(page: Page, what: string): Promise<void> {
  expect(await faults(page), what).toEqual([]);
}
