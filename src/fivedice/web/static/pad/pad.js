// The score pad under a thumb. Whole turns go through a queue that survives anything; all else is a form, sent in the
// background. What is legal and what it is worth, the server has said before: nothing is judged here.
// Without this file the page still works: dice are typed into a field, and forms post.

import { fetchPart, isOffline, look, part, setOffline, start } from "../core/live.js";
import { all, announce, around, ask as request, button, byId, isForPage, make, one } from "../core/page.js";
import { say } from "../core/words.js";
import { keepPage, startWorker, stayAwake } from "./awake.js";
import { leftOver, priced, unpriced, zeroQuestion } from "./boxes.js";
import { add, drop, entries, flush, forgetAnswers, isShown, keep, kept, nextTurn, prune, savedBefore, unsent } from "./queue.js";

/** @typedef {import("./boxes.js").Answers} Answers */
/** @typedef {import("./queue.js").Box} Box */
/** @typedef {import("./queue.js").Entry} Entry */
/** @typedef {import("./queue.js").Pad} Pad */
/** @typedef {NonNullable<ReturnType<typeof nextTurn>>} Place */

const RETRY = 4000; // milliseconds
/** @returns {Pad} */
const read = () => JSON.parse(part().dataset.pad ?? "");
let pad = read();
let flushing = false;
let asking = false; // the server, for answers
let wasAhead = false; // of the page: once nothing waits any more, it is told whose turn it is once more
/** @type {Box | null} */
let question = null; // the box that waits for "score 0"

// --- what is being typed ---

const next = () => nextTurn(pad, entries(pad.id));
const waits = () => unsent(pad.id).length > 0;
// Where dice lie on the table they were told roll by roll, and only the rolled ones are typed; else the final ones.
const byRolls = () => pad.mode === "rolls" && !isOffline() && !waits() && !isFinal();
const finalPlace = () => { const at = next(); return at && `${at.game}/${at.turn}/final`; };
const placeNow = () => { const at = next(); return at && byRolls() ? `${at.game}/${at.turn}/${pad.rolled}` : finalPlace(); };

/** Whether the final dice of an entry that was refused are being written anew. */
function isFinal() {
  const found = kept(pad.id, "typed", /** @type {Typed | null} */ (null));
  return Boolean(found?.faces) && found?.place === finalPlace();
}

const held = () => all("#enter-form input[name=hold]:checked", HTMLInputElement).length;
const wanted = () => (pad.rolled && byRolls() ? pad.dice - held() : pad.dice);
const canType = () => pad.keeper && next() !== null && (!pad.rolled || (byRolls() ? pad.canEnter : isOffline() || waits()));

/** @typedef {{ place: string | null, faces: string, left?: number }} Typed */

function typedHere() {
  const found = kept(pad.id, "typed", /** @type {Typed | null} */ (null));
  return found && found.place === placeNow() ? found : null;
}

const typed = () => typedHere()?.faces.slice(0, wanted()) ?? "";
const savedNow = (/** @type {Place} */ at) => savedBefore(pad, entries(pad.id), at);
const mostLeft = (/** @type {Place} */ at) => pad.rolls + savedNow(at) - 1;
const left = (/** @type {Place} */ at) => Math.min(typedHere()?.left ?? 0, mostLeft(at));

/**
 * @param {string} faces
 * @param {number} [over] rolls that the turn left over
 */
function type(faces, over) {
  question = null;
  keep(pad.id, "typed", { place: placeNow(), faces, left: over ?? typedHere()?.left });
  paint();
  if (faces.length === wanted() && byRolls() && faces.length) sendRoll(faces);
}

function forgetTyped() {
  keep(pad.id, "typed", null);
  paint();
}

/** @param {string} face */
function press(face) {
  const faces = typed();
  if (!canType() || faces.length >= wanted() || !byId(`face-${face}`)) return false;
  const count = wanted() - faces.length - 1;
  announce(say(count ? "die-added" : "last-die-added", { face, count }));
  type(faces + face);
  return true;
}

function back() {
  const faces = typed();
  if (!canType() || !faces) return false;
  announce(say("die-removed", { face: faces.slice(-1) }));
  type(faces.slice(0, -1));
  return true;
}

/** @param {string} faces */
function sendRoll(faces) {
  const field = one("#thrown", HTMLInputElement);
  if (field) field.value = faces;
  one("#enter-form", HTMLFormElement)?.requestSubmit();
}

// --- painting ---

function paint() {
  prune(pad.id, pad.version);
  paintEntry();
  paintTurn();
  paintWaiting();
  paintSheet();
}

function paintEntry() {
  const entry = byId("by-thumb");
  if (!entry) return;
  const faces = typed();
  const full = faces.length === wanted() && !byRolls();
  const at = next();
  entry.hidden = !canType();
  byId("slots")?.replaceChildren(...slots(faces));
  byId("keypad")?.toggleAttribute("hidden", full);
  byId("back")?.toggleAttribute("disabled", !faces);
  byId("say")?.replaceChildren(full ? say("which-box") : whatToTap());
  paintOffers(full && at ? offers(at, faces) : []);
}

