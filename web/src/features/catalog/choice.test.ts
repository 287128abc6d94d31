import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pages } from "../../../test/fixtures";
import type { Picture, ProductOption, Variant } from "../../lib/api.gen";
import {
  type Choice,
  choiceParams,
  choiceState,
  findVariant,
  firstChoice,
  itemOf,
  type Known,
  knownOf,
  pageOfChoice,
  paramsOfChoice,
  pictureOfChoice,
  pictureOfValue,
  swatchOf,
  withValue,
} from "./choice";

const COLOUR: ProductOption = {
  name: "রং",
  param: "colour",
  values: ["বালু", "কালি নীল"],
  originals: ["Sand", "Bottle Green"],
};
const SIZE: ProductOption = { name: "মাপ", param: "size", values: ["S", "M", "L"] };

const [base] = pages.product.props.variants as [Variant];

function variant(options: ProductOption[], choice: Choice, rest: Partial<Variant> = {}): Variant {
  const named = options.map(({ name }, place) => [name, choice[place] ?? ""]);
  return { ...base, _id: choice.join("-"), options: Object.fromEntries(named), ...rest };
}

describe("the state of a value beside the others", () => {
  const options = [COLOUR, SIZE];
  const variants = [
    variant(options, ["বালু", "S"]),
    variant(options, ["বালু", "M"], { qtn: 0 }),
    variant(options, ["কালি নীল", "M"], { qtn: 0, backOrder: "2026-12-24T00:00:00Z" }),
  ];
  const known: Known = { options, variants, allVariants: true, around: ["বালু", "S"] };

  test("is whether the variant exists and can be bought", () => {
    expect(choiceState(known, ["বালু", "S"])).toBe("available");
    expect(choiceState(known, ["বালু", "M"])).toBe("soldOut");
    expect(choiceState(known, ["কালি নীল", "M"])).toBe("available");
    expect(choiceState(known, ["কালি নীল", "S"])).toBe("missing");
  });

  test("is unknown where its variants have not been loaded", () => {
    const partial = { ...known, allVariants: false };
    expect(choiceState(partial, ["কালি নীল", "S"])).toBe("missing");
    expect(choiceState(partial, ["কালি নীল", "L"])).toBe("unknown");
  });

  test("the first choice is the first that can be bought, or the first", () => {
    expect(firstChoice(options, variants)).toEqual(["বালু", "S"]);
    expect(firstChoice(options, variants.slice(1))).toEqual(["কালি নীল", "M"]);
    expect(firstChoice(options, variants.slice(1, 2))).toEqual(["বালু", "M"]);
    expect(firstChoice(options, [])).toEqual(["বালু", "S"]);
    expect(firstChoice([], [])).toEqual([]);
  });
});

const word = fc.string({ minLength: 1, maxLength: 6, unit: "grapheme" });
const words = (most: number) => fc.uniqueArray(word, { minLength: 1, maxLength: most });
const anyOptions = fc
  .uniqueArray(
    fc.record({ name: word, param: word, values: words(4) }),
    // An option's name and its parameter are its own.
    { minLength: 1, maxLength: 3, selector: ({ name }) => name },
  )
  .map((all) => all.map((option, place): ProductOption => ({ ...option, param: `p${place}` })));

const anyProduct = anyOptions.chain((options) => {
  const choice = fc.tuple(...options.map(({ values }) => fc.constantFrom(...values)));
  const variants = fc
    .uniqueArray(choice, { selector: (one) => JSON.stringify(one), maxLength: 12 })
    .map((all) => all.map((one) => variant(options, one)));
  return fc.record({ options: fc.constant(options), variants, choice });
});

test("every variant is found by its values, and nothing else is", () => {
  fc.assert(
    fc.property(anyProduct, ({ options, variants, choice }) => {
      for (const one of variants) {
        const own = options.map(({ name }) => one.options[name] ?? "");
        expect(findVariant(options, variants, own)).toBe(one);
      }
      const found = findVariant(options, variants, choice);
      const known = { options, variants, allVariants: true, around: choice };
      expect(choiceState(known, choice)).toBe(found === null ? "missing" : "available");
    }),
  );
});

