// The score pad under a thumb. What is on the sheet is the base that the server sent and what was done here since:
// fold(base, queue). Everything is painted from that, connected or not; the queue is sent when somebody answers.
// Rules are data (judge.js); without this file the page still works: dice are typed into a field, and forms post.

import { isOffline, look, part, setOffline, start } from "../core/live.js";
import { all, announce, around, button, byId, isForPage, make, one } from "../core/page.js";
import { say } from "../core/words.js";
import { keepPage, startWorker, stayAwake } from "./awake.js";
import { leftOver, paintCard, zeroQuestion } from "./boxes.js";
import { laidOut, numbers, paintDock, styled } from "./dock.js";
import { draftOf, forgetDraft, redraft } from "./draft.js";
import { effectPanel } from "./fixing.js";
import { answers, judge, mostSaved, prepare, reason } from "./judge.js";
import { unpacked } from "./packed.js";
import { paintPaper, revealColumn } from "./paper.js";
import { paintPeople } from "./people.js";
import { rulesOf } from "./book.js";
import { add, drop, entries, flush, isOnlyHere, isShown, keep, kept, prune, retry, unsent } from "./queue.js";
import { cardBefore, cards, fold, lastTurn, next as nextOf } from "./sheet.js";
import { baseOf, sendLocal } from "./local.js";
import { shareSheets } from "./share.js";
import { paintStatus } from "./status.js";
import { conflictPanel, describeTurn, paintWaiting } from "./waiting.js";
import { guardLinks } from "./links.js";

/** @typedef {import("./judge.js").Answer} Answer */
/** @typedef {import("./judge.js").Rules} Rules */
/** @typedef {import("./judge.js").Words} Words */
/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./draft.js").Place} Place */
/** @typedef {import("./sheet.js").Base} Base */
/** @typedef {import("./sheet.js").Change} Change */
/** @typedef {import("./sheet.js").State} State */
/** @typedef {import("./waiting.js").Written} Written */
/**
 * What the page is told: `script_data` in web/pad/pad_page.py, or `baseOf` in local.js.
 * @typedef {Omit<Base, "rules"> & PadData} Pad
 */
/**
 * @typedef {object} PadData
 * @property {string} id
 * @property {number} version
 * @property {boolean} keeper
 * @property {string | null} [opened] when, as the server knows it
 * @property {boolean} [playing]
 * @property {boolean} [coach] whether hints are allowed
 * @property {boolean} [local] whether no server knows this sheet
 * @property {number} most players
 * @property {"quick" | "rolls"} mode
 * @property {{ rules: string | null, commands: string, open?: string, table?: string, setUp: string, book: string }} links
 */

const RETRY = 4000; // milliseconds
/** @returns {Pad} */
const read = () => JSON.parse(part().dataset.pad ?? "null") ?? baseOf(part());
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
let sheet = sheetOf(location.search); // whose games are shown side by side
/** @type {unknown[]} */
let onPaper = []; // what the sheet was painted from
let byKeys = false; // whether somebody goes about by keyboard: then the focus goes on with them
/** @type {string | null} */
let advised = null; // a box, by the coach
/** @type {HTMLElement | null} */
let coaching = null; // what the coach says, in the place of the keys
/** @type {import("./coach_panel.js").Question["links"] | undefined} */
let coachLinks;

/** @param {string} search */
function sheetOf(search) {
  const asked = new URLSearchParams(search).get("sheet");
  return asked === null ? null : Number(asked);
}

// --- where we are ---

const next = () => nextOf(state);
const draft = () => draftOf(pad.id, next());
const place = () => draft().fix ?? next();
const turnAt = (/** @type {Place} */ at) => state.played[at.game].turns[at.turn];

/** The refused entry that is being changed. It stays in the queue until another is written in its place. */
function changing() {
  const { instead } = draft();
  const found = instead ? entries(pad.id).find(({ op }) => op.key === instead) : null;
  return found ? /** @type {Written} */ (/** @type {unknown} */ (found.op)) : null;
}

