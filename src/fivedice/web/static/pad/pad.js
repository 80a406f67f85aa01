// The score pad under a thumb. What is on the sheet is the base that the server sent and what was done here since:
// fold(base, queue). Everything is painted from that, connected or not; the queue is sent when somebody answers.
// Rules are data (judge.js); without this file the page still works: dice are typed into a field, and forms post.

import { fetchPart, isOffline, look, part, setOffline, start } from "../core/live.js";
import { announce, around, ask as request, button, byId, isForPage, make, one } from "../core/page.js";
import { say } from "../core/words.js";
import { keepPage, startWorker, stayAwake } from "./awake.js";
import { leftOver, paintCard, zeroQuestion } from "./boxes.js";
import { numbers, paintDock, slots } from "./dock.js";
import { draftOf, forgetDraft, redraft } from "./draft.js";
import { effectPanel } from "./fixing.js";
import { answers, judge, mostSaved, prepare, reason } from "./judge.js";
import { paintPaper } from "./paper.js";
import { paintPeople } from "./people.js";
import { add, drop, entries, flush, isShown, keep, kept, prune, retry, unsent } from "./queue.js";
import { cardBefore, cards, fold, lastTurn, next as nextOf } from "./sheet.js";
import { baseOf, sendLocal } from "./local.js";
import { paintStatus } from "./status.js";
import { conflictPanel, paintWaiting } from "./waiting.js";
import { guardLinks } from "./links.js";

/** @typedef {import("./judge.js").Answer} Answer */
/** @typedef {import("./judge.js").Rules} Rules */
/** @typedef {import("./judge.js").Words} Words */
/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./draft.js").Place} Place */
/** @typedef {import("./sheet.js").Base} Base */
/** @typedef {import("./sheet.js").Change} Change */
/** @typedef {import("./sheet.js").State} State */
/**
 * What the page is told: `script_data` in web/pad/pad_page.py, or `baseOf` in local.js.
 * @typedef {Base & PadData} Pad
 */
/**
 * @typedef {object} PadData
 * @property {string} id
 * @property {number} version
 * @property {boolean} keeper
 * @property {boolean} playing
 * @property {boolean} [local] whether no server knows this sheet
 * @property {"quick" | "rolls"} mode
 * @property {number} rolled
 * @property {boolean} canEnter
 * @property {{ rules: string, commands: string, open: string, table: string, setUp: string, book: string }} links
 */

const RETRY = 4000; // milliseconds
/** @returns {Pad} */
const read = () => (part().dataset.pad ? JSON.parse(part().dataset.pad ?? "") : baseOf(part()));
let pad = read();
/** @type {Rules} */
let rules;
/** @type {Words} */
let words;
/** @type {State} */
let state;
let flushing = false;
/** @type {string | null} */
let question = null; // the box that waits for "score 0"
let asksDice = false; // for the box that was tapped first
/** @type {number | null} */
let sheet = null; // whose games are shown side by side
/** @type {string | null} */
let advised = null; // a box, by the coach

// --- where we are ---

const next = () => nextOf(state);
const draft = () => draftOf(pad.id, next());
const place = () => draft().fix ?? next();
const turnAt = (/** @type {Place} */ at) => state.played[at.game].turns[at.turn];

/** The card that is being written on: of the player on turn, or as it was when the corrected turn was written. */
function cardNow() {
  const { fix } = draft();
  const at = next();
  if (fix) return cardBefore(state, fix.game, fix.turn);
  return at ? cards(state, at.game)[at.seat] : null;
}

// Where dice lie on the table they were told roll by roll, and only the rolled ones are typed; else the final ones.
const byRolls = () => pad.mode === "rolls" && !pad.local && !isOffline() && !unsent(pad.id).length && !draft().fix && !draft().faces && !draft().box;
const isFull = () => draft().faces.length === rules.dice;
const mostLeft = () => { const card = cardNow(); return card ? mostSaved(rules, card) : 0; };

function refresh() {
  prune(pad.id, pad.version);
  state = fold({ ...pad, rules }, queued());
  paint();
}

const queued = () => entries(pad.id).filter((sent) => !isShown(sent, pad.version) && !sent.refused).map((sent) => sent.op);

