// QR codes after ISO/IEC 18004: bytes, error correction M, versions 1 to 20. Loaded only where an
// authenticator app is set up.

export type Qr = { size: number; dark: (x: number, y: number) => boolean };

// Per version: error correction bytes of a block, number of short blocks, data bytes of a short
// block, number of long blocks, which have one byte more.
const VERSIONS: [correction: number, short: number, bytes: number, long: number][] = [
  [10, 1, 16, 0],
  [16, 1, 28, 0],
  [26, 1, 44, 0],
  [18, 2, 32, 0],
  [24, 2, 43, 0],
  [16, 4, 27, 0],
  [18, 4, 31, 0],
  [22, 2, 38, 2],
  [22, 3, 36, 2],
  [26, 4, 43, 1],
  [30, 1, 50, 4],
  [22, 6, 36, 2],
  [22, 8, 37, 1],
  [24, 4, 40, 5],
  [24, 5, 41, 5],
  [28, 7, 45, 3],
  [28, 10, 46, 1],
  [26, 9, 43, 4],
  [26, 3, 44, 11],
  [26, 3, 41, 13],
];

const MASKS: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

// Null where the text is too long for a code that a phone can read from a screen.
export function qr(text: string): Qr | null {
  const bytes = new TextEncoder().encode(text);
  const version = VERSIONS.findIndex((_, at) => bytes.length <= room(at + 1)) + 1;
  if (version === 0) return null;
  const codewords = interleaved(version, padded(bytes, version));
  const candidates = MASKS.map((_, mask) => drawn(version, codewords, mask));
  return candidates.reduce((best, next) => (unrest(next) < unrest(best) ? next : best));
}

function capacity(version: number): number {
  const [, short, bytes, long] = layout(version);
  return short * bytes + long * (bytes + 1);
}

function layout(version: number): [number, number, number, number] {
  return VERSIONS[version - 1] as [number, number, number, number];
}

// The mode takes 4 bits, the length 8, or 16 in the larger versions.
function room(version: number): number {
  return capacity(version) - (version < 10 ? 2 : 3);
}

function padded(bytes: Uint8Array, version: number): number[] {
  const bits: number[] = [];
  const put = (value: number, length: number) => {
    for (let at = length - 1; at >= 0; at -= 1) bits.push((value >> at) & 1);
  };
  put(0b0100, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) put(byte, 8);
  const all = capacity(version) * 8;
  put(0, Math.min(4, all - bits.length));
  put(0, (8 - (bits.length % 8)) % 8);
  for (let pad = 0xec; bits.length < all; pad ^= 0xec ^ 0x11) put(pad, 8);
  return Array.from({ length: bits.length / 8 }, (_, at) =>
    bits.slice(at * 8, at * 8 + 8).reduce((byte, bit) => (byte << 1) | bit, 0),
  );
}

// Data blocks and their error correction, interleaved byte by byte.
function interleaved(version: number, data: number[]): number[] {
  const [correction, short, length, long] = layout(version);
  const divisor = generator(correction);
  const blocks: number[][] = [];
  for (let at = 0; blocks.length < short + long; ) {
    const end = at + length + (blocks.length < short ? 0 : 1);
    blocks.push(data.slice(at, end));
    at = end;
  }
  const inTurn = (parts: number[][]) =>
    Array.from({ length: Math.max(...parts.map((part) => part.length)) }, (_, at) =>
      parts.flatMap((part) => (at < part.length ? [part[at] as number] : [])),
    ).flat();
  return [...inTurn(blocks), ...inTurn(blocks.map((block) => remainder(block, divisor)))];
}

// Multiplication in GF(256) with the polynomial of the standard.
function times(one: number, other: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    if ((other >> bit) & 1) product ^= one;
  }
  return product;
}

// The generator polynomial without its leading 1.
function generator(degree: number): number[] {
  let roots = [1];
  for (let at = 0, power = 1; at < degree; at += 1, power = times(power, 2)) {
    const shifted = [...roots, 0];
    roots = shifted.map((value, place) => value ^ times(roots[place - 1] ?? 0, power));
  }
  return roots.slice(1);
}

function remainder(block: number[], divisor: number[]): number[] {
  let rest = divisor.map(() => 0);
  for (const byte of block) {
    const factor = byte ^ (rest[0] as number);
    rest = divisor.map((value, at) => (rest[at + 1] ?? 0) ^ times(value, factor));
  }
  return rest;
}