/** The card that is being written on: of the player on turn, or as it was when the corrected turn was written. */
function cardNow() {
  const { fix } = draft();
  const at = next();
  if (fix) return cardBefore(state, fix.game, fix.turn);
  return at ? cards(state, at.game)[at.seat] : null;
}

const byRolls = () => { const entry = changing(); return (entry ? Boolean(entry.rolls) : mode() === "rolls") && !draft().fix; };
const mode = () => kept("device", "mode", pad.mode);
/** All dice that count now; "" while some are missing. */
const diceNow = () => { const { faces, rolls } = draft(); return rolls.length && !faces ? rolls[rolls.length - 1].dice : faces.length === rules.dice && !byRolls() ? faces : ""; };
const wanted = () => (draft().rolls.length ? rules.dice - draft().held.length : rules.dice);
const mostRolls = () => rules.rolls + (cardNow()?.saved ?? 0);
const mostLeft = () => { const card = cardNow(); return card ? mostSaved(rules, card) : 0; };

function refresh() {
  prune(pad.id, pad.version);
  pad = { ...pad, played: unpacked(pad.played, rules) };
  state = fold({ ...pad, rules }, queued());
  if (sheet !== null && (state.games === 1 || !(sheet in state.names))) sheet = null;
  paint();
}

const queued = () => entries(pad.id).filter((sent) => !isShown(sent, pad.version) && !sent.refused).map((sent) => sent.op);

// --- entering ---

/** @param {Partial<Draft>} changes */
function type(changes) {
  question = null;
  stopCoach();
  redraft(pad.id, next(), changes);
  paint();
}

function cancel() {
  question = null;
  stopCoach();
  asksDice = false;
  forgetDraft(pad.id);
  paint();
}

/** @param {string} face */
function press(face) {
  const key = byId(`face-${face}`);
  const { faces } = draft();
  if (!pad.keeper || !place() || !key || key.hidden || byId("keypad")?.hidden || faces.length >= wanted()) return false;
  const count = wanted() - faces.length - 1;
  announce(say(count ? "die-added" : "last-die-added", { face, count }));
  type({ faces: faces + face, change: null });
  if (!count && byRolls()) lay();
  if (!count) settleBox();
  if (!count) goOn("#card .legal, #card .zero");
  return true;
}

/** @param {string} selector where whoever uses a keyboard goes on */
function goOn(selector) {
  if (byKeys) one(selector, HTMLElement)?.focus({ preventScroll: true });
}

/** A roll is complete: the dice that stay keep their places, the others come in theirs. */
function lay() {
  const { faces, rolls, held } = draft();
  const before = rolls.at(-1)?.dice ?? "";
  const fallen = [...faces];
  const dice = Array.from({ length: rules.dice }, (_, slot) => (before && held.includes(slot) ? before[slot] : fallen.shift())).join("");
  type({ faces: "", rolls: [...rolls, { dice, held: before ? held : [] }] });
}

/** @param {number} slot */
function hold(slot) {
  const { held } = draft();
  type({ held: held.includes(slot) ? held.filter((each) => each !== slot) : [...held, slot].sort(), faces: "" });
}

/** The dice of a box that was chosen before: if they bring what was said, there is nothing left to ask. */
function settleBox() {
  const { box, points } = draft();
  const card = cardNow();
  const dice = diceNow();
  if (!box || !card || !dice) return;
  const entry = judge(rules, card, dice).boxes[box];
  asksDice = false;
  if (entry && (points === null || entry.points === points)) choose(box, entry.points, dice);
  else type({ box: null, points: null });
}

function back() {
  const { faces, rolls } = draft();
  if (!faces && !rolls.length) return false;
  announce(faces ? say("die-removed", { face: faces.slice(-1) }) : say("roll-removed"));
  if (faces) type({ faces: faces.slice(0, -1), change: null });
  else type({ rolls: rolls.slice(0, -1), held: rolls[rolls.length - 1].held });
  return true;
}

