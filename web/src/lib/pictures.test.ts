import { expect, test } from "vitest";
import type { Picture } from "./api.gen";
import { isOurs, placeOfColour, srcSet, widthsOf } from "./pictures";

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

test("a picture is offered in every width up to its own and to the widest that is shown", () => {
  expect(widthsOf(320, 1600)).toEqual([160, 320]);
  expect(widthsOf(500, 1600)).toEqual([160, 320, 480, 640]);
  expect(widthsOf(90, 1600)).toEqual([160]);
  expect(widthsOf(2400, 1600)).toEqual([160, 320, 480, 640, 800, 1200, 1600]);
  expect(widthsOf(2400, 640)).toEqual([160, 320, 480, 640]);
  expect(srcSet("/media/ab/1200.jpg", 500, [480, 640], "webp")).toBe(
    "/media/ab/480.webp 480w, /media/ab/640.webp 500w",
  );
});

test("only pictures that the shop keeps have other widths", () => {
  expect(isOurs(picture())).toBe(true);
  expect(isOurs(picture({ src: "https://elsewhere.example/a.jpg", width: null }))).toBe(false);
  expect(isOurs(picture({ width: null, height: null }))).toBe(false);
});

test("a colour is shown by its own picture, the first one by the first", () => {
  const pictures = [picture(), picture(), picture({ inColour: "Ink" })];
  const colours = ["Sand", "Ink", "Moss"];
  const places = colours.map((colour) => placeOfColour(pictures, colours, colour));
  expect(places).toEqual([0, 2, -1]);
});
