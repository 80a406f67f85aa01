// Sheets that live on this phone: how each was set up; what was written is its queue. They need no server.

import { entries, forget, keep, kept, newKey } from "./queue.js";

/**
 * How a sheet was set up, as the form of a server has it.
 * @typedef {object} SetUp
 * @property {string} rules where the data of the rules is found
 * @property {string} page where people read the rules
 * @property {string} book its key, as a server knows it
 * @property {string} label its name, to be shown in the list
 * @property {string[]} names
 * @property {number} first
 * @property {number} games
 * @property {boolean} matchTotal
 * @property {"quick" | "rolls"} mode
 */
/** @typedef {{ id: string, setUp: SetUp, opened: string, table?: string }} Local */

const MOST = 40; // sheets that are kept
const ALL = "sheets";

/** The newest first. @returns {Local[]} */
export const list = () => kept(ALL, "list", []);

/** @param {string} id */
export const find = (id) => list().find((each) => each.id === id) ?? null;

/**
 * Keep a new sheet with those that are here, empty or brought from elsewhere.
 * @param {SetUp} setUp
 * @param {{ command: string, [field: string]: unknown }[]} [ops]
 * @param {string} [opened]
 * @returns {string} its id, or "" where there is no room; the others stay
 */
export function newSheet(setUp, ops = [], opened = new Date().toISOString()) {
  const before = list();
  if (before.length >= MOST) return "";
  const sheet = { id: `l-${newKey()}`, setUp, opened };
  const isKept = keep(sheet.id, "queue", ops.map((op) => ({ op: { ...op, key: newKey() } }))) && keep(ALL, "list", [sheet, ...before]);
  if (isKept) return sheet.id;
  remove(sheet.id);
  return "";
}

/** @param {string} id */
export function remove(id) {
  keep(ALL, "list", list().filter((each) => each.id !== id));
  forget(id);
}

/**
 * A server has it now: what was done here goes on as the queue of that table; false where there is no room for it.
 * @param {string} id
 * @param {string} table
 */
export function moved(id, table) {
  const isKept = keep(table, "typed", kept(id, "typed", null)) && keep(table, "queue", entries(id));
  if (isKept) remove(id);
  else forget(table);
  return isKept;
}

/**
 * The same people and rules as last time.
 * @returns {SetUp | null}
 */
export const last = () => list()[0]?.setUp ?? null;