/** A box was tapped: with all dice it is written, else a number for it is asked. @param {string} box */
function tap(box) {
  const card = cardNow();
  const at = next();
  if (!card || !pad.keeper) return;
  const mark = card.marks[rules.index.get(box) ?? 0];
  if (mark !== null && at && !draft().fix) return fix({ game: at.game, turn: state.played[at.game].turns.findIndex((turn) => turn.seat === at.seat && turn.box === box) });
  const dice = diceNow();
  if (!dice && draft().faces && !draft().fix) return announce(whatToTap()); // these dice stay
  if (!dice) {
    type(draft().box === box && !draft().fix ? { box: null, points: null } : { box, points: null, faces: "", change: null });
    return goOn("#panel .number");
  }
  const ruling = judge(rules, card, dice);
  const entry = ruling.boxes[box];
  if (!entry) return why(box);
  if (!entry.points && ruling.zeroAsks && !draft().fix) return ask(box);
  choose(box, entry.points, dice);
}

/** Why a box is closed, aloud: the sentence stands in the dock. @param {string} box */
function why(box) {
  const card = cardNow();
  if (card) announce(reason(rules, words, judge(rules, card, diceNow()).closed[box]));
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
  const { fix: fixing, left, rolls, instead } = draft();
  const at = next();
  const over = rules.saves ? { saved: rolls.length ? mostRolls() - rolls.length : Math.min(left, mostLeft()) } : {};
  if (fixing) {
    const told = dice === null ? { points } : { dice };
    return type({ change: { ...fixing, box, ...told, ...over }, along: [], box, points, faces: dice ?? "" });
  }
  if (!at || (instead && !changing())) return cancel(); // another window has settled the entry
  const { game, turn, seat } = at;
  const one = rolls.length ? { rolls } : {}; // one by one
  act({ command: "write", game, turn, seat, box, dice, points, ...over, ...one }, say("written", { name: state.names[seat], points, box: labelOf(box) }), instead);
}

/** @param {string} box */
const labelOf = (box) => words.names.boxes[rules.index.get(box) ?? 0];

/**
 * Do something: at once on this page, and at the server as soon as it answers.
 * @param {{ command: string, [field: string]: unknown }} op
 * @param {string} [said]
 * @param {string | null} [instead] the key of the refused entry that it replaces
 */
function act(op, said = "", instead = null) {
  add(pad.id, op, (key) => state.taken.has(key), instead);
  question = null;
  asksDice = false;
  stopCoach();
  forgetDraft(pad.id);
  refresh();
  goOn("#card .pad-box:not(.done), #next-game");
  if (said) announce(said);
  sendQueue();
}

// --- the coach ---

function stopCoach() {
  coaching = null;
  advised = null;
}

/** Fetched when it is asked for the first time: it is for some, and the page is for all. */
async function askCoach() {
  const [card, dice, { rolls }] = [cardNow(), diceNow(), draft()];
  if (!card || !dice || !coachLinks) return;
  const holder = make("div");
  coaching = holder;
  paint();
  const [{ showCoach }] = await Promise.all([import("./coach_panel.js"), styled("coach_panel.css")]);
  await showCoach(holder, {
    rules, boxes: words.names.boxes, card, dice, links: coachLinks,
    rollsLeft: rolls.length ? mostRolls() - rolls.length : null,
    die: (face) => one(`#face-${face} svg`, SVGElement)?.cloneNode(true) ?? document.createTextNode(face),
    advise: (box) => { if (coaching === holder) { advised = box; paint(); } },
    keep: rolls.length && rolls.length < mostRolls() ? (meant) => holdAll(dice, meant) : null,
    close: () => { coaching = null; paint(); byId("ask-coach")?.focus(); },
  });
}

/** Hold just these dice, as taps would. @param {string} dice @param {string} meant */
function holdAll(dice, meant) {
  const rest = [...meant];
  const held = [...dice].flatMap((face, slot) => (rest.includes(face) ? [rest.splice(rest.indexOf(face), 1) && slot] : []));
  type({ held });
  byId("face-1")?.focus({ preventScroll: true });
}

/** @param {string} dice */
function coachButton(dice) {
  if (!dice || draft().fix || coaching || !coachLinks) return [];
  const asked = button("", say("coach-title"), askCoach);
  asked.id = "ask-coach";
  return [asked];
}

// --- taking back and correcting ---

