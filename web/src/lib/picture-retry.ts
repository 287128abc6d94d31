// Requests the shop's pictures again that could not be loaded: a size is encoded when it is requested
// first, and a busy server answers 503.
const DELAY = 3000;
const MAX_TRIES = 3;

const tries = new WeakMap<HTMLImageElement, number>();

export function retryPictures(): void {
  const onError = ({ target }: Event) => {
    if (target instanceof HTMLImageElement) retryLater(target);
  };
  // Errors of pictures do not bubble.
  addEventListener("error", onError, { capture: true });
  // Those that failed before.
  for (const img of document.images) {
    if (img.complete && img.currentSrc !== "" && img.naturalWidth === 0) retryLater(img);
  }
}

function retryLater(img: HTMLImageElement): void {
  const tried = tries.get(img) ?? 0;
  const { pathname } = new URL(img.currentSrc || img.src, location.href);
  if (tried === MAX_TRIES || !pathname.startsWith("/media/")) return;
  tries.set(img, tried + 1);
  // Setting the address loads the picture again, also from the sources beside it.
  setTimeout(() => img.setAttribute("src", img.src), DELAY * 2 ** tried);
}
