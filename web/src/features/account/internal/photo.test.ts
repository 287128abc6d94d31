import { expect, test } from "vitest";
import { ownPhoto } from "./photo";

const ID = "0123456789abcdef0123456789abcdef01234567";

test("shows a photo only if our server has it, by its path", () => {
  expect(ownPhoto(`https://shop.example/media/${ID}/320.jpg`)).toBe(`/media/${ID}/320.jpg`);
  for (const other of [
    null,
    "",
    "https://lh3.example/photo.jpg",
    `https://shop.example/media/${ID}/320.svg`,
    `https://shop.example/media/${ID}/320.jpg?x`,
    "/media/../secret/1.jpg",
  ]) {
    expect(ownPhoto(other), String(other)).toBeNull();
  }
});
