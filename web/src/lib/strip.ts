// A strip of pictures that scrolls sideways, one picture wide. Where the text runs from right to
// left, browsers count its scroll position from the right, in negative numbers.

export function scrollToPlace(strip: HTMLElement, place: number, behavior?: ScrollBehavior): void {
  const forward = getComputedStyle(strip).direction === "rtl" ? -1 : 1;
  strip.scrollTo({ left: forward * place * strip.clientWidth, ...(behavior && { behavior }) });
}

export function placeInView(strip: HTMLElement): number {
  return Math.round(Math.abs(strip.scrollLeft) / Math.max(strip.clientWidth, 1));
}
