// The games of a sheet in Fivedice's own notation, as JSON: what game_from_json in notation/jsonform.py reads, and with it
// `fivedice replay` and `fivedice report`. Nothing here touches the page or its storage.

import { sorted, totals } from "./judge.js";
import { cards } from "./sheet.js";

/** @typedef {import("./sheet.js").Game} Game */
/** @typedef {import("./sheet.js").State} State */
/** @typedef {import("./sheet.js").Turn} Turn */
/** @typedef {{ dice: string, held: number[] }[]} Rolls one by one: the dice as they lay, and the places that stayed */

const FORMAT = 1;

/**
 * @param {State} state
 * @param {(game: number, turn: number) => Rolls | null} rolls where they are known
 */
export const recordOf = (state, rolls) => state.played.map((_, game) => gameOf(state, game, rolls));

/**
 * @param {State} state
 * @param {number} game
 * @param {(game: number, turn: number) => Rolls | null} rolls
 */
function gameOf(state, game, rolls) {
  const { rules, names, played } = state;
  const { first, turns, seats = names.length } = played[game];
  const columns = cards(state, game).slice(0, seats);
  const left = leavers(state, game, columns.map((card) => !card.marks.includes(null)));
  const absent = left.filter((seat) => !turns.some((turn) => turn.seat === seat));
  const noted = noteAll(state, game, left, rolls);
  return {
    format: FORMAT, book: rules.key, fingerprint: rules.fingerprint, players: names.slice(0, seats), first, roll_off: null, tags: {},
    ...(absent.length ? { absent } : {}), turns: noted,
    finished: columns.every((card, seat) => left.includes(seat) || !card.marks.includes(null)), totals: columns.map((card) => totals(rules, card).grand),
  };
}

/**
 * Who had left when the game was over, or has left by now, before their column was full. Somebody always stays.
 * @param {State} state
 * @param {number} game
 * @param {boolean[]} full
 */
function leavers(state, game, full) {
  const gone = (state.played[game].out ?? [...state.out]).filter((seat) => full[seat] === false);
  return gone.length < full.length ? gone : gone.slice(1);
}

/**
 * The turns in order, with who was passed over before each and who left after it.
 * @param {State} state
 * @param {number} game
 * @param {number[]} left
 * @param {(game: number, turn: number) => Rolls | null} rolls
 */
function noteAll(state, game, left, rolls) {
  const { turns } = state.played[game];
  const skipped = passedOver(state, game, left);
  const isOdd = left.length > 0 || skipped.some((seats) => seats.length);
  return turns.flatMap((turn, number) => [
    ...skipped[number].map((seat) => ({ skip: seat })),
    { ...(isOdd ? { seat: turn.seat } : {}), ...turnOf(turn, rolls(game, number)) },
    ...(left.includes(turn.seat) && turns.findLastIndex(({ seat }) => seat === turn.seat) === number ? [{ leave: turn.seat }] : []),
  ]);
}

/**
 * Before every turn of a game, the seats that could have played and did not: round the table from whoever wrote last.
 * @param {Pick<State, "rules" | "names" | "played">} state
 * @param {number} game
 * @param {number[]} [left] who plays no more after their last turn
 * @returns {number[][]}
 */
export function passedOver({ rules, names, played }, game, left = []) {
  const { first, turns, seats = names.length } = played[game];
  return turns.map(({ seat }, number) => {
    const start = number ? turns[number - 1].seat + 1 : first;
    const between = Array.from({ length: (seat - start + 2 * seats) % seats }, (_, step) => (start + step) % seats);
    return between.filter((each) => mayPlay(turns, number, each, rules.boxes.length, left));
  });
}

/**
 * @param {Turn[]} turns
 * @param {number} number
 * @param {number} seat
 * @param {number} boxes
 * @param {number[]} left
 */
function mayPlay(turns, number, seat, boxes, left) {
  const before = turns.slice(0, number).filter((turn) => turn.seat === seat).length;
  const isGone = left.includes(seat) && !turns.slice(number).some((turn) => turn.seat === seat);
  return before < boxes && !isGone;
}

/**
 * @param {Turn} turn
 * @param {Rolls | null} rolls
 */
function turnOf({ dice, box, points, joker, saved, told }, rolls) {
  const scored = { box, points, joker };
  const over = saved ? { saved } : {};
  if (!told) return { rolls: [], keeps: [], by_points: true, ...over, ...scored };
  if (!rolls) return { rolls: [sorted(dice)], keeps: [], final_dice: true, ...over, ...scored };
  const keeps = rolls.slice(1).map(({ held }, number) => sorted(held.map((slot) => rolls[number].dice[slot]).join("")) || "-");
  return { rolls: rolls.map((roll) => sorted(roll.dice)), keeps, ...scored };
}