function undo() {
  const at = lastTurn(state);
  if (!at) return;
  const { op, tried, version } = entries(pad.id).at(-1) ?? { op: null };
  const waits = op?.command === "write" && !tried && version === undefined && op.game === at.game && op.turn === at.turn ? op : null;
  const said = say("taken-back", { name: state.names[turnAt(at).seat], box: labelOf(turnAt(at).box) });
  if (!waits) return act({ command: "erase", game: at.game, turn: at.turn }, said);
  drop(pad.id, waits.key);
  forgetDraft(pad.id);
  refresh();
  announce(said);
}

/** @param {Place} at */
function fix(at) {
  const stands = turnAt(at);
  question = null;
  asksDice = false;
  redraft(pad.id, next(), { faces: "", box: stands.box, points: null, left: stands.saved, fix: at, change: null, along: [], instead: null });
  paint();
  goOn("#panel .number");
  announce(say("correcting", { name: state.names[stands.seat], box: labelOf(stands.box) }));
}

function saveFix() {
  const { change, along } = draft();
  if (!change) return;
  const changes = [change, ...along];
  const was = changes.map(({ game, turn }) => { const { dice, points, box, told } = turnAt({ game, turn }); return { game, turn, dice: told ? dice : null, points, box }; });
  act({ command: "correct", changes, was }, say("corrected"));
}

// --- painting ---

function paint() {
  if (!state) return;
  const { fix: fixing, box, change, instead } = draft();
  const card = cardNow();
  const dice = change ? "" : diceNow();
  const waiting = unsent(pad.id).length;
  const asks = Boolean(card) || unsent(pad.id).some(({ refused }) => refused);
  document.body.classList.add("painted");
  document.body.classList.toggle("fixing", Boolean(fixing));
  document.body.classList.toggle("has-waiting", waiting > 0);
  paintStatus({ pad, state, words, fixing: Boolean(fixing ?? instead), offline: isOffline(), waiting, onlyHere: isOnlyHere(pad.id) });
  byId("card")?.toggleAttribute("hidden", !card);
  byId("dock")?.toggleAttribute("hidden", !asks);
  byId("undo-place")?.toggleAttribute("hidden", Boolean(card) || !lastTurn(state));
  const holder = byId("card");
  if (card && holder) paintCard(holder, { rules, words, card, ruling: dice ? judge(rules, card, dice) : null, chosen: box, advised, tap });
  if (asks) paintEntry();
  paintSheet();
  for (const each of all("#modes button", HTMLElement)) each.setAttribute("aria-pressed", String(each.dataset.mode === mode()));
}

/** The sheet is large, and most taps do not change it. */
function paintSheet() {
  const { fix: fixing, box, change } = draft();
  const chosen = fixing ? null : box;
  const dice = fixing || change ? "" : diceNow();
  const now = [state, part(), sheet, chosen, dice, JSON.stringify(fixing)];
  if (now.every((each, place) => each === onPaper[place])) return;
  onPaper = now;
  paintPaper({ state, words, sheet, canWrite: true, chosen, dice, fixing, waiting: waitingPlaces(), tapOpen: tap, tapFilled: fix });
  paintWaiting({ pad, state, words, rules, settle });
  paintPeople({ state, most: pad.most, act });
}

/** The entries that have not arrived, by their places. */
const waitingPlaces = () => new Set(pad.local ? [] : unsent(pad.id).filter(({ op }) => op.command === "write").map(({ op }) => `${op.game}/${op.turn}`));