/**
 * Whoever was at the keys goes on at the boxes; whoever was at a box stays there.
 * @param {HTMLElement[]} parts
 */
function paintOffers(parts) {
  const local = byId("local");
  if (!local) return;
  const at = document.activeElement;
  const stays = at && local.contains(at) ? at.id : "";
  const goesOn = stays || byId("keypad")?.contains(at);
  local.replaceChildren(...parts);
  const target = byId(stays) ?? (goesOn ? one("button", HTMLElement, local) : null);
  target?.focus({ preventScroll: true });
}

function whatToTap() {
  if (!byRolls()) return say(pad.mode === "rolls" ? "tap-final-offline" : "tap-final");
  if (!pad.rolled) return say("tap-rolled");
  if (!wanted()) return say("all-kept");
  return held() ? say("tap-some", { count: wanted() }) : say("tap-kept");
}

/** @param {string} faces */
function slots(faces) {
  return Array.from({ length: wanted() }, (_, place) => {
    const drawing = faces[place] && one(`#face-${faces[place]} svg`, SVGElement);
    return drawing ? make("span", "die", [drawing.cloneNode(true)]) : make("span", "die empty");
  });
}

/**
 * The boxes as the server has answered for this card. A later turn of the same player is beyond its answers.
 * @param {Place} at
 * @param {string} faces
 */
function offers(at, faces) {
  const asked = question;
  /** @type {(box: Box, points: number | null) => void} */
  const choose = (box, points) => write(at, faces, box, points);
  if (asked) return zeroQuestion(asked, () => choose(asked, 0), () => ask(null));
  return [...(pad.saves ? [leftOver(left(at), mostLeft(at), (count) => type(faces, count))] : []), ...boxes(at, faces, choose)];
}

/**
 * @param {Place} at
 * @param {string} faces
 * @param {(box: Box, points: number | null) => void} choose
 */
function boxes(at, faces, choose) {
  const seat = pad.seats[at.seat];
  const before = entries(pad.id).filter((entry) => entry.game === at.game && entry.seat === at.seat && entry.turn !== at.turn);
  const gone = before.filter((entry) => !isShown(entry, pad.version)).map((entry) => entry.box);
  const answer = gone.length ? undefined : known()[seat.card];
  const ruled = answer?.rolls[[...faces].sort().join("")];
  if (answer && ruled) return priced(pad.boxes, ruled, answer.sentences, choose, ask);
  return unpriced(pad.boxes, (box, place) => seat.open.includes(place) && !gone.includes(box.key), choose);
}

/** @param {Box | null} box */
function ask(box) {
  const before = question;
  question = box;
  paint();
  byId(box ? "confirm-no" : `box-${before?.key}`)?.focus();
}

/**
 * @param {Place} at
 * @param {string} dice
 * @param {Box} box
 * @param {number | null} points
 */
function write(at, dice, box, points) {
  question = null;
  const { game, turn, seat } = at;
  add(pad.id, { game, turn, seat, dice, box: box.key, label: box.label, points, ...(pad.saves ? { saved: left(at) } : {}) });
  forgetTyped();
  scrollTo({ top: 0 });
  sendQueue();
}

/** While entries wait, the page of the server is behind: say whose turn it is by what was typed. */
function paintTurn() {
  const ahead = entries(pad.id).length > 0;
  if (!pad.playing || !(ahead || wasAhead)) return;
  wasAhead = ahead;
  const at = next();
  byId("headline")?.replaceChildren(at ? pad.seats[at.seat].headline : say("sheet-full"));
  if (at) byId("round-number")?.replaceChildren(String(at.round));
  if (at) paintSaved(savedNow(at));
  for (const row of all("table.sheet:not(.of-games) tr:not(.row-heading)", HTMLTableRowElement)) {
    [...row.cells].forEach((cell, place) => cell.classList.toggle("on-turn", place - 1 === at?.seat));
  }
}

/** @param {number} count */
function paintSaved(count) {
  const line = byId("saved-rolls");
  line?.toggleAttribute("hidden", !count);
  line?.replaceChildren(` · ${say("rolls-saved", { count })}`);
}

function paintWaiting() {
  const place = byId("waiting");
  const list = unsent(pad.id);
  document.body.classList.toggle("has-waiting", list.length > 0);
  if (!place) return;
  place.hidden = !list.length;
  const title = make("h2", "", say("waiting", { count: list.length }));
  place.replaceChildren(...(list.length ? [title, make("ul", "", list.map(waitingLine))] : []));
}

/** @param {Entry} entry */
function waitingLine(entry) {
  const { points, label: box } = entry;
  const told = { name: pad.seats[entry.seat]?.name ?? "", dice: [...entry.dice].join("-"), box };
  const text = points === null ? say("waiting-entry", told) : say("waiting-entry-points", { ...told, points });
  const line = make("li", "", [make("span", "", text)]);
  if (!entry.refused) return line;
  const why = make("strong", "refused", entry.refused);
  why.setAttribute("role", "alert");
  line.append(why, make("div", "buttons", [wayOut(entry), button("", say("discard"), () => discard(entry))]));
  return line;
}

