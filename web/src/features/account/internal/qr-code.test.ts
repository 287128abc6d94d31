// These codes were verified with an independent QR reader.
import { expect, test } from "vitest";
import { type Qr, qr } from "./qr-code";

const SMALL = [
  "#######....##.#######",
  "#.....#.#####.#.....#",
  "#.###.#....#..#.###.#",
  "#.###.#...#.#.#.###.#",
  "#.###.#.##..#.#.###.#",
  "#.....#...#.#.#.....#",
  "#######.#.#.#.#######",
  "..........###........",
  "#.#.#.#....#....#..#.",
  "..####.......##.#...#",
  ".#....###...#...#.###",
  "###..#....#..#.#....#",
  "#..#####.#..#....#.#.",
  "........##.#..####.##",
  "#######..###.#.##.###",
  "#.....#....###.#....#",
  "#.###.#.##.#...##....",
  "#.###.#...##..#.##.#.",
  "#.###.#.#...##.####.#",
  "#.....#..#.#.......#.",
  "#######.###..#.###.##",
];

const rows = ({ size, dark }: Qr) =>
  Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (_, x) => (dark(x, y) ? "#" : ".")).join(""),
  );

const sum = (code: Qr) =>
  [...rows(code).join("")].reduce((sum, cell) => (sum * 31 + (cell === "#" ? 1 : 0)) >>> 0, 0);

test("encodes a short text module by module", () => {
  expect(rows(qr("otpauth://x") as Qr)).toEqual(SMALL);
});

test("encodes longer texts in larger versions with several blocks", () => {
  const seventh = qr("x".repeat(100)) as Qr;
  expect([seventh.size, sum(seventh)]).toEqual([41, 3011421338]);
  const eleventh = qr("x".repeat(250)) as Qr;
  expect([eleventh.size, sum(eleventh)]).toEqual([61, 1090249514]);
});

test("rejects texts that are too long for a readable code", () => {
  expect(qr("x".repeat(666))?.size).toBe(97);
  expect(qr("x".repeat(667))).toBeNull();
});
