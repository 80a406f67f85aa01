// What is being entered and not written yet: dice, or a box and its number; for the next turn, or for one that is being
// corrected. It is kept with the sheet, so a reload loses nothing, and it belongs to one turn: dice never stay under the
// next name.

import { keep, kept } from "./queue.js";

/** @typedef {{ game: number, turn: number }} Place */
/** @typedef {Place & { seat: number }} Seated */
/** @typedef {import("./sheet.js").Change} Change */
/** @typedef {{ dice: string, held: number[] }} Rolled the dice by place, and the places that stayed before them */
/**
 * @typedef {object} Draft
 * @property {string} faces the dice that were tapped
 * @property {Rolled[]} rolls of this turn, where it is told roll by roll
 * @property {number[]} held the places of the dice that stay in the next roll
 * @property {string | null} box the box that was tapped first
 * @property {number | null} points the number for it, where the dice have to be told too
 * @property {number} left rolls that the turn left over, where they are kept
 * @property {Place | null} fix the turn that is being corrected
 * @property {Change | null} change what it should have been
 * @property {Change[]} along what has to change with it
 * @property {string | null} instead the key of the refused entry that it replaces
 */

/** @type {Draft} */
const NOTHING = { faces: "", rolls: [], held: [], box: null, points: null, left: 0, fix: null, change: null, along: [], instead: null };

/** @typedef {Partial<Draft> & { at?: string }} Typed as it is kept, with the turn it is for */
/** @type {{ sheet: string, typed: Typed | null } | null} */
let known = null; // it is asked for many times a tap

/** @param {Seated | null} at */
const named = (at) => (at ? `${at.game}/${at.turn}/${at.seat}` : "");

/**
 * @param {string} sheet
 * @param {Seated | null} next the turn to be written
 * @returns {Draft}
 */
export function draftOf(sheet, next) {
  if (known?.sheet !== sheet) known = { sheet, typed: kept(sheet, "typed", null) };
  const { typed } = known;
  return typed && typed.at === named(next) ? { ...NOTHING, ...typed } : NOTHING;
}

/**
 * @param {string} sheet
 * @param {Seated | null} next
 * @param {Partial<Draft>} changes
 */
export function redraft(sheet, next, changes) {
  save(sheet, { ...draftOf(sheet, next), ...changes, at: named(next) });
}

/** @param {string} sheet */
export const forgetDraft = (sheet) => save(sheet, null);

/**
 * @param {string} sheet
 * @param {Typed | null} typed
 */
function save(sheet, typed) {
  known = { sheet, typed };
  keep(sheet, "typed", typed);
}
