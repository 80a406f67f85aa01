// What was done here and is not at the server yet, and what it did not take: a person sees both and chooses.

import { button, byId, make } from "../core/page.js";
import { say } from "../core/words.js";
import { unsent } from "./queue.js";
import { judge } from "./judge.js";
import { cardBefore, next } from "./sheet.js";

/** @typedef {import("./queue.js").Sent} Sent */
/** @typedef {import("./pad.js").Pad} Pad */
/** @typedef {{ game: number, turn: number, seat: number, dice: string | null, points: number, box: string, saved?: number, rolls?: import("./draft.js").Rolled[] }} Written */
/**
 * @typedef {object} Waiting
 * @property {Pad} pad
 * @property {import("./sheet.js").State} state
 * @property {import("./judge.js").Rules} rules
 * @property {import("./judge.js").Words} words
 */
/** @typedef {{ drop: string[], op?: { command: string, [field: string]: unknown } }} Way */

/** @type {Record<string, string>} */
const SAID = { next: "op-next", erase: "op-erase", correct: "op-correct", pass: "op-pass", join: "op-join", retire: "op-retire", rejoin: "op-rejoin", rename: "op-rename", end: "op-end" };

/** @param {Waiting & { settle: (way: Way) => void }} waiting */
export function paintWaiting(waiting) {
  const place = byId("waiting");
  const list = waiting.pad.local ? [] : unsent(waiting.pad.id);
  if (!place) return;
  place.hidden = !list.length;
  const title = make("h2", "", say("waiting", { count: list.length }));
  place.replaceChildren(...(list.length ? [title, make("ul", "", list.map((sent) => make("li", "", [told(waiting, sent), ...leave(waiting, sent)])))] : []));
}

/**
 * Why an entry waits that nothing else asks about, and the way out: another player has to write first.
 * @param {Waiting & { settle: (way: Way) => void }} waiting
 * @param {Sent} sent
 */
function leave(waiting, sent) {
  const { pad, state, settle } = waiting;
  const isAsked = unsent(pad.id).some((each) => each.refused && mayAsk(waiting, each));
  if (isAsked || !(sent.refused || state.refused.has(sent.op.key))) return [];
  return [`. ${sent.refused?.message ?? ""} `, button("", say("discard"), () => settle({ drop: [sent.op.key] }))];
}

/**
 * Whether it can be settled now. The turn of another player comes first: until then the keys are for that player.
 * @param {Waiting} waiting
 * @param {Sent} sent
 */
function mayAsk({ pad, state }, sent) {
  const at = next(state);
  return !at || sent.op.command !== "write" || sent.op.seat === at.seat || standsFor(pad, sent) !== null;
}

/**
 * @param {Waiting} waiting
 * @param {Sent} sent
 */
function told(waiting, { op }) {
  if (op.command === "write") return describeTurn(waiting, /** @type {Written} */ (/** @type {unknown} */ (op)));
  if (op.command === "correct") return describeCorrection(waiting, /** @type {any} */ (op));
  const undone = op.command === "erase" ? describeStanding(waiting, /** @type {any} */ (op)) : "";
  if (undone) return say("undo-entry", { entry: undone });
  return say(SAID[op.command] ?? "not-taken", { name: String(op.name ?? waiting.state.names[Number(op.seat)] ?? ""), game: Number(op.game ?? 0) + 1 });
}

/**
 * @param {Waiting} waiting
 * @param {{ seat: number, dice: string | null, points: number, box: string }} written
 */
export function describeTurn({ state, rules, words }, { seat, dice, points, box }) {
  const values = { name: state.names[seat] ?? "", points, box: words.names.boxes[rules.index.get(box) ?? 0] ?? box, dice: [...(dice ?? "")].join("-") };
  return say(dice ? "entry-dice" : "entry-points", values);
}

/**
 * Each entry as it was when it was corrected, and what it should be.
 * @param {Waiting} waiting
 * @param {{ changes: import("./sheet.js").Change[], was?: Omit<Written, "seat">[] }} op
 */
