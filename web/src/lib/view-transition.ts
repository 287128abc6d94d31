// View transition: the product picture that a list and a product page share moves from one to the
// other. Elements with `data-product` hold the product's URL, without a choice of its options; their
// first child is the picture.
import type { Page } from "./api.gen";
import { pageUrl } from "./urls";

const NAME = "picture";

// The picture that has the transition name now, and the transition that set it.
let named: HTMLElement | undefined;
let running: ViewTransition | undefined;

// Changes the page in a view transition. Not called where reduced motion is preferred.
export function changeWithTransition(from: Page, to: Page, change: () => void): void {
  const shown = [to, from].find(({ page }) => page === "product");
  const product = shown && pageUrl(shown).replace(/\?.*$/, "");
  setTransitionName(visiblePicture(product));
  const transition = document.startViewTransition(() => {
    setTransitionName(undefined);
    change();
    setTransitionName(visiblePicture(product));
  });
  running = transition;
  // Rejects when a newer navigation skips the animation, which is no error. The name then belongs
  // to the newer one.
  transition.ready.catch(() => {});
  void transition.finished.finally(() => {
    if (running === transition) setTransitionName(undefined);
  });
}

function setTransitionName(picture: HTMLElement | undefined): void {
  named?.style.removeProperty("view-transition-name");
  picture?.style.setProperty("view-transition-name", NAME);
  named = picture;
}

// The first one in view: a list may show a product twice.
function visiblePicture(product: string | undefined): HTMLElement | undefined {
  const places = [...document.querySelectorAll<HTMLElement>("[data-product]")];
  const shown = places.filter(({ dataset }) => dataset.product === product);
  return shown.map((place) => place.firstElementChild as HTMLElement).find(inView);
}

function inView(picture: HTMLElement): boolean {
  const { top, bottom, left, right } = picture.getBoundingClientRect();
  return bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
}
