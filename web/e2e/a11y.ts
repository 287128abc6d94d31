// Accessibility and layout checks: axe, touch targets, overflow, layout shifts.
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect } from "./shop";

// How far the page is wider than its window.
export function horizontalOverflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
}

export async function a11yViolations(page: Page, rules?: string[]): Promise<string[]> {
  // Legacy mode is enough without frames of other origins, and takes half the time.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  // Not among the default rules: visible text is part of the accessible name, for voice control.
  const all = { rules: { "label-content-name-mismatch": { enabled: true } } };
  const { violations } = await (rules === undefined
    ? axe.options(all)
    : axe.withRules(rules)
  ).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html)}`);
}

// Touch targets smaller than this. Inline links in text are exempt.
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
      // A label around it counts as well.
      const label = element.closest("label")?.getBoundingClientRect();
      const size = [Math.max(width, label?.width ?? 0), Math.max(height, label?.height ?? 0)];
      if (Math.min(...size) >= least - 0.5) return [];
      const name = element.ariaLabel ?? element.textContent?.trim() ?? "";
      return `${element.tagName.toLowerCase()} "${name.slice(0, 40)}": ${size.map(Math.round).join(" × ")}`;
    });
  }, least);
}

// From the next page on, sums up layout shifts without recent input.
export async function recordLayoutShifts(page: Page): Promise<void> {
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

export function layoutShift(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as { shifts: { total: number } }).shifts.total);
}

export async function expectNoOverflow(page: Page, what: string): Promise<void> {
  expect(await horizontalOverflow(page), `${what} is wider than its window`).toBeLessThanOrEqual(0);
}

export async function expectAccessible(page: Page, what: string): Promise<void> {
  expect(await a11yViolations(page), what).toEqual([]);
}