// --- entering ---

/** @param {Partial<Draft>} changes */
function type(changes) {
  question = null;
  advised = null;
  redraft(pad.id, next(), changes);
  paint();
}

function cancel() {
  question = null;
  asksDice = false;
  forgetDraft(pad.id);
  paint();
}

/** @param {string} face */
function press(face) {
  if (!pad.keeper || !place() || !byId(`face-${face}`) || byId("keypad")?.hidden) return false;
  const { faces } = draft();
  if (faces.length >= rules.dice) return false;
  const count = rules.dice - faces.length - 1;
  announce(say(count ? "die-added" : "last-die-added", { face, count }));
  type({ faces: faces + face, change: null });
  if (!count) settleBox();
  return true;
}

/** The dice of a box that was chosen before: if they bring what was said, there is nothing left to ask. */
function settleBox() {
  const { box, points, faces } = draft();
  const card = cardNow();
  if (!box || !card) return;
  const entry = judge(rules, card, faces).boxes[box];
  asksDice = false;
  if (entry && (points === null || entry.points === points)) choose(box, entry.points, faces);
  else type({ box: null, points: null });
}

function back() {
  const { faces } = draft();
  if (!faces) return false;
  announce(say("die-removed", { face: faces.slice(-1) }));
  type({ faces: faces.slice(0, -1), change: null });
  return true;
}

/** A box was tapped: with all dice it is written, else a number for it is asked. @param {string} box */
function tap(box) {
  const card = cardNow();
  const at = next();
  if (!card || !pad.keeper) return;
  const mark = card.marks[rules.index.get(box) ?? 0];
  if (mark !== null && at && !draft().fix) return fix({ game: at.game, turn: state.played[at.game].turns.findIndex((turn) => turn.seat === at.seat && turn.box === box) });
  if (!isFull()) return type(draft().box === box && !draft().fix ? { box: null, points: null } : { box, points: null, faces: "", change: null });
  const ruling = judge(rules, card, draft().faces);
  const entry = ruling.boxes[box];
  if (!entry) return why(box);
  if (!entry.points && ruling.zeroAsks && !draft().fix) return ask(box);
  choose(box, entry.points, draft().faces);
}

/** Why a box is closed, aloud: the sentence stands in the dock. @param {string} box */
function why(box) {
  const card = cardNow();
  if (card) announce(reason(rules, words, judge(rules, card, draft().faces).closed[box]));
}

/** @param {string | null} box */
function ask(box) {
  const before = question;
  question = box;
  paint();
  if (!box) byId(`box-${before}`)?.focus();
}

/** @param {Answer} answer */
function chooseNumber({ points, dice }) {
  const { box } = draft();
  if (!box) return;
  if (dice === null) return choose(box, points, null);
  asksDice = true;
  type({ points, faces: "" });
  announce(say("tell-dice"));
}

/**
 * @param {string} box
 * @param {number} points
 * @param {string | null} dice null where the number was told alone
 */
function choose(box, points, dice) {
  const { fix: fixing, left } = draft();
  const at = next();
  const over = rules.saves ? { saved: Math.min(left, mostLeft()) } : {};
  if (fixing) {
    const told = dice === null ? { points } : { dice };
    return type({ change: { ...fixing, box, ...told, ...over }, along: [], box, points, faces: dice ?? "" });
  }
  if (!at) return;
  const { game, turn, seat } = at;
  act({ command: "write", game, turn, seat, box, dice, points, ...over }, say("written", { name: state.names[seat], points, box: labelOf(box) }));
}

/** @param {string} box */
const labelOf = (box) => words.names.boxes[rules.index.get(box) ?? 0];

/**
 * Do something: at once on this page, and at the server as soon as it answers.
 * @param {{ command: string, [field: string]: unknown }} op
 * @param {string} [said]
 */
function act(op, said = "") {
  add(pad.id, op, (key) => state.taken.has(key));
  question = null;
  asksDice = false;
  forgetDraft(pad.id);
  refresh();
  if (said) announce(said);
  sendQueue();
}

// --- taking back and correcting ---

