import type { Picture } from "../lib/api.gen";

// Picture URLs for srcset: the widths in which the shop serves its own pictures.
const WIDTHS = [160, 320, 480, 640, 800, 1200, 1600];

export type Kind = "avif" | "webp";

// Whether the shop stores it, and so serves it in every width and format.
export function isOurs(picture: Picture): picture is Picture & { width: number; height: number } {
  return picture.src.startsWith("/media/") && picture.width !== null && picture.height !== null;
}

// The widths up to the picture's own and to `widest`. The first above its own is served in its own
// width.
export function widthsOf(own: number, widest: number): number[] {
  return WIDTHS.filter((width, at) => width <= widest && (WIDTHS[at - 1] ?? 0) < own);
}

export function srcSet(src: string, own: number, widths: number[], kind: Kind): string {
  const stem = src.slice(0, src.lastIndexOf("/") + 1);
  return widths.map((width) => `${stem}${width}.${kind} ${Math.min(width, own)}w`).join(", ");
}

// The fallback for browsers that support neither format, and so are too old for srcset.
export function fallbackSrc(src: string, widths: number[]): string {
  const width = widths.findLast((width) => width <= 800) ?? 160;
  return src.replace(/\d+\.jpg$/, `${width}.jpg`);
}

// A small picture of which only the URL is known, as in the cart.
export function smallPicture(address: string | undefined): Picture | undefined {
  if (address === undefined) return undefined;
  const src = address.replace(/^(\/media\/.*\/)\d+\.jpg$/, "$1320.jpg");
  const unknown = { width: null, height: null, colour: null, placeholder: null, inColour: null };
  return { src, alt: "", ...unknown };
}

// The index of the picture that shows a product in a colour, or -1.
export function indexOfColour(pictures: Picture[], colours: string[], colour: string): number {
  const first = colour === colours[0];
  return pictures.findIndex(({ inColour }) => inColour === colour || (first && inColour === null));
}
