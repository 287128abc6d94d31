// Between a list and a product the picture that both show moves from one place to the other. The
// places are marked with the product's address; their first element is the picture.
import type { Page } from "./api.gen";

const NAME = "picture";

// The picture that has the name now, and the transition that gave it.
let moving: HTMLElement | undefined;
let running: ViewTransition | undefined;

// Changes the page in a view transition. Nobody who wants less motion comes here.
export function changeMoving(from: Page, to: Page, change: () => void): void {
  const product = [to, from].find(({ page }) => page === "product")?.url;
  move(pictureOf(product));
  const transition = document.startViewTransition(() => {
    move(undefined);
    change();
    move(pictureOf(product));
  });
  running = transition;
  // Rejects when a newer visit cuts the animation short, which is no error. The name is the newer's
  // then.
  transition.ready.catch(() => {});
  void transition.finished.finally(() => {
    if (running === transition) move(undefined);
  });
}

function move(picture: HTMLElement | undefined): void {
  moving?.style.removeProperty("view-transition-name");
  picture?.style.setProperty("view-transition-name", NAME);
  moving = picture;
}

// The first that can be seen: a list may show a product twice.
function pictureOf(product: string | undefined): HTMLElement | undefined {
  const places = [...document.querySelectorAll<HTMLElement>("[data-product]")];
  const shown = places.filter(({ dataset }) => dataset.product === product);
  return shown.map((place) => place.firstElementChild as HTMLElement).find(inView);
}

function inView(picture: HTMLElement): boolean {
  const { top, bottom, left, right } = picture.getBoundingClientRect();
  return bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
}