function drawn(version: number, codewords: number[], mask: number): Qr {
  const size = version * 4 + 17;
  const cells: (boolean | undefined)[] = new Array(size * size).fill(undefined);
  const at = (x: number, y: number) => cells[y * size + x];
  const set = (x: number, y: number, dark: boolean) => {
    cells[y * size + x] = dark;
  };
  drawMarks(version, size, set, at);
  drawFacts(version, size, mask, set);
  const hides = MASKS[mask] as (x: number, y: number) => boolean;
  let bit = 0;
  for (const [x, y] of zigzag(size)) {
    if (at(x, y) !== undefined) continue;
    const dark = ((codewords[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1;
    set(x, y, (dark === 1) !== hides(x, y));
    bit += 1;
  }
  return { size, dark: (x, y) => at(x, y) === true };
}

type Set = (x: number, y: number, dark: boolean) => void;
type At = (x: number, y: number) => boolean | undefined;

// Finder, timing and alignment patterns.
function drawMarks(version: number, size: number, set: Set, at: At): void {
  for (let place = 0; place < size; place += 1) {
    set(6, place, place % 2 === 0);
    set(place, 6, place % 2 === 0);
  }
  const corners: [number, number][] = [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ];
  for (const [middleX, middleY] of corners) {
    for (let dy = -4; dy <= 4; dy += 1) {
      for (let dx = -4; dx <= 4; dx += 1) {
        const [x, y] = [middleX + dx, middleY + dy];
        const ring = Math.max(Math.abs(dx), Math.abs(dy));
        if (x >= 0 && y >= 0 && x < size && y < size) set(x, y, ring !== 2 && ring !== 4);
      }
    }
  }
  const places = squares(version, size);
  const last = places.length - 1;
  places.forEach((middleY, row) => {
    places.forEach((middleX, column) => {
      const taken = at(middleX, middleY) !== undefined && row !== 0 && column !== 0;
      const corner = (row === 0 || row === last) && (column === 0 || column === last);
      if (taken || (corner && !(row === last && column === last))) return;
      for (let dy = -2; dy <= 2; dy += 1) {
        for (let dx = -2; dx <= 2; dx += 1) {
          set(middleX + dx, middleY + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
        }
      }
    });
  });
}

// Positions of the alignment patterns.
function squares(version: number, size: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((size - 13) / (2 * count - 2)) * 2;
  return Array.from({ length: count }, (_, at) =>
    at === 0 ? 6 : size - 7 - (count - 1 - at) * step,
  );
}

// Format information, twice, and the version where the size does not give it away.
function drawFacts(version: number, size: number, mask: number, set: Set): void {
  const format = ((mask << 10) | checked(mask, 0x537, 10)) ^ 0x5412;
  const inFormat = (at: number) => ((format >> at) & 1) === 1;
  for (let at = 0; at < 15; at += 1) {
    const down = at < 6 ? at : at < 8 ? at + 1 : size - 15 + at;
    const left = at < 8 ? size - 1 - at : at === 8 ? 7 : 14 - at;
    set(8, down, inFormat(at));
    set(left, 8, inFormat(at));
  }
  set(8, size - 8, true);
  if (version < 7) return;
  const facts = (version << 12) | checked(version, 0x1f25, 12);
  for (let at = 0; at < 18; at += 1) {
    const [far, near] = [size - 11 + (at % 3), Math.floor(at / 3)];
    const dark = ((facts >> at) & 1) === 1;
    set(far, near, dark);
    set(near, far, dark);
  }
}

function checked(value: number, divisor: number, degree: number): number {
  let rest = value;
  for (let at = 0; at < degree; at += 1) rest = (rest << 1) ^ ((rest >> (degree - 1)) * divisor);
  return rest;
}

// Two columns at a time from the right, alternately up and down, skipping the timing pattern.
function* zigzag(size: number): Generator<[number, number]> {
  let up = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1) {
      const y = up ? size - 1 - step : step;
      yield [right, y];
      yield [right - 1, y];
    }
    up = !up;
  }
}

// The penalty of a mask: long runs of one colour, and the distance from half dark.
function unrest({ size, dark }: Qr): number {
  let sum = 0;
  let darkCells = 0;
  for (let line = 0; line < size; line += 1) {
    for (const cell of [(at: number) => dark(at, line), (at: number) => dark(line, at)]) {
      for (let at = 1, run = 1; at <= size; at += 1) {
        if (at < size && cell(at) === cell(at - 1)) run += 1;
        else {
          if (run >= 5) sum += run - 2;
          run = 1;
        }
      }
    }
    for (let at = 0; at < size; at += 1) darkCells += dark(at, line) ? 1 : 0;
  }
  return sum + Math.abs((darkCells * 20) / (size * size) - 10) * 10;
}