function paintEntry() {
  const { fix: fixing, box, faces, rolls, change, instead } = draft();
  const dice = diceNow();
  const goesOn = byRolls() && rolls.length < mostRolls() && wanted() > 0;
  const isTyping = byRolls() && !box ? goesOn : !dice && (!box || asksDice);
  byId("back")?.toggleAttribute("disabled", !faces && !rolls.length);
  byId("undo-last")?.toggleAttribute("disabled", Boolean(fixing) || !lastTurn(state));
  const off = byId("cancel-entry");
  off?.toggleAttribute("hidden", !fixing && !box && !dice && !instead);
  off?.replaceChildren(say(fixing || box || !dice ? "cancel" : "clear-dice"));
  for (const key of all("#keypad .key", HTMLElement)) key.hidden = Number(key.dataset.face) > rules.faces;
  if (coaching && dice) return paintDock({ say: "", keys: false, slots: shownDice(), panel: [coaching] });
  const refused = faces || box || fixing || rolls.length || instead ? null : conflictPanel({ pad, state, words, rules, settle, rewrite });
  if (refused) return paintDock({ say: say(refused.clash ? "conflict" : "not-taken"), keys: false, slots: null, panel: refused.panel });
  if (question) return paintDock({ say: "", keys: false, slots: null, panel: zero(question, dice) });
  if (change) return paintDock({ say: whatIsFixed(), keys: false, slots: null, panel: effectPanel({ state, words, rules, draft: draft(), type, save: saveFix }) });
  if (isTyping) return paintDock({ say: whatToTap(), keys: true, slots: shownDice(), panel: dice ? reasons(dice) : [], tools: coachButton(dice) });
  if (dice) return paintDock({ say: whatIsChanged() || say("which-box"), keys: false, slots: shownDice(), panel: whichBox(dice), tools: coachButton(dice) });
  paintDock({ say: fixing ? whatIsFixed() : say("which-number", { box: labelOf(box ?? "") }), keys: false, slots: null, panel: whichNumber(), tools: [diceInstead()] });
}

const shownDice = () => laidOut(rules.dice, draft(), draft().rolls.length < mostRolls() ? hold : null);

/**
 * @param {string} box
 * @param {string} dice
 */
const zero = (box, dice) => zeroQuestion(labelOf(box), () => choose(box, 0, dice), () => ask(null));

function whatIsFixed() {
  const { fix: at } = draft();
  if (!at) return "";
  const { seat, box, points, dice, told } = turnAt(at);
  const values = { name: state.names[seat], box: labelOf(box), points, dice: [...dice].sort().join("-") };
  return say(told ? "fix-dice" : "fix-points", values);
}

/** The refused entry, as it was. */
function whatIsChanged() {
  const entry = changing();
  return entry ? describeTurn({ pad, state, words, rules }, entry) : "";
}

function whatToTap() {
  const { box, faces, rolls, held } = draft();
  if (box) return say("tell-dice-of", { box: labelOf(box) });
  if (faces) return say("dice-missing", { count: wanted() - faces.length });
  if (!byRolls()) return say("tap-final");
  const which = { roll: rolls.length + 1, rolls: mostRolls() };
  if (!rolls.length) return say("tap-rolled", which);
  return held.length ? say("tap-some", { ...which, count: wanted() }) : say("tap-kept", which);
}

/** Reasons for closed boxes stand where the keys were. @param {string} dice */
function reasons(dice) {
  const card = cardNow();
  const closed = card ? Object.values(judge(rules, card, dice).closed).filter(({ kind }) => kind !== "game.box-filled") : [];
  const sentences = [...new Set(closed.map((each) => reason(rules, words, each)))].map((text) => make("p", "", text));
  return sentences.length ? [make("div", "reasons", sentences)] : [];
}

/** @param {string} dice */
function whichBox(dice) {
  return [...reasons(dice), ...(draft().rolls.length ? [] : over())];
}

/** The rolls that the turn left over, where they are kept. */
const over = () => (rules.saves ? [leftOver(Math.min(draft().left, mostLeft()), mostLeft(), (left) => type({ left }))] : []);

function whichNumber() {
  const { box, fix: at } = draft();
  const card = cardNow();
  if (!card || !box) return [];
  const stands = at && turnAt(at).box === box ? turnAt(at).points : null;
  const found = answers(rules, card, box);
  return [...over(), found.length ? numbers(found, stands, chooseNumber) : make("p", "reasons", closedNow(box))];
}

function diceInstead() {
  const dice = button("", say("tap-dice-instead"), () => { asksDice = true; type({ points: null, faces: "" }); });
  dice.id = "dice-instead";
  return dice;
}

/** @param {string} box */
function closedNow(box) {
  const card = cardNow();
  return card ? reason(rules, words, judge(rules, card, "1".repeat(rules.dice)).closed[box]) : "";
}

