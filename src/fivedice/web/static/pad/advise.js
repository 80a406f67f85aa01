// The coach without a server: what to keep and which box to choose, by the values of all cards that may follow. The
// server's coach weighs the same way (solver/values/turn_values.py), and tests hold every answer against its own.
// Nothing of any book is known here: judge.js says what dice may do, and the values say what that leads to.

import { judge, sortDice, totals } from "./judge.js";

/** @import { Card, Entry, Rules } from "./judge.js" */
/**
 * One thing to do: score in a box, or keep these dice (in ascending order) and roll the others.
 * @typedef {object} Option
 * @property {string | null} keep
 * @property {string | null} box
 * @property {Entry | null} entry what the box scores
 * @property {number} total that is to be expected at the end
 * @property {number} cost against the best: 0 for all that are as good
 * @property {boolean} best
 */
/**
 * All dice that may be kept and all rolls, from none to all of them; see `Lattice` in solver/model/book_arrays.py.
 * @typedef {object} Lattice
 * @property {string[]} dice of each row, smaller ones first
 * @property {Map<string, number>} row
 * @property {number} firstRoll
 * @property {number} faces
 * @property {Uint16Array} more for each row before the rolls and each face: the row with one die more
 * @property {Uint16Array} fewer for each row and each face: the row with that die less, or itself
 */

const TIE = 1e-6; // a smaller difference does not count: values come in steps of it

/** @type {Map<string, Lattice>} */
const lattices = new Map();

/**
 * The values of a file for these rules, or an error: `BadValues` where the file is not whole.
 * @param {Rules} rules @param {Uint8Array<ArrayBuffer>} file
 */
export async function prepareValues(rules, file) {
  const values = await readValues(file);
  if (values.head.fingerprint !== rules.fingerprint) throw new RangeError("values of another book");
  return values;
}

/**
 * Every legal box and, with rolls left, every keep, best first.
 * @param {Rules} rules @param {Values} values @param {Card} card @param {string} dice @param {number} rollsLeft
 */
export function bestKeeps(rules, values, card, dice, rollsLeft) {
  const after = outcomes(rules, values, card);
  const scored = boxes(rules, after, card, dice);
  if (!rollsLeft) return rankOptions(scored);
  const lattice = latticeOf(rules.dice, rules.faces);
  const worth = ahead(lattice, leaves(rules, lattice, after, card), rollsLeft);
  const keeps = keepsOf(sortDice(dice)).map((keep) => option(worth[lattice.row.get(keep) ?? 0], keep));
  return rankOptions([...scored, ...keeps]);
}

/**
 * @param {number} total @param {string | null} keep @param {string | null} [box] @param {Entry | null} [entry]
 * @returns {Option}
 */
const option = (total, keep, box = null, entry = null) => ({ keep, box, entry, total, cost: 0, best: false });

/** @param {Option[]} options */
function rankOptions(options) {
  const most = Math.max(...options.map(({ total }) => total));
  for (const each of options) {
    each.best = most - each.total <= TIE;
    each.cost = each.best ? 0 : most - each.total;
  }
  return options.sort((one, other) => one.cost - other.cost);
}

/**
 * The total to expect after points in a box, computed once for each number of points.
 * @typedef {(box: string, entry: Entry) => number} Outcomes
 */

/** @param {Rules} rules @param {Card} card @param {Values} values @returns {Outcomes} */
function outcomes(rules, values, card) {
  const state = stateOf(rules, values, card);
  /** @type {Map<string, Map<number, number>>} */
  const known = new Map(rules.boxes.map(([key]) => [key, new Map()]));
  return (box, { points, extra }) => {
    const name = extra * 0x10000 + points;
    const found = known.get(box);
    const total = found?.get(name) ?? state(box, points, extra);
    found?.set(name, total);
    return total;
  };
}

/**
 * What the future depends on: the filled boxes, and the totals that bonuses and extras ask for.
 * @param {Rules} rules @param {Values} values @param {Card} card
 */
