// Tabs through a page and returns what is wrong with the focus order.
import type { Page } from "@playwright/test";

// Browsers also stop at scroll containers that we do not know of.
const SPARE = 5;

type Tabbing = { checkFocus: () => Promise<void>; endTabbing: () => string[] };

export async function tabThrough(page: Page): Promise<string[]> {
  const count = await page.evaluate(begin);
  for (let step = 0; step < count + SPARE; step++) {
    await page.keyboard.press("Tab");
    await page.evaluate(() => (window as unknown as Tabbing).checkFocus());
  }
  return await page.evaluate(() => (window as unknown as Tabbing).endTabbing());
}

function begin(): number {
  const KINDS = "a[href], button, input, select, textarea, summary, [tabindex]";
  const name = (element: Element) => element.outerHTML.slice(0, 120);
  const wanted = new Set(
    [...document.querySelectorAll<HTMLElement>(KINDS)].filter(
      (element) =>
        element.tabIndex >= 0 &&
        // Tab count at one radio button of a group.
        !element.matches(":disabled, [type=radio]:not(:checked)") &&
        element.closest("[inert]") === null &&
        element.checkVisibility({ visibilityProperty: true }),
    ),
  );
  const count = wanted.size;
  // Some disappear meanwhile, like the bar that a phone shows while the button is out of view.
  const missed = () => [...wanted].filter((element) => element.isConnected);
  const problems = new Set<string>();

  // The focus ring may be on the frame around a field, or on a link's pseudo-element over its card.
  const ringed = (element: Element) => {
    const frame = element.parentElement ?? element;
    const looks = [
      getComputedStyle(element),
      getComputedStyle(element, "::after"),
      getComputedStyle(frame),
    ];
    return looks.some((look) => look.outlineStyle !== "none" && look.outlineWidth !== "0px");
  };
  const onTop = (element: Element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const across = [left + 3, (left + right) / 2, right - 3];
    const down = [top + 3, (top + bottom) / 2, bottom - 3];
    return across.some((x) =>
      down.some((y) => {
        const hit = document.elementFromPoint(x, y);
        return hit !== null && element.contains(hit);
      }),
    );
  };
  const look = (): string[] => {
    const at = document.activeElement;
    if (!(at instanceof HTMLElement) || at === document.body) {
      const lost = wanted.size < count && missed().length > 0;
      return lost ? ["the focus is lost on the way"] : [];
    }
    // Elements that pass the focus to something inside, like a tab list, count as well.
    for (const element of wanted) if (element.contains(at)) wanted.delete(element);
    return [
      ...(ringed(at) ? [] : [`no ring: ${name(at)}`]),
      ...(onTop(at) ? [] : [`under something else: ${name(at)}`]),
    ];
  };
  const frame = () => new Promise(requestAnimationFrame);
  // Scrolling, and what reacts to it like the phone's bar, takes until the next frame, which a busy
  // machine draws late.
  const checkFocus = async () => {
    if (look().length === 0) return;
    await frame();
    await frame();
    for (const problem of look()) problems.add(problem);
  };
  const endTabbing = () => {
    for (const element of missed()) problems.add(`not reached: ${name(element)}`);
    return [...problems];
  };
  Object.assign(window, { checkFocus, endTabbing });
  return count;
}
