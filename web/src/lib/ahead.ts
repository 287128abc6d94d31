// Looking ahead: what is likely to be opened next is fetched before the click. Code for whatever is in
// view, because there are few kinds of pages; data only where the pointer, the finger or the focus is.
import { pause } from "./pause";

type Ways = {
  // The page of ours behind what was pointed at.
  linkTo: (target: EventTarget | null) => URL | null;
  code: (path: string) => void;
  data: (address: string) => void;
};

// A pointer or a focus that only passes on its way asks for nothing.
const MEANT = 60;

let ways: Ways;
// One each: a focus that scrolls the page moves something else under a pointer at rest.
const pointer = delayed();
const focus = delayed();
let inView: IntersectionObserver | null = null;

export function startLookingAhead(by: Ways): void {
  ways = by;
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "mouse") pointer.look(event.target);
  });
  document.addEventListener("focusin", (event) => focus.look(event.target));
  document.addEventListener("touchstart", (event) => look(event.target), { passive: true });
  if (!savesData()) inView = new IntersectionObserver(onView);
  if (document.readyState === "complete") watchLinks();
  else addEventListener("load", watchLinks, { once: true });
}

// The click has come, or the page has changed.
export function stopLooking(): void {
  pointer.stop();
  focus.stop();
}

// Of the page that is shown now. What stands around every page is left out: a visitor passes it on
// every page and opens it on few.
export function watchLinks(): void {
  inView?.disconnect();
  for (const link of document.querySelectorAll("main a[href]")) inView?.observe(link);
}

function delayed() {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => clearTimeout(timer);
  return {
    stop,
    look(target: EventTarget | null): void {
      stop();
      timer = setTimeout(() => look(target), MEANT);
    },
  };
}

function look(target: EventTarget | null): void {
  // A link that opens something here, and leads elsewhere only without JavaScript.
  if (target instanceof Element && target.closest("[data-opens]")) return;
  const url = ways.linkTo(target);
  if (url === null || url.pathname + url.search === location.pathname + location.search) return;
  ways.code(url.pathname);
  ways.data(url.pathname + url.search);
}

async function onView(entries: IntersectionObserverEntry[]): Promise<void> {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    inView?.unobserve(target);
    const url = ways.linkTo(target);
    if (url === null) continue;
    await pause();
    ways.code(url.pathname);
  }
}

function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
