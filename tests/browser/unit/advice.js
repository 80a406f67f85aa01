// The other side of test_phone_coach.py: advice from fetched values, held against what the server's coach said.

import { bestKeeps, prepareValues } from "/static/pad/advise.js";
import { prepare } from "/static/pad/judge.js";

/** @typedef {import("/static/pad/advise.js").Option} Option */
/** @typedef {import("/static/pad/judge.js").Card} Card */
/** @typedef {import("/static/pad/judge.js").Rules} Rules */
/** @typedef {import("/static/pad/advise.js").Values} Values */
/** @typedef {{ card: Card, dice: string, left: number, told: [keep: string | null, box: string | null, total: number, cost: number][] }} Situation */

/** @type {Map<string, { rules: Rules, values: Values }>} */
const books = new Map();

/** @param {string} text */
const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/**
 * @param {string} name
 * @param {string} table
 * @param {string} file
 */
export async function learn(name, table, file) {
  const rules = prepare(JSON.parse(table));
  books.set(name, { rules, values: await prepareValues(rules, bytes(file)) });
}

/**
 * What a file that is not whole is refused with.
 * @param {string} table
 * @param {string} file
 */
export async function refusal(table, file) {
  try {
    await prepareValues(prepare(JSON.parse(table)), bytes(file));
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** @param {string} name */
const known = (name) => {
  const book = books.get(name);
  if (!book) throw new Error(`no book ${name}`);
  return book;
};

/**
 * The first difference above what is allowed, or the largest of all.
 * @param {string} name
 * @param {string} json
 * @param {number} most
 * @returns {string | number}
 */
export function compare(name, json, most) {
  const { rules, values } = known(name);
  /** @type {Situation[]} */
  const situations = JSON.parse(json);
  let worst = 0;
  for (const one of situations) {
    const found = bestKeeps(rules, values, one.card, one.dice, one.left);
    const difference = differs(found, one);
    if (!(difference <= most)) return `${difference}: ${JSON.stringify(one)}, not ${JSON.stringify(found)}`;
    worst = Math.max(worst, difference);
  }
  return worst;
}

/**
 * In totals, and in costs, which are differences of two; NaN where other things are advised, or another is best.
 * @param {Option[]} found
 * @param {Situation} situation
 */
function differs(found, { told }) {
  const wanted = new Map(told.map(([keep, box, total, cost]) => [`${keep} ${box}`, { total, cost }]));
  if (found.length !== told.length || !found[0].best || found[0].cost) return NaN;
  return Math.max(...found.map(({ keep, box, total, cost, best }, place) => {
    const same = wanted.get(`${keep} ${box}`);
    const ordered = !place || cost >= found[place - 1].cost;
    return same && ordered && best === !cost && (best || same.cost) ? Math.max(Math.abs(total - same.total), Math.abs(cost - same.cost) / 2) : NaN;
  }));
}

/**
 * Milliseconds for each piece of advice.
 * @param {string} name
 * @param {string} json
 */
export function times(name, json) {
  const { rules, values } = known(name);
  /** @type {Situation[]} */
  const situations = JSON.parse(json);
  return situations.map(({ card, dice, left }) => {
    const began = performance.now();
    bestKeeps(rules, values, card, dice, left);
    return performance.now() - began;
  });
}