function stateOf(rules, values, card) {
  const { head } = values;
  const order = rules.canonical ?? [];
  const bits = new Map(order.map((place, box) => [place, box]));
  const marks = order.map((place) => card.marks[place]);
  const filled = marks.reduce(
    (/** @type {number} */ mask, points, box) => (points === null ? mask : mask | (1 << box)),
    0,
  );
  const counted = head.counted.reduce((mask, box) => mask | (1 << box), 0);
  const totalOf = (/** @type {number} */ mask) =>
    marks.reduce((/** @type {number} */ sum, points, box) => ((mask >> box) & 1 ? sum + (points ?? 0) : sum), 0);
  const total = totalOf(counted);
  const sums = head.sums.map(([mask, cap]) => ({ mask, cap, total: totalOf(mask) }));
  const scored = Boolean(marks[head.own]);
  const { grand, bonuses } = totals(rules, card);
  const held = bonuses.reduce((left, paid) => left - paid, grand); // the values have all bonuses, earned ones too
  return (/** @type {string} */ key, /** @type {number} */ points, /** @type {number} */ extra) => {
    const box = bits.get(rules.index.get(key) ?? -1) ?? -1;
    const inside = (/** @type {number} */ mask) => ((mask >> box) & 1 ? points : 0);
    const own = box === head.own ? points > 0 : scored;
    const alike = own ? Math.min(1 + card.bonuses + (extra ? 1 : 0), head.alikes - 1) : 0;
    const number = sums.reduce(
      (sum, { mask, cap, total: before }) => sum * (cap + 1) + Math.min(before + inside(mask), cap),
      0,
    );
    return (
      held +
      points +
      extra +
      valueAt(values, filled | (1 << box), total + inside(counted), alike + head.alikes * number)
    );
  };
}

/** @param {Rules} rules @param {Outcomes} after @param {Card} card @param {string} dice */
const boxes = (rules, after, card, dice) =>
  Object.entries(judge(rules, card, dice).boxes).map(([box, entry]) => option(after(box, entry), null, box, entry));

/**
 * What every roll leads to in its best box.
 * @param {Rules} rules @param {Lattice} lattice @param {Outcomes} after @param {Card} card
 */
function leaves(rules, lattice, after, card) {
  const found = new Float64Array(lattice.dice.length);
  for (let row = lattice.firstRoll; row < found.length; row += 1) {
    let best = -Infinity;
    const legal = judge(rules, card, lattice.dice[row]).boxes;
    for (const box in legal) best = Math.max(best, after(box, legal[box]));
    found[row] = best;
  }
  return found;
}

/**
 * What every keep leads to with so many rolls left.
 * @param {Lattice} lattice @param {Float64Array} leaf @param {number} rollsLeft
 */
function ahead(lattice, leaf, rollsLeft) {
  const worth = leaf.slice();
  for (let left = 1; left <= rollsLeft; left += 1) {
    if (left > 1) choose(lattice, worth, leaf);
    throwOn(lattice, worth);
  }
  return worth;
}

/** A keep is worth the mean of what one die more makes of it. @param {Lattice} lattice @param {Float64Array} worth */
function throwOn({ firstRoll, faces, more }, worth) {
  for (let row = firstRoll - 1; row >= 0; row -= 1) {
    let sum = 0;
    for (let face = 0; face < faces; face += 1) sum += worth[more[row * faces + face]];
    worth[row] = sum / faces;
  }
}

/**
 * A roll is worth its best box or its best keep: what lies in it with one die fewer, and so on.
 * @param {Lattice} lattice @param {Float64Array} worth @param {Float64Array} leaf
 */
function choose({ firstRoll, faces, fewer }, worth, leaf) {
  worth.set(leaf.subarray(firstRoll), firstRoll);
  for (let row = 1; row < worth.length; row += 1) {
    for (let face = 0; face < faces; face += 1) worth[row] = Math.max(worth[row], worth[fewer[row * faces + face]]);
  }
}

/** Made once for dice of this kind, whatever the book. @param {number} dice @param {number} faces */
function latticeOf(dice, faces) {
  const name = `${dice} ${faces}`;
  const found = lattices.get(name) ?? lattice(dice, faces);
  lattices.set(name, found);
  return found;
}

