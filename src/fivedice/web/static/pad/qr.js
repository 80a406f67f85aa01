// A text as a QR code (ISO/IEC 18004): bytes, error correction of level L or M, all versions. It is drawn here, because
// the phone may have no connection and the text is its own. Nothing here touches the page.

/** @typedef {"L" | "M"} Level */
/** @typedef {boolean[][]} Matrix true is dark */

// By version, from 1: the error correction words of each block, and the number of blocks.
/** @type {Record<Level, { words: number[], blocks: number[], bits: number }>} */
const LEVELS = {
  L: {
    words: [
      7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, 30, 30, 30,
      30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ],
    blocks: [
      1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19,
      19, 20, 21, 22, 24, 25,
    ],
    bits: 1,
  },
  M: {
    words: [
      10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28, 28, 28,
      28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
    ],
    blocks: [
      1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33,
      35, 37, 38, 40, 43, 45, 47, 49,
    ],
    bits: 0,
  },
};
const VERSIONS = 40;
/** @type {((row: number, column: number) => boolean)[]} */
const MASKS = [
  (y, x) => (y + x) % 2 === 0,
  (y) => y % 2 === 0,
  (_, x) => x % 3 === 0,
  (y, x) => (y + x) % 3 === 0,
  (y, x) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (y, x) => ((y * x) % 2) + ((y * x) % 3) === 0,
  (y, x) => (((y * x) % 2) + ((y * x) % 3)) % 2 === 0,
  (y, x) => (((y + x) % 2) + ((y * x) % 3)) % 2 === 0,
];

/**
 * The smallest code for a text, with the mask that reads best; null where it is too long for any.
 * @param {string} text @param {Level} [level] @param {number} [most] the largest version that will do
 * @returns {{ matrix: Matrix, version: number, mask: number } | null}
 */
export function qrCode(text, level = "L", most = VERSIONS) {
  const bytes = new TextEncoder().encode(text);
  const version = Array.from({ length: most }, (_, place) => place + 1).find(
    (each) => room(each, level) >= bytes.length,
  );
  if (!version) return null;
  const { cells, fixed } = frame(version);
  placeBits(cells, fixed, withCorrection(dataWords(bytes, version, level), version, level));
  const masked = MASKS.map((mask, number) => finish(cells, fixed, mask, number, level));
  const marks = masked.map(penalty);
  const mask = marks.indexOf(Math.min(...marks));
  return { matrix: masked[mask], version, mask };
}

/** @param {number} version */
const sizeOf = (version) => 17 + 4 * version;

/** All words that a version has room for, error correction included. @param {number} version */
function words(version) {
  const aligned = version > 1 ? Math.floor(version / 7) + 2 : 0;
  const marks = aligned ? (25 * aligned - 10) * aligned - 55 : 0;
  return Math.floor(((16 * version + 128) * version + 64 - marks - (version > 6 ? 36 : 0)) / 8);
}

/** @param {number} version @param {Level} level */
const dataRoom = (version, level) =>
  words(version) - LEVELS[level].words[version - 1] * LEVELS[level].blocks[version - 1];

/** @param {number} version */
const lengthBits = (version) => (version < 10 ? 8 : 16);

/** How many bytes a version holds. @param {number} version @param {Level} level */
const room = (version, level) => dataRoom(version, level) - (4 + lengthBits(version) > 16 ? 3 : 2);

/** @param {Uint8Array} bytes @param {number} version @param {Level} level */
function dataWords(bytes, version, level) {
  const bits = [
    ...digits(4, 4), ...digits(bytes.length, lengthBits(version)), ...[...bytes].flatMap((byte) => digits(byte, 8)),
    0, 0, 0, 0,
  ];
  const found = Array.from({ length: bits.length / 8 }, (_, place) =>
    parseInt(bits.slice(8 * place, 8 * place + 8).join(""), 2),
  );
  while (found.length < dataRoom(version, level)) found.push(found.length % 2 === (bits.length / 8) % 2 ? 0xec : 0x11);
  return found;
}