test("choosing a value changes that option alone", () => {
  fc.assert(
    fc.property(anyProduct, fc.nat(), fc.nat(), ({ options, choice }, one, other) => {
      const place = one % options.length;
      const values = options[place]?.values ?? [];
      const value = values[other % values.length] ?? "";
      const next = withValue(choice, place, value);
      expect(next[place]).toBe(value);
      expect(next.toSpliced(place, 1)).toEqual(choice.toSpliced(place, 1));
    }),
  );
});

test("an address has each option once, in order, and is read back", () => {
  fc.assert(
    fc.property(anyProduct, ({ options, choice }) => {
      const params = choiceParams(options, choice);
      const read = new URLSearchParams(params.join("&"));
      expect([...read]).toEqual(options.map(({ param }, place) => [param, choice[place]]));
      const url = `/product/x?${["sort=lowest", ...params].join("&")}`;
      expect(paramsOfChoice(url, options)).toEqual(params);
    }),
  );
});

test("an address has the values in the shop's default language", () => {
  expect(choiceParams([COLOUR, SIZE], ["কালি নীল", "M"])).toEqual([
    "colour=Bottle%20Green",
    "size=M",
  ]);
  expect(paramsOfChoice("/product/lamp", [COLOUR])).toEqual([]);
  expect(paramsOfChoice("/product/lamp?variant=lamp&reviews=2", [COLOUR])).toEqual([]);
});

test("the page of another choice keeps the other parameters, and what its variants are around", () => {
  const page = { ...pages.product, url: "/product/headphones?colour=Ivory&reviews=2" };
  const graphite = pageOfChoice(page, ["Graphite"]);
  expect(graphite.url).toBe("/product/headphones?colour=Graphite&reviews=2");
  expect(graphite.props.variant?._id).toBe("01jcq5");
  expect(graphite.props.reviews).toBe(page.props.reviews);
  const back = pageOfChoice(graphite, ["Ivory"]);
  expect(back.url).toBe(page.url);
  expect(knownOf(pageOfChoice(graphite, ["Octarine"]).props).around).toEqual(["Ivory"]);
});

test("what is bought is the variant; without options, the product", () => {
  const { product, variant } = pages.product.props;
  expect(itemOf(product, variant)).toMatchObject({
    _id: "headphones",
    product: "headphones",
    options: { Colour: "Ivory" },
    qtn: 3,
  });
  expect(itemOf(product, null)).toBeNull();
  const plain = itemOf({ ...product, options: [] }, null);
  expect(plain).toMatchObject({ _id: "headphones", buyPrice: 199, qtn: 3 });
  expect(plain?.options).toBeUndefined();
});

describe("pictures and swatches", () => {
  const picture = (src: string, inColour: string | null): Picture => ({
    src,
    width: null,
    height: null,
    colour: null,
    placeholder: null,
    alt: "",
    inColour,
  });
  const pictures = [picture("a", null), picture("b", null), picture("c", "কালি নীল")];

  test("a value has the picture that shows it, where pictures differ by its option", () => {
    expect(pictureOfValue(pictures, COLOUR, "কালি নীল")).toBe(2);
    expect(pictureOfValue(pictures, COLOUR, "বালু")).toBe(0);
    expect(pictureOfValue(pictures, SIZE, "S")).toBe(-1);
    expect(pictureOfValue(pictures.slice(0, 2), COLOUR, "বালু")).toBe(-1);
  });

  test("a choice has its variant's picture, or that of one of its values", () => {
    const { product } = pages.product.props;
    const painted = { ...product, options: [SIZE, COLOUR], pictures, img: ["a", "b", "c"] };
    const chosen = variant([SIZE, COLOUR], ["S", "বালু"], { img: "b" });
    expect(pictureOfChoice(painted, chosen, ["S", "বালু"])).toBe(1);
    expect(pictureOfChoice(painted, null, ["S", "কালি নীল"])).toBe(2);
    expect(pictureOfChoice({ ...painted, options: [] }, null, [])).toBe(-1);
  });

  test("a swatch is the shop's own, or of a colour's name in the default language", () => {
    expect(swatchOf({ ...COLOUR, swatches: ["#123456", null] }, "বালু")).toBe("#123456");
    expect(swatchOf({ ...COLOUR, swatches: ["#123456", null] }, "কালি নীল")).toBe("#0b5d46");
    expect(swatchOf(COLOUR, "বালু")).toBe("#d8c4a2");
    expect(swatchOf({ ...SIZE, values: ["Sand"] }, "Sand")).toBeNull();
  });
});