/** @param {number} dice @param {number} faces @returns {Lattice} */
function lattice(dice, faces) {
  let size = [""];
  const all = [""];
  for (let count = 1; count <= dice; count += 1) {
    size = size.flatMap((some) => facesFrom(Number(some.at(-1) ?? 1), faces).map((face) => some + face));
    all.push(...size);
  }
  const row = new Map(all.map((some, place) => [some, place]));
  const at = (/** @type {string} */ some) => row.get(some) ?? 0;
  const firstRoll = all.length - size.length;
  const every = facesFrom(1, faces);
  const more = Uint16Array.from(
    all.slice(0, firstRoll).flatMap((some) => every.map((face) => at(sortDice(some + face)))),
  );
  const fewer = Uint16Array.from(all.flatMap((some) => every.map((face) => at(some.replace(String(face), "")))));
  return { dice: all, row, firstRoll, faces, more, fewer };
}

/** @param {number} lowest @param {number} highest */
const facesFrom = (lowest, highest) => Array.from({ length: highest - lowest + 1 }, (_, step) => lowest + step);

/** All that can be kept of a roll, most dice first, but not all of them. @param {string} dice in ascending order */
function keepsOf(dice) {
  let some = [""];
  for (const die of dice) some = some.flatMap((kept) => [kept + die, kept]);
  return [...new Set(some)].filter((kept) => kept !== dice).sort((one, other) => other.length - one.length);
}

// --- values ---

// The values of a book, as the server packs them: solver/solution/phone_values.py says how. Nothing of any book is
// known here, and nothing is used of a file that is not whole.

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

/** The values of a file, or `BadValues`. @param {Uint8Array<ArrayBuffer>} file @returns {Promise<Values>} */
async function readValues(file) {
  const packed = file.subarray(MARK.length + DIGEST);
  if (new TextDecoder("latin1").decode(file.subarray(0, MARK.length)) !== MARK) throw new BadValues("damaged");
  if (!(await isWhole(packed, file.subarray(MARK.length, MARK.length + DIGEST)))) throw new BadValues("damaged");
  const values = readParts(await unzip(packed));
  restore(values);
  return values;
}

/**
 * Without https a browser has no digests; then the checksum that gzip has of its own must do.
 * @param {Uint8Array<ArrayBuffer>} packed @param {Uint8Array} digest
 */
async function isWhole(packed, digest) {
  if (!globalThis.crypto?.subtle) return true;
  const found = new Uint8Array(await crypto.subtle.digest("SHA-256", packed));
  return found.every((byte, place) => byte === digest[place]);
}

