// The values of a book, as the server packs them: solver/values/compact_values.py says how. Nothing of any book is known
// here, and nothing is used of a file that is not whole.

/**
 * @typedef {object} Head
 * @property {string} fingerprint of the book
 * @property {number} bits of a value behind the point
 * @property {number} boxes
 * @property {number[]} counted the boxes whose points make the counted total
 * @property {number} cap of that total
 * @property {number[]} flagged the boxes that the flag depends on
 * @property {number} own the box of all dice alike, or -1
 * @property {number} alikes what the flag knows of that box and of extras: so many numbers
 * @property {[mask: number, cap: number][]} sums further totals that the flag keeps count of
 * @property {number} numbers
 * @property {number} bytes of each number
 */
/**
 * @typedef {object} Values
 * @property {Head} head
 * @property {Int32Array} starts of each mask, or -1
 * @property {Uint16Array} columns
 * @property {Uint16Array} rows
 * @property {Int32Array} widths how many columns a set of counted boxes has
 * @property {Float64Array} numbers
 */

const MARK = "FIVEDICE-VALUES1";
const DIGEST = 32; // bytes
const NOWHERE = 0xffff;

/** Why values cannot be used: `damaged`, or `browser` where this one cannot unpack them. */
export class BadValues extends Error {
  /** @param {"damaged" | "browser"} kind */
  constructor(kind) {
    super(kind);
    this.kind = kind;
  }
}

/**
 * The values of a file, or `BadValues`.
 * @param {Uint8Array<ArrayBuffer>} file
 * @returns {Promise<Values>}
 */
export async function readValues(file) {
  const packed = file.subarray(MARK.length + DIGEST);
  if (new TextDecoder("latin1").decode(file.subarray(0, MARK.length)) !== MARK) throw new BadValues("damaged");
  if (!(await isWhole(packed, file.subarray(MARK.length, MARK.length + DIGEST)))) throw new BadValues("damaged");
  const values = taken(await unpacked(packed));
  restore(values);
  return values;
}

/**
 * Without https a browser has no digests; then the checksum that gzip has of its own must do.
 * @param {Uint8Array<ArrayBuffer>} packed
 * @param {Uint8Array} digest
 */
async function isWhole(packed, digest) {
  if (!globalThis.crypto?.subtle) return true;
  const found = new Uint8Array(await crypto.subtle.digest("SHA-256", packed));
  return found.every((byte, place) => byte === digest[place]);
}

/** @param {Uint8Array<ArrayBuffer>} packed */
async function unpacked(packed) {
  if (typeof DecompressionStream === "undefined") throw new BadValues("browser");
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  try {
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new BadValues("damaged");
  }
}

/**
 * The parts of a file, of just the lengths that its head tells.
 * @param {Uint8Array<ArrayBuffer>} body
 * @returns {Values}
 */
function taken(body) {
  const [head, start] = headOf(body);
  const cards = 2 ** head.boxes;
  const flags = head.sums.reduce((count, [, cap]) => count * (cap + 1), head.alikes);
  let at = start;
  const part = (/** @type {number} */ length) => body.slice(at, (at += length));
  const there = part(Math.ceil(cards / 8));
  const columns = new Uint16Array(part(2 * 2 ** head.counted.length * (head.cap + 1)).buffer);
  const rows = new Uint16Array(part(2 * 2 ** head.flagged.length * flags).buffer);
  const planes = part(head.numbers * head.bytes);
  if (at !== body.length) throw new BadValues("damaged");
  const widths = counts(columns, head.cap + 1);
  const starts = placed(head, there, widths, counts(rows, flags));
  return { head, starts, columns, rows, widths, numbers: whole(planes, head.numbers, head.bytes) };
}

/**
 * @param {Uint8Array<ArrayBuffer>} body
 * @returns {[Head, number]}
 */
function headOf(body) {
  try {
    const start = 4 + new DataView(body.buffer).getUint32(0, true);
    return [JSON.parse(new TextDecoder().decode(body.subarray(4, start))), start];
  } catch {
    throw new BadValues("damaged");
  }
}

/**
 * How many numbers each line tells apart.
 * @param {Uint16Array} numbered
 * @param {number} width
 */
