// Phones without a page: what state.js, store.js and sending.js make of what people do, for the runs of owner_model.py.
// The server is at the other end of `serve`. A phone is the id of its sheet.

import { judge, prepare } from "/static/pad/judge.js";
import * as owner from "/static/pad/state.js";
import { flush } from "/static/pad/sending.js";
import { cards, consequences, lastTurn, next } from "/static/pad/sheet.js";
import { change, load } from "/static/pad/store.js";

/** @typedef {import("/static/pad/state.js").Pad} Pad */
/** @typedef {import("/static/pad/state.js").Sheet} Sheet */
/** @typedef {import("/static/pad/state.js").Act} Act */
/** @typedef {{ doing: string, pick: number, dice: string, other: string }} Step */
/** @typedef {(phone: string, body: string) => Promise<{ status: number, body: string, isLost: boolean }>} Serve */

/** @type {import("/static/pad/judge.js").Rules} */
let rules;
/** @type {Map<string, Step>} */
const meanwhile = new Map(); // what is done on a phone while its request is on its way,
/** @type {unknown[]} */
let done = []; // and what came of it

/** @param {{ table: import("/static/pad/judge.js").Table }} given */
async function begin({ table }) {
  const notAllowed = () => { throw new Error("not allowed"); }; // so that nothing takes time but requests
  Object.defineProperty(globalThis, "indexedDB", { configurable: true, get: notAllowed });
  rules = prepare(table);
  globalThis.fetch = async (address, options) => {
    const phone = String(address);
    const { serve } = /** @type {{ serve: Serve }} */ (/** @type {unknown} */ (globalThis));
    const { status, body, isLost } = await serve(phone, String(options?.body));
    const step = meanwhile.get(phone);
    meanwhile.delete(phone);
    if (step) done.push({ phone, step, came: await perform(phone, step) });
    if (isLost) throw new TypeError("the connection broke");
    return new Response(body, { status });
  };
}

/** @param {string} phone @param {(sheet: Sheet) => Sheet} step */
const changeIt = async (phone, step) => (await change(phone, (sheet) => (sheet ? step(sheet) : sheet))).sheet;
/** @param {string} phone */
const sheetOf = async (phone) => /** @type {Sheet & { base: Pad }} */ (await load(phone));
/** @param {Sheet & { base: Pad }} sheet */
const stateOf = (sheet) => owner.foldSheet(sheet, rules, sheet.base);

/** @param {string} phone @param {Act} op @param {string[]} [instead] */
async function act(phone, op, instead = []) {
  const keyed = { ...op, key: owner.newKey() };
  const add = (/** @type {any} */ sheet) => owner.add(sheet, keyed, rules, sheet.base, instead);
  const after = await changeIt(phone, add);
  return after?.queue.some((each) => each.op.key === keyed.key) ?? false;
}

/** @template T @param {T[]} list @param {number} pick */
const choose = (list, pick) => list[pick % list.length];

/** An entry for the player on turn, in one of the boxes that take the dice. @param {string} phone @param {Step} step */
async function write(phone, { pick, dice }, instead = /** @type {string[]} */ ([])) {
  const state = stateOf(await sheetOf(phone));
  const at = next(state);
  if (!at && state.phase === "between") await act(phone, { command: "next", game: state.played.length });
  if (!at) return null;
  const { boxes } = judge(rules, cards(state, at.game)[at.seat], dice);
  const box = choose(Object.keys(boxes), pick);
  const { points } = boxes[box];
  const { game, turn, seat } = at;
  const isDone = await act(phone, { command: "write", game, turn, seat, box, dice, points }, instead);
  return isDone ? { name: state.names[seat], box, points, shown: true } : null;
}

/** @param {string} phone */
async function undo(phone) {
  const sheet = await sheetOf(phone);
  const state = stateOf(sheet);
  const at = lastTurn(state);
  if (!at || state.phase === "ended") return null;
  const { seat, box, points } = state.played[at.game].turns[at.turn];
  const erase = { command: "erase", ...at, was: seen(state, [at]), key: owner.newKey() };
  await changeIt(phone, (before) => owner.takeBack(before, erase, rules, sheet.base));
  return { name: state.names[seat], box, points };
}

/** @param {import("/static/pad/sheet.js").State} state @param {{ game: number, turn: number }[]} places */
const seen = (state, places) => places.map(({ game, turn }) => {
  const { dice, points, box, told } = state.played[game].turns[turn];
  return { game, turn, dice: told ? dice : null, points, box };
});

