// What a person does on the page of a sheet: taps and keys become dice that are typed, and entries. One after the
// other: a tap that comes while an entry is being kept waits for it, and none is lost.

import { announce, byId, one, say, whenStill } from "../core/page.js";
import { judge, sayReason } from "./judge.js";
import { paint, sayWhatToTap } from "./painting.js";
import { consequences, lastTurn } from "./sheet.js";
import {
  add, append, byRolls, cardNow, copyTurns, diceNow, draft, isLocal, labelOf, mostLeft, mostRolls, newKey, next, now,
  refold, refusedEntry, restore, retype, settle as settled, takeBack, turnAt, wanted,
} from "./state.js";
import { askToStay, change, remember } from "./store.js";

/** @import { Act, Draft, Place, Sheet } from "./state.js" */

/** @type {() => void} */
let sendSoon = () => {};
/** @param {() => void} send */
export const sendWith = (send) => { sendSoon = send; };

/** @type {() => void} */
let begin = () => {};
/** @type {Promise<unknown>} */
let tail = new Promise((done) => { begin = () => done(undefined); });
/** What was tapped before the sheet was there counts as well. */
export const startTaps = () => begin();

/**
 * The same, after all that was done before.
 * @template {unknown[]} T @param {(...args: T) => unknown} run @returns {(...args: T) => void}
 */
export const inTurn = (run) => (...args) => {
  document.body.dataset.keeping = "";
  const done = () => { if (tail === own) delete document.body.dataset.keeping; };
  const go = () => (now.pad.keeper ? run(...args) : undefined);
  const own = tail.then(whenStill).then(go).catch(reportError).then(done);
  tail = own;
};

// --- typing ---

/** @param {Partial<Draft>} changes */
export function type(changes) {
  now.question = null;
  stopCoach();
  now.typed = retype(draft(), next(), changes); // without a correction that another phone has ended
  saveTyped();
  paint();
}

/** @type {Promise<void> | null} */
let saving = null;

/** Keep what is typed, in the background: it is on the page already, and the last of it counts. */
function saveTyped() {
  saving ??= saveLatest().finally(() => { saving = null; });
  return saving;
}

/** Wait until every tap so far is done and kept. */
export async function finishTaps() {
  let last;
  do {
    last = tail;
    await last;
    await saveTyped();
  } while (last !== tail);
}

/** A sheet that moves to the server while this is written has another id afterwards. */
async function saveLatest() {
  /** @type {[unknown, string]} */
  let saved;
  do {
    const { typed, sheet: { id } } = now;
    await change(id, (sheet) => sheet && { ...sheet, typed }, { must: true, durability: "relaxed", quiet: true });
    saved = [typed, id];
  } while (saved[0] !== now.typed || saved[1] !== now.sheet.id);
}

function stopTyping() {
  now.question = null;
  now.asksDice = false;
  now.typed = null;
  stopCoach();
}

export function cancel() {
  stopTyping();
  saveTyped();
  paint();
}

export function stopCoach() {
  now.coaching = null;
  now.advised = null;
}

/** @param {string} face */
export function press(face) {
  const key = byId(`face-${face}`);
  const { faces } = draft();
  const isShut = !now.pad.keeper || !key || key.hidden || byId("keypad")?.hidden;
  if (isShut || !(draft().fix ?? next()) || faces.length >= wanted()) return;
  const count = wanted() - faces.length - 1;
  announce(say(count ? "die-added" : "last-die-added", { face, count }));
  type({ faces: faces + face, change: null });
  if (count) return;
  if (byRolls()) layDice();
  const done = settleBox();
  focusNext("#card .legal, #card .zero");
  return done;
}

/** @param {string} selector where a person with a keyboard goes on */
function focusNext(selector) {
  if (now.byKeys) one(selector, HTMLElement)?.focus({ preventScroll: true });
}

/** A roll is complete: the dice that stay keep their places, the others come in theirs. */
function layDice() {
  const { faces, rolls, held } = draft();
  const before = rolls.at(-1)?.dice ?? "";
  const fallen = [...faces];
  const lies = (/** @type {number} */ slot) => (before && held.includes(slot) ? before[slot] : fallen.shift());
  const dice = Array.from({ length: now.rules.dice }, (_, slot) => lies(slot)).join("");
  type({ faces: "", rolls: [...rolls, { dice, held: before ? held : [] }] });
}

/** @param {number} slot */
export function hold(slot) {
  const { held } = draft();
  type({ held: held.includes(slot) ? held.filter((each) => each !== slot) : [...held, slot].sort(), faces: "" });
}

