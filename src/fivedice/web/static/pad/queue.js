// What was typed here and has not arrived yet. It is kept in the browser's storage, so that a reload, an empty
// battery or a dead spot on the lawn lose nothing.

import { ask, isUnwell } from "../core/page.js";

/**
 * A turn that can still be written; the server sends them in the order of the game.
 * @typedef {{ turn: number, seat: number, round: number }} Turn
 */
/** @typedef {{ key: string, label: string, upper: boolean }} Box */
/**
 * What the server tells the pad: `script_data` in web/pad_page.py.
 * @typedef {object} Pad
 * @property {string} id
 * @property {number} version
 * @property {boolean} keeper
 * @property {boolean} playing
 * @property {"quick" | "rolls"} mode
 * @property {number} game
 * @property {Turn[]} turns
 * @property {number} rolled
 * @property {boolean} canEnter
 * @property {number} dice
 * @property {number} rolls of every turn
 * @property {boolean} saves whether rolls that a turn leaves over are kept for later ones
 * @property {{ name: string, headline: string, card: string, open: number[], saved: number }[]} seats
 * @property {Box[]} boxes
 * @property {{ options: string, correct: string, commands: string }} links
 * @property {string} command
 */
/**
 * An entry of the sheet on its way: `version` once it has arrived, `refused` where it was not taken.
 * @typedef {object} Entry
 * @property {string} key
 * @property {number} game
 * @property {number} turn
 * @property {number} seat
 * @property {string} dice
 * @property {string} box
 * @property {string} label
 * @property {number | null} points
 * @property {number} [saved] the rolls that the turn left over, where they are kept
 * @property {number} [version]
 * @property {string} [refused]
 */

const PREFIX = "fivedice-pad";
/** @type {Map<string, string>} */
const memory = new Map(); // where the browser allows no storage, at least until the page is closed

/**
 * @param {string} table
 * @param {string} part
 */
const nameOf = (table, part) => `${PREFIX}/${table}/${part}`;

/**
 * @template T
 * @param {string} table
 * @param {string} part
 * @param {T} otherwise
 * @returns {T}
 */
export function kept(table, part, otherwise) {
  let text = memory.get(nameOf(table, part));
  try { text = localStorage.getItem(nameOf(table, part)) ?? text; } catch { /* not allowed here */ }
  try { return text ? JSON.parse(text) : otherwise; } catch { return otherwise; }
}

/**
 * @param {string} table
 * @param {string} part
 * @param {unknown} value
 */
export function keep(table, part, value) {
  const text = JSON.stringify(value);
  memory.set(nameOf(table, part), text);
  try { localStorage.setItem(nameOf(table, part), text); } catch { /* full, or not allowed here */ }
}

/**
 * The answers for other tables can be asked for again, unlike what was written there.
 * @param {string} table
 */
export function forgetAnswers(table) {
  try {
    for (const name of Object.keys(localStorage)) {
      if (name.startsWith(`${PREFIX}/`) && name.endsWith("/answers") && name !== nameOf(table, "answers")) localStorage.removeItem(name);
    }
  } catch { /* not allowed here */ }
}

/**
 * @param {string} table
 * @returns {Entry[]}
 */
export const entries = (table) => kept(table, "queue", []);

/**
 * @param {string} table
 * @param {Entry[]} list
 */
function save(table, list) {
  keep(table, "queue", list.sort((first, second) => first.game - second.game || first.turn - second.turn));
}

// Also without https, where the shorter ways are missing.
const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * @param {string} table
 * @param {Omit<Entry, "key">} entry
 */
export function add(table, entry) {
  const others = entries(table).filter((other) => other.game !== entry.game || other.turn !== entry.turn);
  save(table, [...others, { ...entry, key: newKey() }]);
}

/**
 * @param {string} table
 * @param {string} key
 * @param {Partial<Entry>} changes
 */
function change(table, key, changes) {
  save(table, entries(table).map((entry) => (entry.key === key ? { ...entry, ...changes } : entry)));
}

/**
 * @param {string} table
 * @param {string} key
 */
export function drop(table, key) {
  save(table, entries(table).filter((entry) => entry.key !== key));
}

/**
 * Whether the page shows the version that an entry led to: then it has arrived for good.
 * @param {Entry} entry
 * @param {number} version
 */
export const isShown = (entry, version) => entry.version !== undefined && entry.version <= version;

/**
 * @param {string} table
 * @param {number} version
 */
export function prune(table, version) {
  const list = entries(table);
  const left = list.filter((entry) => !isShown(entry, version));
  if (left.length < list.length) save(table, left);
}

/** @param {string} table */
export const unsent = (table) => entries(table).filter((entry) => entry.version === undefined);

/**
 * The turn to be written next: the first that neither the sheet nor the queue has; null when the game is full.
 * @param {Pad} pad
 * @param {Entry[]} list
 * @returns {(Turn & { game: number }) | null}
 */
export function nextTurn(pad, list) {
  const taken = new Set(list.filter((entry) => entry.game === pad.game).map((entry) => entry.turn));
  const found = pad.turns.find(({ turn }) => !taken.has(turn));
  return found ? { game: pad.game, ...found } : null;
}

/**
 * How many rolls a player has kept before this turn: what their last turn left over is all of it.
 * @param {Pad} pad
 * @param {Entry[]} list
 * @param {Turn & { game: number }} at
 */
export function savedBefore(pad, list, { game, turn, seat }) {
  const before = list.filter((entry) => entry.game === game && entry.seat === seat && entry.turn < turn && !isShown(entry, pad.version));
  return before.at(-1)?.saved ?? pad.seats[seat].saved;
}

/**
 * Send one after the other, in order, until nothing is left that could be sent.
 * @param {Pad} pad
 */
export async function flush({ id, links, command }) {
  for (;;) {
    const entry = unsent(id)[0];
    if (!entry || entry.refused) return;
    const { key, game, turn, dice, box, saved } = entry;
    const answer = await ask(links.commands, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ command, key, game, turn, dice, box, saved }),
    });
    if (isUnwell(answer)) throw new Error("the server is not well, or busy");
    /** @type {{ version: number, message: string }} */
    const told = await answer.json();
    change(id, key, answer.ok ? { version: told.version } : { refused: told.message });
  }
}