/** @param {string} phone @param {Step} step */
async function correct(phone, { pick, other }) {
  const state = stateOf(await sheetOf(phone));
  const game = state.played.length - 1;
  const { turns } = state.played[game];
  if (!turns.length) return null;
  const turn = pick % turns.length;
  const { seat, box, points } = turns[turn];
  const changes = [{ game, turn, box, dice: other }];
  if (consequences(state, changes).problems.length) return null;
  if (!(await act(phone, { command: "correct", changes, was: seen(state, changes) }))) return null;
  const after = stateOf(await sheetOf(phone)).played[game].turns[turn];
  return { name: state.names[seat], box, was: points, points: after.points, shown: true };
}

/** @param {string} phone @param {Step} step */
async function people(phone, { doing, pick }) {
  const state = stateOf(await sheetOf(phone));
  const at = next(state);
  if (!at) return null;
  const { game, turn, seat } = at;
  if (doing === "pass") return act(phone, { command: "pass", game, turn, seat });
  if (doing === "join") return state.names.length < 4 && act(phone, { command: "join", name: `New ${pick}` });
  if (doing === "end") return act(phone, { command: "end" });
  return act(phone, { command: state.out.has(pick % 2) ? "rejoin" : "retire", seat: pick % 2 });
}

/** Send until nothing is left that could be sent; `step` is done while a request is on its way. */
async function send(/** @type {string} */ phone, /** @type {Step | null} */ step) {
  done = [];
  if (step) meanwhile.set(phone, step);
  await flush({ id: phone, links: { commands: phone } }).catch(() => {});
  meanwhile.delete(phone);
  return done;
}

/** What waits, whether it was refused, and whether there is a button for it. @param {string} phone */
async function waiting(phone) {
  const sheet = await sheetOf(phone);
  const stopped = stateOf(sheet).refused;
  return owner.listUnsent(sheet).map(({ op, refused }) =>
    ({ op, code: refused?.code ?? "", isAsked: Boolean(refused) || stopped.has(op.key) }));
}

/** @param {string} phone @param {{ key: string }} given */
async function discard(phone, { key }) {
  await changeIt(phone, (sheet) => owner.settle(sheet, [key]));
}

/** The refused entry in the place of the one that stands; null where there is none of this player. */
async function takeMine(/** @type {string} */ phone, /** @type {{ key: string }} */ { key }) {
  const sheet = await sheetOf(phone);
  const { game, turn, seat, dice, box } = /** @type {any} */ (sheet.queue.find(({ op }) => op.key === key)?.op);
  const state = stateOf(sheet);
  const stands = state.played[game]?.turns[turn];
  if (stands?.seat !== seat) return null;
  const changes = [{ game, turn, box, dice }];
  if (consequences(state, changes).problems.length) return null;
  if (!(await act(phone, { command: "correct", changes, was: seen(state, changes) }, [key]))) return null;
  return { name: state.names[seat], box: stands.box, points: stands.points };
}

/** The refused entry in another box, if it is the turn of its player. */
async function rewrite(/** @type {string} */ phone, /** @type {{ key: string, pick: number }} */ { key, pick }) {
  const sheet = await sheetOf(phone);
  const { seat, dice } = /** @type {any} */ (sheet.queue.find(({ op }) => op.key === key)?.op);
  if (next(stateOf(sheet))?.seat !== seat) return null;
  return write(phone, { doing: "write", pick, dice, other: "" }, [key]);
}

/** @param {string} phone @param {{ base: Pad }} given */
async function learn(phone, { base }) {
  await change(phone, (sheet) => owner.learn(sheet, { ...base, id: phone }));
}

/** @param {string} phone */
async function show(phone) {
  const { played, names } = stateOf(await sheetOf(phone));
  const cells = played.flatMap(({ turns }, game) => turns.map(({ seat, box, points }) => [game, seat, box, points]));
  return { names, cells };
}

/** @param {string} phone @param {Step} step */
const perform = (phone, step) => {
  if (step.doing === "write") return write(phone, step);
  if (step.doing === "undo") return undo(phone);
  return step.doing === "correct" ? correct(phone, step) : people(phone, step);
};

/** @type {Record<string, (phone: any, given: any) => unknown>} */
export const doings = { begin, discard, learn, perform, rewrite, send, show, takeMine, waiting };
