// Prefetch: loads what is likely to be opened next before the click. Code for links in view,
// because there are few kinds of pages; data only for the link under the pointer, finger or focus.
import { yieldToMain } from "./yield-to-main";

type Hooks = {
  // The URL of our page that an element links to.
  linkTo: (target: EventTarget | null) => URL | null;
  code: (path: string) => void;
  data: (address: string) => void;
};

// A pointer or focus that only passes over a link prefetches nothing.
const HOVER_DELAY = 60;

let hooks: Hooks;
// One timer each: a focus that scrolls the page moves another element under a resting pointer.
const pointer = delayedPrefetch();
const focus = delayedPrefetch();
let inView: IntersectionObserver | null = null;

export function startPrefetch(given: Hooks): void {
  hooks = given;
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "mouse") pointer.schedule(event.target);
  });
  document.addEventListener("focusin", (event) => focus.schedule(event.target));
  document.addEventListener("touchstart", (event) => prefetchTarget(event.target), {
    passive: true,
  });
  if (!isSaveData()) inView = new IntersectionObserver(onView);
  if (document.readyState === "complete") observeLinks();
  else addEventListener("load", observeLinks, { once: true });
}

// After a click, or when the page has changed.
export function cancelPrefetch(): void {
  pointer.cancel();
  focus.cancel();
}

// Links of the current page. Header and footer are left out: they are on every page and rarely
// used.
export function observeLinks(): void {
  inView?.disconnect();
  for (const link of document.querySelectorAll("main a[href]")) inView?.observe(link);
}

function delayedPrefetch() {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => clearTimeout(timer);
  return {
    cancel,
    schedule(target: EventTarget | null): void {
      cancel();
      timer = setTimeout(() => prefetchTarget(target), HOVER_DELAY);
    },
  };
}

function prefetchTarget(target: EventTarget | null): void {
  // A link that opens an overlay or changes the page in place, and navigates only without JavaScript.
  if (target instanceof Element && target.closest("[data-opens], [data-in-place]")) return;
  const url = hooks.linkTo(target);
  if (url === null || url.pathname + url.search === location.pathname + location.search) return;
  hooks.code(url.pathname);
  hooks.data(url.pathname + url.search);
}

async function onView(entries: IntersectionObserverEntry[]): Promise<void> {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    inView?.unobserve(target);
    const url = hooks.linkTo(target);
    if (url === null) continue;
    await yieldToMain();
    hooks.code(url.pathname);
  }
}

function isSaveData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
