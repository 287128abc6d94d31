import type { Picture } from "./api.gen";

// The widths in which the shop serves its own pictures.
const WIDTHS = [160, 320, 480, 640, 800, 1200, 1600];

export type Kind = "avif" | "webp";

// Whether the shop keeps it itself, and so has it in every width and kind.
export function isOurs(picture: Picture): picture is Picture & { width: number; height: number } {
  return picture.src.startsWith("/media/") && picture.width !== null && picture.height !== null;
}

// The widths up to the picture's own and to `widest`; the first that is above its own is answered in
// its own.
export function widthsOf(own: number, widest: number): number[] {
  return WIDTHS.filter((width, at) => width <= widest && (WIDTHS[at - 1] ?? 0) < own);
}

export function srcSet(src: string, own: number, widths: number[], kind: Kind): string {
  const stem = src.slice(0, src.lastIndexOf("/") + 1);
  return widths.map((width) => `${stem}${width}.${kind} ${Math.min(width, own)}w`).join(", ");
}

// One for browsers that know neither kind, and so are too old to choose between widths.
export function oneOf(src: string, widths: number[]): string {
  const width = widths.findLast((width) => width <= 800) ?? 160;
  return src.replace(/\d+\.jpg$/, `${width}.jpg`);
}

// A picture of which only the address is known, small: as the cart remembers it.
export function small(address: string | undefined): Picture | undefined {
  if (address === undefined) return undefined;
  const src = address.replace(/^(\/media\/.*\/)\d+\.jpg$/, "$1320.jpg");
  const unknown = { width: null, height: null, colour: null, placeholder: null, inColour: null };
  return { src, alt: "", ...unknown };
}

// Where a product is shown in a colour: the place among its pictures, or -1.
export function placeOfColour(pictures: Picture[], colours: string[], colour: string): number {
  const first = colour === colours[0];
  return pictures.findIndex(({ inColour }) => inColour === colour || (first && inColour === null));
}