/** Hold just these dice, as taps would. @param {string} dice @param {string} meant */
export function holdAll(dice, meant) {
  const rest = [...meant];
  const take = (/** @type {string} */ face) => rest.includes(face) && rest.splice(rest.indexOf(face), 1);
  type({ held: [...dice].flatMap((face, slot) => (take(face) ? [slot] : [])) });
  byId("face-1")?.focus({ preventScroll: true });
}

/** The dice of a box that was chosen before: if they bring what was said, there is nothing left to ask. */
function settleBox() {
  const { box, points } = draft();
  const card = cardNow();
  const dice = diceNow();
  if (!box || !card || !dice) return;
  const entry = judge(now.rules, card, dice).boxes[box];
  now.asksDice = false;
  if (entry && (points === null || entry.points === points)) return choose(box, entry.points, dice);
  return type({ box: null, points: null });
}

export function back() {
  const { faces, rolls } = draft();
  if (!faces && !rolls.length) return;
  announce(faces ? say("die-removed", { face: faces.slice(-1) }) : say("roll-removed"));
  if (faces) type({ faces: faces.slice(0, -1), change: null });
  else type({ rolls: rolls.slice(0, -1), held: rolls[rolls.length - 1].held });
}

// --- boxes ---

/** A box was tapped: with all dice it is written, else a number for it is asked. @param {string} box */
export function tap(box) {
  const card = cardNow();
  const at = next();
  if (!card || !now.pad.keeper) return;
  const mark = card.marks[now.rules.index.get(box) ?? 0];
  if (mark !== null && at && !draft().fix) return fix({ game: at.game, turn: findTurn(at, box) });
  const dice = diceNow();
  if (!dice && draft().faces && !draft().fix) return announce(sayWhatToTap()); // these dice stay
  if (!dice) {
    const isAgain = draft().box === box && !draft().fix;
    type(isAgain ? { box: null, points: null } : { box, points: null, faces: "", change: null });
    return focusNext("#panel .number");
  }
  const ruling = judge(now.rules, card, dice);
  const entry = ruling.boxes[box];
  if (!entry) return announce(sayReason(now.rules, now.words, ruling.closed[box])); // the sentence stands in the dock
  if (!entry.points && ruling.zeroAsks && !draft().fix) return ask(box);
  return choose(box, entry.points, dice);
}

/** @param {{ game: number, seat: number }} at @param {string} box */
function findTurn({ game, seat }, box) {
  return now.state.played[game].turns.findIndex((turn) => turn.seat === seat && turn.box === box);
}

/** @param {string | null} box */
export function ask(box) {
  const before = now.question;
  now.question = box;
  paint();
  if (!box) byId(`box-${before}`)?.focus();
}

/** Yes, a zero: once, and for the player who was asked about. @param {string} box */
export function scoreZero(box) {
  const dice = diceNow();
  return now.question === box && dice ? choose(box, 0, dice) : undefined;
}

/** @param {import("./judge.js").Answer} answer */
export function chooseNumber({ points, dice }) {
  const { box } = draft();
  if (!box) return;
  if (dice === null) return choose(box, points, null);
  askDice(points);
  return announce(say("tell-dice"));
}

/** @param {number | null} points */
export function askDice(points) {
  now.asksDice = true;
  type({ points, faces: "" });
}

/** @param {string} box @param {number} points @param {string | null} dice null where only the number is known */
export function choose(box, points, dice) {
  const { fix: fixing, left, rolls, instead } = draft();
  const at = next();
  const over = now.rules.saves ? { saved: rolls.length ? mostRolls() - rolls.length : Math.min(left, mostLeft()) } : {};
  if (fixing) {
    const entry = dice === null ? { points } : { dice };
    const own = draft().along.filter((each) => each.dice || each.points !== undefined); // they replace entries too
    return type({ change: { ...fixing, box, ...entry, ...over }, along: own, box, points, faces: dice ?? "" });
  }
  if (!at || (instead.length && !refusedEntry())) return cancel(); // another window has settled the entry
  const { game, turn, seat } = at;
  const noted = rolls.length ? { rolls } : {}; // one by one
  const op = { command: "write", game, turn, seat, box, dice, points, ...over, ...noted };
  return act(op, say("written", { name: now.state.names[seat], points, box: labelOf(box) }), instead);
}

// --- entries ---

/** Show what a change in the store has led to. @param {Sheet | null} sheet @param {boolean} isKept */
async function take(sheet, isKept) {
  if (sheet) now.sheet = sheet;
  now.isKept = isKept;
  await whenStill();
  refold();
  paint();
}