/** @param {number} value @param {number} count */
const digits = (value, count) => Array.from({ length: count }, (_, place) => (value >> (count - 1 - place)) & 1);

// --- error correction: Reed and Solomon, in the field of 256 numbers ---

const POWERS = Array.from({ length: 255 }).reduce(
  (/** @type {number[]} */ all) => [...all, times2(all[all.length - 1])],
  [1],
);
const LOGS = POWERS.slice(0, 255).reduce((all, power, place) => all.fill(place, power, power + 1), Array(256).fill(0));

/** @param {number} value */
function times2(value) {
  return value & 128 ? (value << 1) ^ 0x11d : value << 1;
}

/** @param {number} one @param {number} other */
const times = (one, other) => (one && other ? POWERS[(LOGS[one] + LOGS[other]) % 255] : 0);

/** The factors of the polynomial that words are divided by, without the first. @param {number} count */
function divisor(count) {
  let found = [1];
  for (let root = 0; root < count; root += 1) {
    const next = [...found, 0];
    found.forEach((factor, place) => { next[place + 1] ^= times(factor, POWERS[root]); });
    found = next;
  }
  return found.slice(1);
}

/** @param {number[]} data @param {number[]} factors */
function rest(data, factors) {
  return data.reduce((left, word) => {
    const lead = word ^ left[0];
    return [...left.slice(1), 0].map((value, place) => value ^ times(factors[place], lead));
  }, factors.map(() => 0));
}

/**
 * The blocks, woven into each other; the later ones may be a word longer.
 * @param {number[]} data @param {number} version @param {Level} level
 */
function withCorrection(data, version, level) {
  const count = LEVELS[level].blocks[version - 1];
  const factors = divisor(LEVELS[level].words[version - 1]);
  const short = Math.floor(data.length / count);
  const shorts = count - (data.length % count);
  const blocks = Array.from({ length: count }, (_, block) => {
    const start = block * short + Math.max(0, block - shorts);
    return data.slice(start, start + short + (block < shorts ? 0 : 1));
  });
  return [...interleave(blocks), ...interleave(blocks.map((block) => rest(block, factors)))];
}

/** @param {number[][]} blocks */
const interleave = (blocks) =>
  Array.from({ length: Math.max(...blocks.map((block) => block.length)) }, (_, place) =>
    blocks.flatMap((block) => block.slice(place, place + 1)),
  ).flat();

// --- modules ---

/**
 * What every code of a version has, and which of its modules are taken.
 * @param {number} version @returns {{ cells: Matrix, fixed: Matrix }}
 */
function frame(version) {
  const size = sizeOf(version);
  const [cells, fixed] = [0, 1].map(() => Array.from({ length: size }, () => Array(size).fill(false)));
  /** @type {(y: number, x: number, dark: boolean) => void} */
  const set = (y, x, dark) => { if (y in cells && x in cells) { cells[y][x] = dark; fixed[y][x] = true; } };
  for (let place = 0; place < size; place += 1)
    for (const [y, x] of [
      [6, place],
      [place, 6],
    ])
      set(y, x, place % 2 === 0);
  for (const [y, x] of [
    [3, 3], [3, size - 4], [size - 4, 3],
  ])
    square(4, (dy, dx, far) => set(y + dy, x + dx, far !== 2 && far !== 4));
  const places = alignment(version);
  const last = places.length - 1;
  places.forEach((y, row) => places.forEach((x, column) => {
    if ((row || column) && (row || column !== last) && (row !== last || column))
      square(2, (dy, dx, far) => set(y + dy, x + dx, far !== 1));
  }));
  for (let place = 0; place < 9; place += 1)
    for (const [y, x] of [
      [8, place], [place, 8], [8, size - 1 - place], [size - 1 - place, 8],
    ])
      if (place < 8 || y === x) fixed[y][x] = true;
  set(size - 8, 8, true);
  if (version > 6) {
    const bits = digits((version << 12) | remainder(version, 12, 0x1f25), 18).reverse();
    bits.forEach((bit, place) => {
      for (const [y, x] of [
        [Math.floor(place / 3), size - 11 + (place % 3)],
        [size - 11 + (place % 3), Math.floor(place / 3)],
      ])
        set(y, x, bit === 1);
    });
  }
  return { cells, fixed };
}

