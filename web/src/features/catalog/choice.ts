// Choosing a variant: which one has the chosen value of each option, which values can be chosen beside
// the others, and the address of a choice. Pure, for the server and the browser.
import type { Picture, Product, ProductOption, ProductProps, Variant } from "../../lib/api.gen";
import type { PageOf } from "../../lib/page";
import { productPath } from "../../lib/urls";
import { indexOfColour } from "../../ui/picture-sources";
import type { CartProduct } from "../cart/cart";
import { colourCode } from "../search/colours";

// The chosen value of each option, in the order of the options.
export type Choice = string[];

// A value beside the other chosen ones. `unknown`: not all variants have been loaded.
export type ValueState = "available" | "soldOut" | "missing" | "unknown";

export type Known = {
  options: ProductOption[];
  variants: Variant[];
  // Whether those are all. If not, they are those that differ from `around` in at most one option.
  allVariants: boolean;
  around: Choice;
};

// A page that the browser worked out for another choice keeps the one that its variants are around.
type ChosenProps = ProductProps & { around?: Choice };

export function knownOf(props: ProductProps): Known {
  const { product, variants, allVariants, choice, around = choice }: ChosenProps = props;
  return { options: product.options, variants, allVariants, around };
}

export function findVariant(
  options: ProductOption[],
  variants: Variant[],
  choice: Choice,
): Variant | null {
  const chosen = (variant: Variant) =>
    options.every(({ name }, place) => variant.options[name] === choice[place]);
  return variants.find(chosen) ?? null;
}

// The choice that a product is first shown in: the first variant that can be bought, else the first.
export function firstChoice(options: ProductOption[], variants: Variant[]): Choice {
  const first = variants.find(isForSale) ?? variants[0];
  return options.map(({ name, values }) => first?.options[name] ?? values[0] ?? "");
}

export function withValue(choice: Choice, place: number, value: string): Choice {
  return choice.with(place, value);
}

export function isForSale({ qtn, backOrder }: Pick<Variant, "qtn" | "backOrder">): boolean {
  return qtn > 0 || backOrder !== null;
}

// Of the variant with these values.
export function choiceState(known: Known, choice: Choice): ValueState {
  const variant = findVariant(known.options, known.variants, choice);
  if (variant !== null) return isForSale(variant) ? "available" : "soldOut";
  return known.allVariants || differences(known.around, choice) <= 1 ? "missing" : "unknown";
}

function differences(one: Choice, other: Choice): number {
  return one.filter((value, place) => value !== other[place]).length;
}

// What the cart takes of a product: the chosen variant. Null where there is none with the chosen values.
export function itemOf(product: Product, variant: Variant | null): CartProduct | null {
  const { _id: of, name, img } = product;
  if (variant !== null) {
    const { _id, img, options, buyPrice, qtn, backOrder } = variant;
    return { _id, product: of, name, img: [img], options, buyPrice, qtn, backOrder };
  }
  if (product.options.length > 0) return null;
  return { _id: of, name, img, buyPrice: product.buyPrice, qtn: product.qtn };
}

// The parameters of a choice in addresses, in the shop's default language: "colour=Bottle%20Green".
export function choiceParams(options: ProductOption[], choice: Choice): string[] {
  return options.map(({ param, values, originals = values }, place) => {
    const value = choice[place] ?? "";
    const original = originals[values.indexOf(value)] ?? value;
    return `${escaped(param)}=${escaped(original)}`;
  });
}

// The parameters of a product page's address that name its choice. None where the address is the
// product's own, and the first variant is shown.
export function paramsOfChoice(url: string, options: ProductOption[]): string[] {
  const names = new Set(options.map(({ param }) => escaped(param)));
  return paramsOf(url).filter((param) => names.has(nameOf(param)));
}

function otherParams(url: string, options: ProductOption[]): string[] {
  const names = new Set(["variant", ...options.map(({ param }) => escaped(param))]);
  return paramsOf(url).filter((param) => !names.has(nameOf(param)));
}

// As the server does: also what encodeURIComponent leaves.
function escaped(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  });
}

function paramsOf(url: string): string[] {
  return url.split("?")[1]?.split("&") ?? [];
}

function nameOf(param: string): string {
  return param.split("=")[0] ?? "";
}

// The product page for another choice, as far as the browser can work it out.
export function pageOfChoice(page: PageOf<"product">, choice: Choice): PageOf<"product"> {
  const { product, variants } = page.props;
  const { options } = product;
  const params = [...choiceParams(options, choice), ...otherParams(page.url, options)];
  const props: ChosenProps = {
    ...page.props,
    choice,
    variant: findVariant(options, variants, choice),
    around: knownOf(page.props).around,
  };
  return { ...page, url: productPath(product._id, params), props };
}

// A CSS colour for a value: the shop's own, or that of a well-known name.
export function swatchOf(option: ProductOption, value: string): string | null {
  const { param, values, originals = values, swatches = [] } = option;
  const place = values.indexOf(value);
  const named = /^colou?r$/.test(param) ? colourCode(originals[place] ?? value) : null;
  return swatches[place] ?? named;
}

// The index of the picture that shows a value, or -1. Only where pictures differ by this option.
export function pictureOfValue(pictures: Picture[], option: ProductOption, value: string): number {
  const { values } = option;
  const differ = pictures.some(({ inColour }) => inColour !== null && values.includes(inColour));
  return differ ? indexOfColour(pictures, values, value) : -1;
}

// The index of the picture to show for a choice, or -1.
export function pictureOfChoice(product: Product, variant: Variant | null, choice: Choice): number {
  if (variant !== null) return product.img.indexOf(variant.img);
  const shown = product.options.map((option, place) =>
    pictureOfValue(product.pictures, option, choice[place] ?? ""),
  );
  return shown.find((place) => place >= 0) ?? -1;
}