/**
 * Do something: shown as soon as it is kept, and sent as soon as the server answers.
 * @param {Act} op @param {string} [said] @param {string[]} [instead] the keys of the refused entries that it replaces
 */
export async function act(op, said = "", instead = []) {
  const [keyed, { rules, pad }] = [{ ...op, key: newKey() }, now];
  await step((sheet) => add(sheet, keyed, rules, sheet.base ?? pad, instead), said);
}

/**
 * @param {(sheet: Sheet) => Sheet} change_ @param {string} said @param {boolean} [isTyping] whether what is typed stays
 */
async function step(change_, said, isTyping = false) {
  let isDone = true;
  const { sheet, isKept } = await change(now.sheet.id, (before) => {
    const found = before ?? (isLocal(now.sheet.id) ? null : now.sheet); // the storage was cleared meanwhile
    const after = found && change_(found);
    isDone = after !== found;
    return after;
  });
  if (!isTyping && sheet) stopTyping(); // the dice of a sheet that another window has moved go there too
  await take(sheet, isKept);
  focusNext("#card .pad-box:not(.done), #next-game");
  announce(isDone ? said : say("changed-elsewhere"));
  sendSoon();
  askToStay();
}

export async function undo() {
  const at = lastTurn(now.state);
  if (!at) return;
  const [key, was, { rules, pad }] = [newKey(), copyTurns([at]), now];
  const said = say("taken-back", { name: now.state.names[turnAt(at).seat], box: labelOf(turnAt(at).box) });
  await step((sheet) => takeBack(sheet, { command: "erase", ...at, was, key }, rules, sheet.base ?? pad), said);
}

/** @param {Place} at */
export function fix(at) {
  if (!turnAt(at)) return announce(say("changed-elsewhere")); // it was taken back while the tap waited
  const { seat, box, saved } = turnAt(at);
  now.asksDice = false;
  const was = copyTurns([at]);
  type({ faces: "", box, points: null, left: saved, fix: at, change: null, along: [], instead: [], was });
  focusNext("#panel .number");
  announce(say("correcting", { name: now.state.names[seat], box: labelOf(box) }));
}

export function saveFix() {
  const { change: changed, along, instead } = draft();
  if (!changed) return undefined;
  const changes = [changed, ...along]; // they stand as the person saw them, or the draft would be empty
  return act({ command: "correct", changes, was: copyTurns(changes) }, say("corrected"), instead);
}

/** Write a refused entry anew, with its dice. @param {import("./panels.js").Written} op @param {string} key */
export function rewrite({ dice, rolls, box, saved = 0 }, key) {
  type({ ...(rolls ? { rolls, held: [] } : dice ? { faces: dice } : { box }), left: saved, instead: [key] });
}

/**
 * Write my numbers in place of the ones on the sheet. Where a later entry could not stand with them, that is shown
 * first, and the person chooses; until then nothing is given up.
 * @param {import("./sheet.js").Change[]} changes @param {string[]} keys of the entries
 */
export function takeMine(changes, keys) {
  const [changed, ...along] = changes;
  if (!changes.every(turnAt)) return announce(say("changed-elsewhere"));
  if (!isPossible(changes)) {
    const { game, turn, box = null, dice } = changed;
    const left = changed.saved ?? turnAt(changed).saved;
    const fixing = { fix: { game, turn }, change: changed, along, instead: keys, was: copyTurns(changes) };
    return type({ faces: dice ?? "", box, points: null, left, ...fixing });
  }
  return act({ command: "correct", changes, was: copyTurns(changes) }, "", keys);
}

/** @param {import("./sheet.js").Change[]} changes */
function isPossible(changes) {
  try { return !consequences(now.state, changes).problems.length; } catch { return true; } // the server says why not
}

/** What was refused has been settled: the rest is tried again. @param {string[]} keys that are discarded */
export async function discard(keys) {
  await step((sheet) => settled(sheet, keys), "", true);
}

/** Entries from another phone: the server judges them. @param {import("./state.js").Op[]} ops */
export const takeOps = (ops) => step((sheet) => append(sheet, ops), "", true);

/** Write again what the server has lost, or give it up. @param {import("./state.js").Op[]} ops */
export const answerLost = (ops) => step((sheet) => restore(sheet, ops), "", true);

/** @param {string | undefined} mode */
export function chooseMode(mode) {
  now.mode = mode ?? null;
  remember("mode", mode);
  cancel();
}
