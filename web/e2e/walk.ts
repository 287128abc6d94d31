// Through a page with the Tab key alone. What is wrong on the way comes back in words.
import type { Page } from "@playwright/test";

// There may be a few stops beside those that we know of: a browser also halts at what scrolls.
const SPARE = 5;

export async function walk(page: Page): Promise<string[]> {
  const stops = await page.evaluate(begin);
  for (let step = 0; step < stops + SPARE; step++) await page.keyboard.press("Tab");
  return await page.evaluate(() => (window as unknown as { endWalk: () => string[] }).endWalk());
}

function begin(): number {
  const KINDS = "a[href], button, input, select, textarea, summary, [tabindex]";
  const name = (element: Element) => element.outerHTML.slice(0, 120);
  const wanted = new Set(
    [...document.querySelectorAll<HTMLElement>(KINDS)].filter(
      (element) =>
        element.tabIndex >= 0 &&
        // Of radio buttons that belong together Tab halts at one.
        !element.matches(":disabled, [type=radio]:not(:checked)") &&
        element.closest("[inert]") === null &&
        element.checkVisibility({ visibilityProperty: true }),
    ),
  );
  const count = wanted.size;
  // Some go while one walks, like the button that a phone shows while the other one is out of sight.
  const missed = () => [...wanted].filter((element) => element.isConnected);
  const trouble = new Set<string>();

  // The ring may be worn by a frame around a field, or by what a link spreads over its card.
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
  // At the next key whatever the focus has set in motion is over.
  const onKey = () => {
    const at = document.activeElement;
    if (!(at instanceof HTMLElement) || at === document.body) {
      if (wanted.size < count && missed().length > 0) trouble.add("the focus is lost on the way");
      return;
    }
    // What only passes the focus on to something inside, like a row of tabs, counts as well.
    for (const element of wanted) if (element.contains(at)) wanted.delete(element);
    if (!ringed(at)) trouble.add(`no ring: ${name(at)}`);
    if (!onTop(at)) trouble.add(`under something else: ${name(at)}`);
  };
  addEventListener("keydown", onKey, { capture: true });
  const endWalk = () => {
    onKey();
    removeEventListener("keydown", onKey, { capture: true });
    for (const element of missed()) trouble.add(`not reached: ${name(element)}`);
    return [...trouble];
  };
  Object.assign(window, { endWalk });
  return count;
}