/** @param {Uint8Array<ArrayBuffer>} packed */
async function unzip(packed) {
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
 * @param {Uint8Array<ArrayBuffer>} body @returns {Values}
 */
function readParts(body) {
  const [head, start] = readHead(body);
  const cards = 2 ** head.boxes;
  const flags = head.sums.reduce((count, [, cap]) => count * (cap + 1), head.alikes);
  let at = start;
  const part = (/** @type {number} */ length) => body.slice(at, (at += length));
  const there = part(Math.ceil(cards / 8));
  const columns = new Uint16Array(part(2 * 2 ** head.counted.length * (head.cap + 1)).buffer);
  const rows = new Uint16Array(part(2 * 2 ** head.flagged.length * flags).buffer);
  const planes = part(head.numbers * head.bytes);
  if (at !== body.length) throw new BadValues("damaged");
  const widths = countNumbers(columns, head.cap + 1);
  const starts = placeCards(head, there, widths, countNumbers(rows, flags));
  return { head, starts, columns, rows, widths, numbers: joinBytes(planes, head.numbers, head.bytes) };
}

/** @param {Uint8Array<ArrayBuffer>} body @returns {[Head, number]} */
function readHead(body) {
  try {
    const start = 4 + new DataView(body.buffer).getUint32(0, true);
    return [JSON.parse(new TextDecoder().decode(body.subarray(4, start))), start];
  } catch {
    throw new BadValues("damaged");
  }
}

/** How many numbers each line tells apart. @param {Uint16Array} numbered @param {number} width */
function countNumbers(numbered, width) {
  const found = new Int32Array(numbered.length / width);
  numbered.forEach((number, place) => {
    const line = Math.floor(place / width);
    if (number !== NOWHERE && number >= found[line]) found[line] = number + 1;
  });
  return found;
}

/** @param {Head} head @param {Uint8Array} there @param {Int32Array} widths @param {Int32Array} heights */
function placeCards(head, there, widths, heights) {
  const starts = new Int32Array(2 ** head.boxes).fill(-1);
  let at = 0;
  for (let mask = 0; mask < starts.length; mask += 1) {
    if (!((there[mask >> 3] >> (mask & 7)) & 1)) continue;
    starts[mask] = at;
    at += widths[packMask(head.counted, mask)] * heights[packMask(head.flagged, mask)];
  }
  if (at !== head.numbers) throw new BadValues("damaged");
  return starts;
}

/**
 * Numbers from their bytes, all lowest ones first; the lowest bit is the sign.
 * @param {Uint8Array} planes @param {number} count @param {number} bytes
 */
function joinBytes(planes, count, bytes) {
  const found = new Float64Array(count);
  for (let plane = bytes - 1; plane >= 0; plane -= 1) {
    for (let place = 0; place < count; place += 1) found[place] = found[place] * 256 + planes[plane * count + place];
  }
  for (let place = 0; place < count; place += 1)
    found[place] = found[place] % 2 ? -(found[place] + 1) / 2 : found[place] / 2;
  return found;
}

/** Add again what was taken away, last things first. @param {Values} values */
function restore({ head, starts, widths, numbers }) {
  const counted = bitsOf(head.counted);
  const masks = [...starts.keys()].filter((mask) => starts[mask] >= 0);
  const ends = new Map(
    masks.map((mask, place) => [mask, place + 1 < masks.length ? starts[masks[place + 1]] : numbers.length]),
  );
  const size = (/** @type {number} */ mask) => (ends.get(mask) ?? 0) - starts[mask];
  for (let box = head.boxes - 1; box >= 0; box -= 1) {
    const bit = 1 << box;
    for (const mask of counted & bit ? [] : masks) {
      if (mask & bit && starts[mask ^ bit] >= 0)
        add(numbers, starts[mask ^ bit], starts[mask], Math.min(size(mask), size(mask ^ bit)));
    }
  }
  for (const mask of masks) {
    const width = widths[packMask(head.counted, mask)];
    for (let place = 1; place < size(mask); place += 1)
      if (place % width) numbers[starts[mask] + place] += numbers[starts[mask] + place - 1];
  }
}

/** @param {Float64Array} numbers @param {number} from @param {number} to @param {number} count */
function add(numbers, from, to, count) {
  for (let place = 0; place < count; place += 1) numbers[to + place] += numbers[from + place];
}

/** @param {number[]} boxes */
const bitsOf = (boxes) => boxes.reduce((mask, box) => mask | (1 << box), 0);

/** Which of these boxes are filled, put together. @param {number[]} boxes @param {number} mask */
function packMask(boxes, mask) {
  let found = 0;
  for (let place = 0; place < boxes.length; place += 1) found |= ((mask >> boxes[place]) & 1) << place;
  return found;
}

/**
 * The value of a state: the points that are still to come, bonuses among them.
 * @param {Values} values @param {number} mask @param {number} total that is counted @param {number} flag
 */
function valueAt({ head, starts, columns, rows, widths, numbers }, mask, total, flag) {
  const kind = packMask(head.counted, mask);
  const flags = rows.length / 2 ** head.flagged.length;
  const column = columns[kind * (head.cap + 1) + Math.min(total, head.cap)];
  const row = rows[packMask(head.flagged, mask) * flags + flag];
  if (starts[mask] < 0 || column === NOWHERE || row === NOWHERE)
    throw new Error(`no value of ${mask}, ${total}, ${flag}`);
  return numbers[starts[mask] + row * widths[kind] + column] / 2 ** head.bits;
}