function undo() {
  const at = lastTurn(state);
  if (!at) return;
  const waits = unsent(pad.id).find(({ op, tried }) => op.command === "write" && !tried && op.game === at.game && op.turn === at.turn);
  const said = say("taken-back", { name: state.names[turnAt(at).seat], box: labelOf(turnAt(at).box) });
  if (!waits) return act({ command: "erase", game: at.game, turn: at.turn }, said);
  drop(pad.id, waits.op.key);
  forgetDraft(pad.id);
  refresh();
  announce(said);
}

/** @param {Place} at */
function fix(at) {
  const stands = turnAt(at);
  question = null;
  asksDice = false;
  redraft(pad.id, next(), { faces: "", box: stands.box, points: null, left: stands.saved, fix: at, change: null, along: [] });
  paint();
  announce(say("correcting", { name: state.names[stands.seat], box: labelOf(stands.box) }));
}

function saveFix() {
  const { change, along } = draft();
  if (!change) return;
  const changes = [change, ...along];
  const was = changes.map(({ game, turn }) => { const { dice, points, box } = turnAt({ game, turn }); return { game, turn, dice, points, box }; });
  act({ command: "correct", changes, was }, say("corrected"));
}

// --- painting ---

function paint() {
  if (!state) return;
  const { fix: fixing, box, faces } = draft();
  const writes = pad.keeper && (Boolean(next()) || Boolean(fixing));
  const card = cardNow();
  const paintsEntry = writes && card !== null && !(byRolls() && pad.rolled > 0);
  document.body.classList.toggle("fixing", Boolean(fixing));
  document.body.classList.toggle("has-waiting", unsent(pad.id).length > 0);
  paintStatus({ pad, state, rules, words, fixing, offline: isOffline(), waiting: unsent(pad.id).length });
  for (const id of ["card", "dock"]) byId(id)?.toggleAttribute("hidden", !writes);
  if (writes && card) {
    const ruling = isFull() && !(draft().change) ? judge(rules, card, faces) : null;
    const holder = byId("card");
    if (holder) paintCard(holder, { rules, words, card, ruling, chosen: box, advised, tap });
    paintEntry();
  }
  paintPaper({ state, words, sheet, canWrite: pad.keeper, chosen: fixing ? null : box, dice: isFull() && !fixing ? faces : "", fixing, isWaiting, tapOpen: tap, tapFilled: fix });
  paintWaiting({ pad, state, words, rules });
  if (pad.keeper) paintPeople({ state, act, offline: isOffline() });
  if (!paintsEntry) return;
}

/** @param {Place} at */
const isWaiting = (at) => unsent(pad.id).some(({ op }) => op.command === "write" && op.game === at.game && op.turn === at.turn);

function paintEntry() {
  const { fix: fixing, box, faces, change } = draft();
  const conflict = conflictPanel({ pad, state, words, rules, settle });
  const isTyping = !isFull() && (!box || asksDice);
  byId("back")?.toggleAttribute("disabled", !faces);
  const undoes = byId("undo-last");
  undoes?.toggleAttribute("hidden", Boolean(fixing));
  undoes?.toggleAttribute("disabled", !lastTurn(state));
  byId("cancel-entry")?.toggleAttribute("hidden", !fixing && !box && !faces);
  if (conflict && !faces && !box && !fixing) return paintDock({ say: [say("conflict")], keys: false, slots: null, panel: conflict });
  if (question) { const asked = question; return paintDock({ say: [], keys: false, slots: slots(rules.dice, faces), panel: zeroQuestion(labelOf(asked), () => choose(asked, 0, faces), () => ask(null)) }); }
  if (change) return paintDock({ say: [whatIsFixed()], keys: false, slots: null, panel: effectPanel({ state, words, rules, draft: draft(), type, save: saveFix, cancel }) });
  if (isTyping) return paintDock({ say: [whatToTap()], keys: true, slots: slots(rules.dice, faces), panel: [] });
  if (isFull()) return paintDock({ say: [say("which-box")], keys: false, slots: slots(rules.dice, faces), panel: whichBox() });
  paintDock({ say: [fixing ? whatIsFixed() : say("which-number", { box: labelOf(box ?? "") })], keys: false, slots: null, panel: whichNumber() });
}