/** @param {number} reach @param {(dy: number, dx: number, far: number) => void} each */
function square(reach, each) {
  for (let dy = -reach; dy <= reach; dy += 1)
    for (let dx = -reach; dx <= reach; dx += 1) each(dy, dx, Math.max(Math.abs(dy), Math.abs(dx)));
}

/** @param {number} version */
function alignment(version) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = version === 32 ? 26 : 2 * Math.ceil((4 * version + 4) / (2 * count - 2));
  return [6, ...Array.from({ length: count - 1 }, (_, place) => sizeOf(version) - 7 - step * (count - 2 - place))];
}

/**
 * Of a value with so many noughts behind it, divided without carrying.
 * @param {number} value @param {number} zeros @param {number} by
 */
function remainder(value, zeros, by) {
  let left = value << zeros;
  for (let bit = 31 - Math.clz32(left); bit >= zeros; bit = 31 - Math.clz32(left)) left ^= by << (bit - zeros);
  return left;
}

/**
 * In pairs of columns from the right, up and down, round what is taken.
 * @param {Matrix} cells @param {Matrix} fixed @param {number[]} found
 */
function placeBits(cells, fixed, found) {
  const bits = found.flatMap((word) => digits(word, 8));
  const size = cells.length;
  let place = 0;
  for (let right = size - 1, up = true; right > 0; right -= right === 8 ? 3 : 2, up = !up) {
    for (let step = 0; step < size; step += 1) {
      const y = up ? size - 1 - step : step;
      for (const x of [right, right - 1]) if (!fixed[y][x]) cells[y][x] = bits[place++] === 1;
    }
  }
}

/**
 * @param {Matrix} cells @param {Matrix} fixed @param {(row: number, column: number) => boolean} mask
 * @param {number} number @param {Level} level
 */
function finish(cells, fixed, mask, number, level) {
  const size = cells.length;
  const found = cells.map((row, y) => row.map((dark, x) => (fixed[y][x] ? dark : dark !== mask(y, x))));
  const value = (LEVELS[level].bits << 3) | number;
  const bits = digits(((value << 10) | remainder(value, 10, 0x537)) ^ 0x5412, 15).map(Boolean);
  const near = [0, 1, 2, 3, 4, 5, 7, 8]; // round the corner, past the line of dots
  bits.forEach((bit, place) => {
    if (place < 8) found[8][near[place]] = bit;
    else found[near[14 - place]][8] = bit;
    if (place < 7) found[size - 1 - place][8] = bit;
    else found[8][size - 15 + place] = bit;
  });
  return found;
}

/** How hard a code is to read. @param {Matrix} cells */
function penalty(cells) {
  const columns = cells.map((_, x) => cells.map((row) => row[x]));
  const lines = [...cells, ...columns].map((line) => line.map(Number).join(""));
  const runs = lines.flatMap((line) => line.match(/0{5,}|1{5,}/g) ?? []).reduce((all, run) => all + run.length - 2, 0);
  const finders = lines.reduce((all, line) => all + (line.match(/(?=00001011101|10111010000)/g) ?? []).length, 0);
  let squares = 0;
  for (let y = 1; y < cells.length; y += 1)
    for (let x = 1; x < cells.length; x += 1)
      if (cells[y][x] === cells[y - 1][x] && cells[y][x] === cells[y][x - 1] && cells[y][x] === cells[y - 1][x - 1])
        squares += 1;
  const dark = cells.flat().filter(Boolean).length / cells.length ** 2;
  return runs + 3 * squares + 40 * finders + 10 * Math.floor(Math.abs(dark - 0.5) * 20);
}
