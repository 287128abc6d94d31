// Between a list and a product the picture that both show moves from one place to the other. The
// places are marked with the product's address; their first element is the picture.
import type { Page } from "./api.gen";

const NAME = "picture";

// Changes the page in a view transition. Nobody who wants less motion comes here.
export function changeMoving(from: Page, to: Page, change: () => void): void {
  const product = [to, from].find(({ page }) => page === "product")?.url;
  let moving = name(pictureOf(product), NAME);
  const transition = document.startViewTransition(() => {
    name(moving, "");
    change();
    moving = name(pictureOf(product), NAME);
  });
  // Rejects when a newer visit cuts the animation short, which is no error.
  transition.ready.catch(() => {});
  void transition.finished.finally(() => name(moving, ""));
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

function name(picture: HTMLElement | undefined, as: string): HTMLElement | undefined {
  picture?.style.setProperty("view-transition-name", as);
  return picture;
}
