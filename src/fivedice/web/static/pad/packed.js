// The turns of a sheet as the page has them, short: `_turn` in web/pad/pad_page.py.

/** @typedef {import("./judge.js").Rules} Rules */
/** @typedef {import("./sheet.js").Game} Game */
/** @typedef {import("./sheet.js").Turn} Turn */
/** @typedef {[seat: number, dice: string, box: number, points: number, extra?: number, joker?: number, saved?: number, untold?: number, rolled?: number]} Packed */

/**
 * @param {(Omit<Game, "turns"> & { turns: (Packed | Turn)[] })[]} played
 * @param {Rules} rules
 * @returns {Game[]}
 */
export const unpacked = (played, rules) => played.map((game) => ({ ...game, turns: game.turns.map((turn) => (Array.isArray(turn) ? turnOf(turn, rules) : turn)) }));

/**
 * @param {Packed} packed
 * @param {Rules} rules
 * @returns {Turn}
 */
function turnOf([seat, dice, box, points, extra = 0, joker = 0, saved = 0, untold = 0, rolled = 0], rules) {
  return { seat, dice, box: rules.boxes[box][0], points, extra, joker: Boolean(joker), saved, told: !untold, ...(rolled ? { rolled } : {}) };
}
