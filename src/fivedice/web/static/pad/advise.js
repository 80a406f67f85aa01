// The coach without a server: what to keep and which box to choose, by the values of all cards that may follow. The
// server's coach weighs the same way (solver/values/turn_values.py), and tests hold every answer against its own.
// Nothing of any book is known here: judge.js says what dice may do, values.js what that leads to.

import { judge, sorted, totals } from "./judge.js";
import { readValues, valueAt } from "./values.js";

/** @typedef {import("./judge.js").Card} Card */
/** @typedef {import("./judge.js").Entry} Entry */
/** @typedef {import("./judge.js").Rules} Rules */
/** @typedef {import("./values.js").Values} Values */
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

const TIE = 1e-6; // what is closer than this is as good: values come in steps of it

/** @type {Map<string, Lattice>} */
const lattices = new Map();

/**
 * The values of a file for these rules, or an error: `BadValues` where the file is not whole.
 * @param {Rules} rules
 * @param {Uint8Array<ArrayBuffer>} file
 */
export async function prepareValues(rules, file) {
  const values = await readValues(file);
  if (values.head.fingerprint !== rules.fingerprint) throw new RangeError("values of another book");
  return values;
}

/**
 * Every legal box for the last roll of a turn, best first.
 * @param {Rules} rules
 * @param {Values} values
 * @param {Card} card
 * @param {string} dice
 */
export const bestBox = (rules, values, card, dice) => ranked(boxes(rules, outcomes(rules, values, card), card, dice));

/**
 * Every legal box and, with rolls left, every keep, best first.
 * @param {Rules} rules
 * @param {Values} values
 * @param {Card} card
 * @param {string} dice
 * @param {number} rollsLeft
 */
export function bestKeeps(rules, values, card, dice, rollsLeft) {
  const after = outcomes(rules, values, card);
  const scored = boxes(rules, after, card, dice);
  if (!rollsLeft) return ranked(scored);
  const lattice = latticeOf(rules.dice, rules.faces);
  const worth = ahead(lattice, leaves(rules, lattice, after, card), rollsLeft);
  const keeps = keepsOf(sorted(dice)).map((keep) => option(worth[lattice.row.get(keep) ?? 0], keep));
  return ranked([...scored, ...keeps]);
}

/**
 * @param {number} total
 * @param {string | null} keep
 * @param {string | null} [box]
 * @param {Entry | null} [entry]
 * @returns {Option}
 */
const option = (total, keep, box = null, entry = null) => ({ keep, box, entry, total, cost: 0, best: false });

/** @param {Option[]} options */
function ranked(options) {
  const most = Math.max(...options.map(({ total }) => total));
  for (const each of options) {
    each.best = most - each.total <= TIE;
    each.cost = each.best ? 0 : most - each.total;
  }
  return options.sort((one, other) => one.cost - other.cost);
}

/**
 * The total to expect after points in a box, told once for each number of points.
 * @typedef {(box: string, entry: Entry) => number} Outcomes
 */

/**
 * @param {Rules} rules
 * @param {Card} card
 * @param {Values} values
 * @returns {Outcomes}
 */
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
 * @param {Rules} rules
 * @param {Values} values
 * @param {Card} card
 */
function stateOf(rules, values, card) {
  const { head } = values;
  const order = rules.canonical ?? [];
  const bits = new Map(order.map((place, box) => [place, box]));
  const marks = order.map((place) => card.marks[place]);
  const filled = marks.reduce((/** @type {number} */ mask, points, box) => (points === null ? mask : mask | (1 << box)), 0);
  const counted = head.counted.reduce((mask, box) => mask | (1 << box), 0);
  const totalOf = (/** @type {number} */ mask) => marks.reduce((/** @type {number} */ sum, points, box) => ((mask >> box) & 1 ? sum + (points ?? 0) : sum), 0);
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
    const number = sums.reduce((sum, { mask, cap, total: before }) => sum * (cap + 1) + Math.min(before + inside(mask), cap), 0);
    return held + points + extra + valueAt(values, filled | (1 << box), total + inside(counted), alike + head.alikes * number);
  };
}

/**
 * @param {Rules} rules
 * @param {Outcomes} after
 * @param {Card} card
 * @param {string} dice
 */
const boxes = (rules, after, card, dice) => Object.entries(judge(rules, card, dice).boxes).map(([box, entry]) => option(after(box, entry), null, box, entry));

/**
 * What every roll leads to in its best box.
 * @param {Rules} rules
 * @param {Lattice} lattice
 * @param {Outcomes} after
 * @param {Card} card
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
 * @param {Lattice} lattice
 * @param {Float64Array} leaf
 * @param {number} rollsLeft
 */
function ahead(lattice, leaf, rollsLeft) {
  const worth = leaf.slice();
  for (let left = 1; left <= rollsLeft; left += 1) {
    if (left > 1) choose(lattice, worth, leaf);
    throwOn(lattice, worth);
  }
  return worth;
}

/**
 * A keep is worth the mean of what one die more makes of it.
 * @param {Lattice} lattice
 * @param {Float64Array} worth
 */
function throwOn({ firstRoll, faces, more }, worth) {
  for (let row = firstRoll - 1; row >= 0; row -= 1) {
    let sum = 0;
    for (let face = 0; face < faces; face += 1) sum += worth[more[row * faces + face]];
    worth[row] = sum / faces;
  }
}

/**
 * A roll is worth its best box or its best keep: what lies in it with one die fewer, and so on.
 * @param {Lattice} lattice
 * @param {Float64Array} worth
 * @param {Float64Array} leaf
 */
function choose({ firstRoll, faces, fewer }, worth, leaf) {
  worth.set(leaf.subarray(firstRoll), firstRoll);
  for (let row = 1; row < worth.length; row += 1) {
    for (let face = 0; face < faces; face += 1) worth[row] = Math.max(worth[row], worth[fewer[row * faces + face]]);
  }
}

/**
 * Made once for dice of this kind, whatever the book.
 * @param {number} dice
 * @param {number} faces
 */
function latticeOf(dice, faces) {
  const name = `${dice} ${faces}`;
  const found = lattices.get(name) ?? lattice(dice, faces);
  lattices.set(name, found);
  return found;
}

/**
 * @param {number} dice
 * @param {number} faces
 * @returns {Lattice}
 */
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
  const more = Uint16Array.from(all.slice(0, firstRoll).flatMap((some) => every.map((face) => at(sorted(some + face)))));
  const fewer = Uint16Array.from(all.flatMap((some) => every.map((face) => at(some.replace(String(face), "")))));
  return { dice: all, row, firstRoll, faces, more, fewer };
}

/**
 * @param {number} lowest
 * @param {number} highest
 */
const facesFrom = (lowest, highest) => Array.from({ length: highest - lowest + 1 }, (_, step) => lowest + step);

/**
 * All that can be kept of a roll, most dice first, but not all of them.
 * @param {string} dice in ascending order
 */
function keepsOf(dice) {
  let some = [""];
  for (const die of dice) some = some.flatMap((kept) => [kept + die, kept]);
  return [...new Set(some)].filter((kept) => kept !== dice).sort((one, other) => other.length - one.length);
}
