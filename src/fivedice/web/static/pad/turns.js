// Turns of a sheet by their places.

import { empty, put } from "./judge.js";

/** @typedef {import("./sheet.js").State} State */

/**
 * The card of a player as it was when a turn was written.
 * @param {State} state
 * @param {number} game
 * @param {number} turn
 */
export function cardBefore(state, game, turn) {
  const { turns } = state.played[game];
  const { seat } = turns[turn];
  return turns.slice(0, turn).filter((each) => each.seat === seat).reduce((card, each) => put(state.rules, card, each.box, each, each.saved), empty(state.rules));
}

/**
 * The turn that was written last, also of the game before.
 * @param {State} state
 * @returns {{ game: number, turn: number } | null}
 */
export function lastTurn(state) {
  for (let game = state.played.length - 1; game >= 0; game -= 1) {
    const { length } = state.played[game].turns;
    if (length) return { game, turn: length - 1 };
  }
  return null;
}