/**
 * A turn that somebody else wrote meanwhile is corrected on the sheet; any other is written anew.
 * @param {Entry} entry
 */
function wayOut(entry) {
  const isOpen = pad.turns.some(({ turn }) => turn === entry.turn);
  if (entry.game > pad.game || (entry.game === pad.game && isOpen)) return button("", say("change"), () => correct(entry));
  const link = make("a", "button", say("correct"));
  link.setAttribute("href", `${pad.links.correct}?game=${entry.game}&turn=${entry.turn}`);
  return link;
}

/**
 * Its place in the order becomes free again, and is the next to be written.
 * @param {Entry} entry
 */
function correct(entry) {
  drop(pad.id, entry.key);
  keep(pad.id, "typed", { place: finalPlace(), faces: entry.dice, left: entry.saved });
  paint();
  sendQueue();
}

/** @param {Entry} entry */
function discard(entry) {
  drop(pad.id, entry.key);
  paint();
  sendQueue();
}

function paintSheet() {
  for (const old of all("td.waiting", HTMLElement)) { old.classList.remove("waiting"); old.replaceChildren("·"); }
  for (const entry of entries(pad.id)) {
    const cell = byId(`cell-${entry.seat}-${entry.box}`);
    if (!cell || entry.game !== pad.game || isShown(entry, pad.version)) continue;
    cell.classList.add("waiting");
    cell.replaceChildren(make("span", "", String(entry.points ?? "?")), make("span", "visually-hidden", ` ${say("cell-waiting")}`));
  }
}

// --- talking to the server ---

async function sendQueue() {
  const first = unsent(pad.id)[0];
  if (flushing || !first || first.refused) return;
  flushing = true;
  try {
    await flush(pad);
    flushing = false;
    await fetchPart(part().dataset.here ?? "");
  } catch {
    setOffline(true);
  } finally {
    flushing = false;
    paint();
  }
}

/** @returns {Record<string, Answers>} */
const known = () => kept(pad.id, "answers", {});

const lacking = () => pad.seats.findIndex((seat) => !known()[seat.card]);

/**
 * For every card on the sheet: what each possible roll may do. Only cards that have changed are asked for, and one after
 * the other: of two that ask at once, the slower would forget what the other has found.
 */
async function fetchAnswers() {
  if (asking) return;
  asking = true;
  try {
    for (let seat = lacking(); seat >= 0; seat = lacking()) {
      const page = pad;
      const answer = await request(`${pad.links.options}?seat=${seat}`);
      if (!answer.ok) return;
      /** @type {Answers} */
      const told = await answer.json();
      const cards = pad.seats.map((each) => each.card);
      const answers = Object.entries({ ...known(), [told.card]: told });
      keep(pad.id, "answers", Object.fromEntries(answers.filter(([card]) => cards.includes(card))));
      if (pad === page && !cards.includes(told.card)) return; // the table has gone on; the page follows, and asks again
    }
  } catch { return; } finally { asking = false; }
  if (typed().length === wanted()) paint();
}

function shown() {
  pad = read();
  document.body.classList.toggle("following", !pad.keeper);
  paint();
  if (pad.keeper) fetchAnswers();
  keepPage();
  stayAwake(pad);
}

document.addEventListener("click", (event) => {
  const face = around(event, "[data-face]");
  const link = around(event, "a[data-sheet]");
  if (face) press(face.dataset.face ?? "");
  else if (around(event, "#back")) back();
  else if (link instanceof HTMLAnchorElement && !isOffline()) {
    event.preventDefault();
    fetchPart(link.href).then(() => byId(link.id)?.focus({ preventScroll: true }), () => setOffline(true));
  }
});

document.addEventListener("change", (event) => { if (around(event, "input[name=hold]")) paint(); });

document.addEventListener("keydown", (event) => {
  if (!isForPage(event)) return;
  const done = /^[1-9]$/.test(event.key) ? press(event.key) : event.key === "Backspace" && back();
  if (done) event.preventDefault();
});

// A phone that slept, or was out of reach, has missed things without a word.
const wake = () => look().then(sendQueue);
document.addEventListener("visibilitychange", () => { stayAwake(pad); if (document.visibilityState === "visible") wake(); });
addEventListener("online", wake);
addEventListener("offline", () => setOffline(true));
setInterval(() => {
  sendQueue();
  if (pad.keeper && !isOffline() && lacking() >= 0) fetchAnswers();
}, RETRY);

document.body.classList.add("scripted");
forgetAnswers(pad.id);
paint();
stayAwake(pad);
startWorker(pad);
keepPage(); // also to forget a page of the time when the score was kept here
if (pad.keeper) fetchAnswers();
start({
  shown,
  busy: () => flushing,
  sent: (form) => { if (form.id === "enter-form") forgetTyped(); }, // it has arrived, or was refused with its reason
  connection: (offline) => { paint(); if (!offline) sendQueue(); },
});
sendQueue();