function whatIsFixed() {
  const { fix: at } = draft();
  if (!at) return "";
  const { seat, box, points, dice, told } = turnAt(at);
  const values = { name: state.names[seat], box: labelOf(box), points, dice: [...dice].sort().join("-") };
  return say(told ? "fix-dice" : "fix-points", values);
}

function whatToTap() {
  const { box } = draft();
  if (box) return say("tell-dice-of", { box: labelOf(box) });
  return say("tap-final");
}

/** Reasons for closed boxes stand where the keys were. */
function whichBox() {
  const card = cardNow();
  if (!card) return [];
  const { closed } = judge(rules, card, draft().faces);
  const open = Object.entries(closed).filter(([, { kind }]) => kind !== "game.box-filled");
  const sentences = [...new Set(open.map(([, each]) => reason(rules, words, each)))].map((text) => make("p", "", text));
  const over = rules.saves ? leftOver(Math.min(draft().left, mostLeft()), mostLeft(), (left) => type({ left })) : null;
  const clear = button("", say("clear-dice"), () => type({ faces: "" }));
  clear.id = "clear";
  return [sentences.length ? make("div", "reasons", sentences) : null, over, make("div", "buttons", [clear])];
}

function whichNumber() {
  const { box, fix: at } = draft();
  const card = cardNow();
  if (!card || !box) return [];
  const stands = at && turnAt(at).box === box ? turnAt(at).points : null;
  const dice = button("", say("tap-dice-instead"), () => { asksDice = true; type({ points: null, faces: "" }); });
  dice.id = "dice-instead";
  const over = rules.saves ? leftOver(Math.min(draft().left, mostLeft()), mostLeft(), (left) => type({ left })) : null;
  const found = answers(rules, card, box);
  return [over, found.length ? numbers(found, stands, chooseNumber) : make("p", "reasons", closedNow(box)), make("div", "buttons", [dice])];
}

/** @param {string} box */
function closedNow(box) {
  const card = cardNow();
  return card ? reason(rules, words, judge(rules, card, "1".repeat(rules.dice)).closed[box]) : "";
}

// --- talking to the server ---

/** What was refused has been settled one way or another: the rest is tried again. @param {{ drop: string[], op?: { command: string, [field: string]: unknown } }} way */
function settle(way) {
  drop(pad.id, ...way.drop);
  retry(pad.id);
  if (way.op) return act(way.op);
  refresh();
  sendQueue();
}

async function sendQueue() {
  if (flushing || !pad.keeper) return;
  if (pad.local) return sendLocal(pad, entries(pad.id).length);
  if (!unsent(pad.id).some((sent) => !sent.refused)) return;
  flushing = true;
  try {
    await flush(pad);
    flushing = false;
    await fetchPart(part().dataset.here ?? "");
  } catch {
    setOffline(true);
  } finally {
    flushing = false;
    refresh();
  }
}

async function loadRules() {
  const found = kept(pad.id, "rules", /** @type {{ link: string } & { rules: import("./judge.js").Table } & Words | null} */ (null));
  if (found && found.link === pad.links.rules) return found;
  const answer = await request(pad.links.rules, { cache: "default" });
  if (!answer.ok) throw new Error("no rules");
  const told = { link: pad.links.rules, ...(await answer.json()) };
  keep(pad.id, "rules", told);
  return told;
}

function shown() {
  pad = read();
  document.body.classList.toggle("following", !pad.keeper);
  if (rules) refresh();
  keepPage();
  stayAwake(pad);
}

document.addEventListener("click", (event) => {
  const face = around(event, "[data-face]");
  const tab = around(event, "a[data-sheet]");
  if (face) press(face.dataset.face ?? "");
  else if (around(event, "#back")) back();
  else if (around(event, "#undo-last")) undo();
  else if (around(event, "#cancel-entry")) cancel();
  else if (tab && state) {
    event.preventDefault();
    sheet = tab.dataset.sheet ? Number(tab.dataset.sheet) : null;
    paint();
  }
});

document.addEventListener("keydown", (event) => {
  if (!isForPage(event)) return;
  const done = /^[1-9]$/.test(event.key) ? press(event.key) : event.key === "Backspace" ? back() : event.key === "Escape" && (cancel(), true);
  if (done) event.preventDefault();
});