// --- talking to the server ---

/** An entry that was refused is written anew, with its dice. @param {Written} op @param {string} key */
function rewrite({ dice, rolls, box, saved = 0 }, key) {
  type({ ...(rolls ? { rolls, held: [] } : dice ? { faces: dice } : { box }), left: saved, instead: key });
}

/** What was refused has been settled one way or another: the rest is tried again. @param {{ drop: string[], op?: { command: string, [field: string]: unknown } }} way */
function settle(way) {
  drop(pad.id, ...way.drop);
  retry(pad.id);
  refresh();
  if (way.op) act(way.op);
  else sendQueue();
}

async function sendQueue() {
  if (flushing || !pad.keeper || !state) return;
  if (!pad.local && !unsent(pad.id).some((sent) => !sent.refused)) return;
  flushing = true;
  try {
    const id = pad.local ? await sendLocal(pad) : await flush(pad);
    if (id) pad = { ...pad, id };
  } catch {
    if (!pad.local) setOffline(true); // nothing else is painted anew: a finger may be on its way
    return;
  } finally {
    flushing = false;
  }
  if (!pad.local) await look();
}

/** The script takes over from the forms; where it has no rules to judge by, they stay. */
async function takeOver() {
  if (!pad.keeper || !pad.links.rules) return revealColumn();
  if (!rules) {
    const told = await rulesOf(pad.id, pad.links.rules);
    words = told;
    rules = prepare(told.rules);
    coachLinks = pad.coach === false ? undefined : told.coach;
  }
  for (const old of all("#table .by-hand", HTMLElement)) old.remove();
  refresh();
}

function shown() {
  pad = read();
  document.body.classList.toggle("following", !pad.keeper);
  if (rules || !pad.keeper) for (const old of all("#table .by-hand", HTMLElement)) if (pad.keeper) old.remove();
  if (rules && pad.keeper) refresh();
  else takeOver();
  keepPage();
  stayAwake(pad);
}

document.addEventListener("click", (event) => {
  if (!state) return;
  const face = around(event, "[data-face]");
  const tab = around(event, "a[data-sheet]");
  if (face) press(face.dataset.face ?? "");
  else if (around(event, "#back")) back();
  else if (around(event, "#undo-last, #undo")) { event.preventDefault(); undo(); }
  else if (around(event, "#next-game")) { event.preventDefault(); act({ command: "next", game: state.played.length }); }
  else if (around(event, "[data-mode]")) { keep("device", "mode", around(event, "[data-mode]")?.dataset.mode); cancel(); }
  else if (around(event, "#cancel-entry")) cancel();
  else if (tab) {
    event.preventDefault();
    sheet = tab.dataset.sheet ? Number(tab.dataset.sheet) : null;
    paint();
  }
});

document.addEventListener("pointerdown", () => { byKeys = false; });
document.addEventListener("keydown", (event) => {
  byKeys = true;
  if (!isForPage(event) || !state) return;
  const done = /^[1-9]$/.test(event.key) ? press(event.key) : event.key === "Backspace" ? back() : event.key === "Escape" && (cancel(), true);
  if (done) event.preventDefault();
});

// A phone that slept, or was out of reach, has missed things without a word.
const wake = () => (pad.local ? sendQueue() : look().then(sendQueue));
document.addEventListener("visibilitychange", () => { stayAwake(pad); if (document.visibilityState === "visible") wake(); });
addEventListener("online", wake);
addEventListener("offline", () => { if (!pad.local) setOffline(true); });
addEventListener("hashchange", () => location.reload()); // another sheet of this phone
setInterval(sendQueue, RETRY);

guardLinks();
shareSheets(() => state && { pad, state, words });
stayAwake(pad);
startWorker();
keepPage(); // also to forget a page of the time when the score was kept here
if (!pad.local) start({ shown, busy: () => flushing, connection: (offline) => { paint(); if (!offline) sendQueue(); } });
if (pad.local && !pad.links.rules) location.replace(pad.links.setUp); // no sheet is kept here
takeOver().then(sendQueue);