function describeCorrection(waiting, { changes, was = [] }) {
  const { state, rules } = waiting;
  return changes.map((change) => {
    const { game, turn } = change;
    const stands = state.played[game]?.turns[turn];
    const seen = was.find((each) => each.game === game && each.turn === turn);
    if (!stands || !seen) return say("op-correct");
    const [box, dice] = [change.box ?? seen.box, change.dice ?? (change.points === undefined ? seen.dice : null)];
    const points = dice ? judge(rules, cardBefore(state, game, turn), dice).boxes[box]?.points : change.points;
    const { seat } = stands;
    const [before, after] = [{ ...seen, seat }, { seat, dice, points: points ?? seen.points, box }].map((each) => describeTurn(waiting, each));
    return say("correct-to", { before, after });
  }).join("; ");
}

/**
 * What stands on the sheet at a place; "" where nothing does.
 * @param {Waiting} waiting
 * @param {import("./draft.js").Place} place
 */
function describeStanding(waiting, { game, turn }) {
  const stands = waiting.pad.played[game]?.turns[turn];
  return stands ? describeTurn(waiting, { ...stands, dice: stands.told === false ? null : stands.dice }) : "";
}

/**
 * The first thing that was refused, and the ways out of it: each is one tap, and nothing has to be typed again.
 * @param {Waiting & { settle: (way: Way) => void, rewrite: (op: Written, key: string) => void }} waiting
 */
export function conflictPanel(waiting) {
  const { pad, settle, rewrite } = waiting;
  const refused = unsent(pad.id).filter((sent) => sent.refused && mayAsk(waiting, sent));
  const [first] = refused;
  if (!first) return null;
  const clash = refused.filter((sent) => standsFor(pad, sent));
  if (standsFor(pad, first)) return { clash: true, panel: clashPanel(waiting, clash) };
  const { changes: [changed] = [undefined] } = /** @type {{ changes?: import("./sheet.js").Change[] }} */ (/** @type {unknown} */ (first.op));
  const stands = changed ? describeStanding(waiting, changed) : "";
  const line = make("p", "refused", [`${told(waiting, first)}. ${first.refused?.message ?? ""}`, ...(stands ? [make("br"), make("strong", "", `${say("theirs")} `), stands] : [])]);
  line.setAttribute("role", "alert");
  const discard = button("", say("discard"), () => settle({ drop: [first.op.key] }));
  const change = first.op.command === "write" && next(waiting.state) ? [button("primary", say("change"), () => rewrite(/** @type {any} */ (first.op), first.op.key))] : [];
  return { clash: false, panel: [line, make("div", "buttons", [...change, discard])] };
}

/**
 * What stands on the sheet where this entry should be. Where it is the turn of another player, the entry cannot replace it.
 * @param {Pad} pad
 * @param {Sent} sent
 */
function standsFor(pad, { op }) {
  const stands = op.command === "write" ? pad.played[Number(op.game)]?.turns[Number(op.turn)] : null;
  return stands?.seat === op.seat ? stands ?? null : null;
}

/**
 * @param {Waiting & { settle: (way: Way) => void }} waiting
 * @param {Sent[]} clash
 */
function clashPanel(waiting, clash) {
  const { pad, settle } = waiting;
  const keys = clash.map(({ op }) => op.key);
  const rows = clash.map((sent) => {
    const stands = standsFor(pad, sent);
    return make("li", "", [
      make("p", "", [make("strong", "", `${say("mine")} `), told(waiting, sent)]),
      make("p", "", [make("strong", "", `${say("theirs")} `), stands ? describeTurn(waiting, { ...stands, dice: stands.told === false ? null : stands.dice }) : ""]),
    ]);
  });
  const mine = button("", say("take-mine", { count: keys.length }), () => settle({ drop: keys, op: replacing(pad, clash) }));
  mine.id = "take-mine";
  const theirs = button("primary", say("take-theirs", { count: keys.length }), () => settle({ drop: keys }));
  theirs.id = "take-theirs";
  return [make("ul", "clash", rows), make("div", "buttons", [theirs, mine])];
}

/**
 * My entries in the place of those that stand, if they still do.
 * @param {Pad} pad
 * @param {Sent[]} clash
 */
function replacing(pad, clash) {
  const written = clash.map(({ op }) => /** @type {Written} */ (/** @type {unknown} */ (op)));
  const changes = written.map(({ game, turn, dice, points, box, saved }) => ({ game, turn, box, ...(dice ? { dice } : { points }), ...(saved === undefined ? {} : { saved }) }));
  const was = written.map(({ game, turn }) => { const { dice, points, box, told: known } = pad.played[game].turns[turn]; return { game, turn, dice: known ? dice : null, points, box }; });
  return { command: "correct", changes, was };
}
