import { expect, test } from "vitest";
import type { Picture } from "../lib/api.gen";
import { indexOfColour, isOurs, srcSet, widthsOf } from "./picture-sources";

const picture = (rest: Partial<Picture> = {}): Picture => ({
  src: "/media/ab/1200.jpg",
  width: 800,
  height: 600,
  colour: "#f4f2ee",
  placeholder: null,
  alt: "",
  inColour: null,
  ...rest,
});

test("offers every width up to the picture's own and to the widest shown", () => {
  expect(widthsOf(320, 1600)).toEqual([160, 320]);
  expect(widthsOf(500, 1600)).toEqual([160, 320, 480, 640]);
  expect(widthsOf(90, 1600)).toEqual([160]);
  expect(widthsOf(2400, 1600)).toEqual([160, 320, 480, 640, 800, 1200, 1600]);
  expect(widthsOf(2400, 640)).toEqual([160, 320, 480, 640]);
  expect(srcSet("/media/ab/1200.jpg", 500, [480, 640], "webp")).toBe(
    "/media/ab/480.webp 480w, /media/ab/640.webp 500w",
  );
});

test("only the shop's own pictures have other widths", () => {
  expect(isOurs(picture())).toBe(true);
  expect(isOurs(picture({ src: "https://elsewhere.example/a.jpg", width: null }))).toBe(false);
  expect(isOurs(picture({ width: null, height: null }))).toBe(false);
});

test("finds the picture of a colour, the first picture for the first colour", () => {
  const pictures = [picture(), picture(), picture({ inColour: "Ink" })];
  const colours = ["Sand", "Ink", "Moss"];
  const places = colours.map((colour) => indexOfColour(pictures, colours, colour));
  expect(places).toEqual([0, 2, -1]);
});