function counts(numbered, width) {
  const found = new Int32Array(numbered.length / width);
  numbered.forEach((number, place) => {
    const line = Math.floor(place / width);
    if (number !== NOWHERE && number >= found[line]) found[line] = number + 1;
  });
  return found;
}

/**
 * @param {Head} head
 * @param {Uint8Array} there
 * @param {Int32Array} widths
 * @param {Int32Array} heights
 */
function placed(head, there, widths, heights) {
  const starts = new Int32Array(2 ** head.boxes).fill(-1);
  let at = 0;
  for (let mask = 0; mask < starts.length; mask += 1) {
    if (!((there[mask >> 3] >> (mask & 7)) & 1)) continue;
    starts[mask] = at;
    at += widths[packed(head.counted, mask)] * heights[packed(head.flagged, mask)];
  }
  if (at !== head.numbers) throw new BadValues("damaged");
  return starts;
}

/**
 * Numbers from their bytes, all lowest ones first; the lowest bit is the sign.
 * @param {Uint8Array} planes
 * @param {number} count
 * @param {number} bytes
 */
function whole(planes, count, bytes) {
  const found = new Float64Array(count);
  for (let plane = bytes - 1; plane >= 0; plane -= 1) {
    for (let place = 0; place < count; place += 1) found[place] = found[place] * 256 + planes[plane * count + place];
  }
  for (let place = 0; place < count; place += 1) found[place] = found[place] % 2 ? -(found[place] + 1) / 2 : found[place] / 2;
  return found;
}

/**
 * Add again what was taken away, last things first.
 * @param {Values} values
 */
function restore({ head, starts, widths, numbers }) {
  const counted = bitsOf(head.counted);
  const masks = [...starts.keys()].filter((mask) => starts[mask] >= 0);
  const ends = new Map(masks.map((mask, place) => [mask, place + 1 < masks.length ? starts[masks[place + 1]] : numbers.length]));
  const size = (/** @type {number} */ mask) => (ends.get(mask) ?? 0) - starts[mask];
  for (let box = head.boxes - 1; box >= 0; box -= 1) {
    const bit = 1 << box;
    for (const mask of counted & bit ? [] : masks) {
      if (mask & bit && starts[mask ^ bit] >= 0) add(numbers, starts[mask ^ bit], starts[mask], Math.min(size(mask), size(mask ^ bit)));
    }
  }
  for (const mask of masks) {
    const width = widths[packed(head.counted, mask)];
    for (let place = 1; place < size(mask); place += 1) if (place % width) numbers[starts[mask] + place] += numbers[starts[mask] + place - 1];
  }
}

/**
 * @param {Float64Array} numbers
 * @param {number} from
 * @param {number} to
 * @param {number} count
 */
function add(numbers, from, to, count) {
  for (let place = 0; place < count; place += 1) numbers[to + place] += numbers[from + place];
}

/** @param {number[]} boxes */
const bitsOf = (boxes) => boxes.reduce((mask, box) => mask | (1 << box), 0);

/**
 * Which of these boxes are filled, put together.
 * @param {number[]} boxes
 * @param {number} mask
 */
function packed(boxes, mask) {
  let found = 0;
  for (let place = 0; place < boxes.length; place += 1) found |= ((mask >> boxes[place]) & 1) << place;
  return found;
}

/**
 * The value of a state: the points that are still to come, bonuses among them.
 * @param {Values} values
 * @param {number} mask
 * @param {number} total that is counted
 * @param {number} flag
 */
export function valueAt({ head, starts, columns, rows, widths, numbers }, mask, total, flag) {
  const kind = packed(head.counted, mask);
  const flags = rows.length / 2 ** head.flagged.length;
  const column = columns[kind * (head.cap + 1) + Math.min(total, head.cap)];
  const row = rows[packed(head.flagged, mask) * flags + flag];
  if (starts[mask] < 0 || column === NOWHERE || row === NOWHERE) throw new Error(`no value of ${mask}, ${total}, ${flag}`);
  return numbers[starts[mask] + row * widths[kind] + column] / 2 ** head.bits;
}
