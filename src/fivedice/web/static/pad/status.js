// Whose turn it is, where the sheet stands, and who has won: the lines above the card, and what comes after a game.

import { byId, make } from "../core/page.js";
import { say } from "../core/words.js";
import { totals } from "./judge.js";
import { cards, next, outcome } from "./sheet.js";
import { listed } from "./said.js";

/** @typedef {import("./sheet.js").State} State */
/** @typedef {import("./pad.js").Pad} Pad */
/**
 * @typedef {object} Status
 * @property {Pad} pad
 * @property {State} state
 * @property {import("./judge.js").Words} words
 * @property {boolean} fixing
 * @property {boolean} offline
 * @property {number} waiting
 * @property {boolean} onlyHere whether what waits would be lost with the page
 */

/** @param {Status} status */
export function paintStatus({ pad, state, words, fixing, offline, waiting, onlyHere }) {
  const at = next(state);
  const title = headline(state);
  document.body.classList.toggle("playing", at !== null);
  byId("headline")?.replaceChildren(fixing ? say("correct-entry") : title);
  document.title = `${title} · ${words.names.book} · Fivedice`;
  byId("round")?.replaceChildren(rounds(state));
  const net = byId("net");
  const kept = waiting && onlyHere ? say("only-here") : pad.local || !offline ? "" : waiting ? say("kept-here", { count: waiting }) : say("no-connection");
  net?.replaceChildren(kept);
  net?.toggleAttribute("hidden", !kept);
  byId("round")?.toggleAttribute("hidden", Boolean(kept)); // it takes the same place: nothing moves
  paintScores(state);
  paintEnd(pad, state, at === null);
}

/** @param {State} state */
export function headline(state) {
  const at = next(state);
  if (at) return say("turn-of", { name: state.names[at.seat] });
  const { match, games } = outcome(state);
  const last = games.at(-1);
  if (isOver(state)) return match && state.games > 1 ? result(WON.match, state, match) : last ? result(WON.game, state, last) : say("ended");
  return last ? say("game-result", { game: games.length, result: result(WON.game, state, last) }) : "";
}

/** @param {State} state */
export const isOver = (state) => state.phase === "finished" || state.phase === "ended";

/**
 * @param {[one: string, several: string]} kinds
 * @param {State} state
 * @param {{ winners: number[], points: number }} won
 */
function result([one, several], state, { winners, points }) {
  const kind = state.names.length === 1 ? "game-points" : winners.length > 1 ? several : one;
  return say(kind, { names: listed(winners.map((seat) => state.names[seat])), points });
}

/** @type {Record<"game" | "match" | "led", [string, string]>} */
const WON = { game: ["game-won", "game-shared"], match: ["match-won", "match-shared"], led: ["match-led", "match-level"] };

/** @param {State} state */
function rounds(state) {
  const at = next(state);
  const game = state.games > 1 ? [say("game-of", { game: state.played.length, games: state.games })] : [];
  const round = at ? [say("round-of", { round: at.round, rounds: state.rules.boxes.length })] : [];
  const card = at ? cards(state, at.game)[at.seat] : null;
  return [...game, ...round, ...(card?.saved ? [say("rolls-saved", { count: card.saved })] : [])].join(" · ");
}

/** Every total at a glance; on a wide screen the sheet itself shows them. @param {State} state */
function paintScores(state) {
  const list = byId("scores");
  const at = next(state);
  const game = state.played.length - 1;
  const chips = cards(state, game).map((card, seat) => {
    const chip = make("li", seat === at?.seat ? "on-turn" : "", [make("bdi", "", state.names[seat]), " ", make("strong", "", String(totals(state.rules, card).grand))]);
    if (state.out.has(seat)) chip.classList.add("gone");
    return chip;
  });
  list?.replaceChildren(...chips);
}

/**
 * @param {Pad} pad
 * @param {State} state
 * @param {boolean} full
 */
function paintEnd(pad, state, full) {
  const over = isOver(state);
  const between = byId("between");
  between?.toggleAttribute("hidden", !full || over);
  byId("ending")?.toggleAttribute("hidden", !over);
  const more = byId("next-game");
  const led = outcome(state).match;
  byId("standing")?.replaceChildren(!over && led && state.games > 1 && state.names.length > 1 ? `${result(WON.led, state, led)}.` : "");
  if (more) more.textContent = say("start-game", { game: state.played.length + 1, games: state.games });
  more?.toggleAttribute("hidden", !pad.keeper);
}
