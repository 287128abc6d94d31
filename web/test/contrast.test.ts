// Text contrast (WCAG AA) of the tokens, in both themes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const css = readFileSync(join(import.meta.dirname, "../src/styles/tokens.css"), "utf8");

function colour(name: string, theme: "light" | "dark"): string {
  const [, light, dark] =
    new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css) ?? [];
  const found = theme === "light" ? light : dark;
  if (found === undefined) throw new Error(`no token --${name}`);
  return found;
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const texts = ["ink", "muted", "brand", "sale", "success", "warning", "danger"];
const pairs = [
  ...texts.flatMap((text) => [[text, "paper", 4.5] as const, [text, "surface", 4.5] as const]),
  ["on-brand", "brand", 4.5] as const,
  ["ink", "line", 4.5] as const,
  ["ink", "hint", 4.5] as const,
  ["edge", "paper", 3] as const,
  ["edge", "surface", 3] as const,
];

test.each(pairs)("%s on %s", (text, ground, least) => {
  expect(contrast(colour(text, "light"), colour(ground, "light"))).toBeGreaterThanOrEqual(least);
  expect(contrast(colour(text, "dark"), colour(ground, "dark"))).toBeGreaterThanOrEqual(least);
});
