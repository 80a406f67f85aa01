// The score pad under a thumb. Whole turns go through a queue that survives anything; all else is a form, sent in the
// background. What is legal and what it is worth, the server has said before: nothing is judged here.
// Without this file the page still works: dice are typed into a field, and forms post.

import { keepPage, startWorker, stayAwake } from "./awake.js";
import { priced, unpriced, zeroQuestion } from "./boxes.js";
import { announce, button, byId, make, showColumn } from "../core/page.js";
import { add, drop, entries, flush, forgetAnswers, keep, kept, nextTurn, prune, unsent } from "./queue.js";
import { listen } from "../core/live.js";

const HEADER = { "Fivedice-Fragment": "1" };
const RETRY = 4000; // milliseconds
const WORDS = ["", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const table = () => byId("table");
const versionOf = (element) => Number(element.dataset.version);
const padOf = (element) => JSON.parse(element.dataset.pad);
let pad = padOf(table());
let offline = false;
let sending = false;
let flushing = false;
let newest = 0;
let question = null; // the box that waits for "write 0"

// --- what is being typed ---

const next = () => nextTurn(pad, entries(pad.id));
// Where dice lie on the table they were told roll by roll, and only the thrown ones are typed; else the final ones.
const byRolls = () => pad.mode === "rolls" && !offline && !unsent(pad.id).length;
const placeNow = () => { const at = next(); return at && `${at.game}/${at.turn}/${byRolls() ? pad.rolled : "final"}`; };
const held = () => document.querySelectorAll("#enter-form input[name=hold]:checked").length;
const wanted = () => (pad.rolled && byRolls() ? pad.dice - held() : pad.dice);

function typed() {
  const found = kept(pad.id, "typed", null);
  return found && found.place === placeNow() ? found.faces.slice(0, wanted()) : "";
}

function type(faces) {
  question = null;
  keep(pad.id, "typed", { place: placeNow(), faces });
  paint();
  if (faces.length === wanted() && byRolls() && faces.length) sendRoll(faces);
}

function forgetTyped() {
  keep(pad.id, "typed", null);
  paint();
}

function press(face) {
  const faces = typed();
  if (!canType() || faces.length >= wanted() || face > pad.faces) return false;
  const left = wanted() - faces.length - 1;
  announce(`${WORDS[face]}, ${left ? `${left} more` : "choose a box"}`);
  type(faces + face);
  return true;
}

function back() {
  const faces = typed();
  if (!canType() || !faces) return false;
  announce(`${WORDS[faces.at(-1)]} taken away`);
  type(faces.slice(0, -1));
  return true;
}

const canType = () => pad.keeper && next() !== null && (!pad.rolled || (byRolls() ? pad.canEnter : offline || unsent(pad.id).length > 0));

function sendRoll(faces) {
  byId("thrown").value = faces;
  byId("enter-form").requestSubmit();
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
  entry.hidden = !canType();
  byId("slots").replaceChildren(...slots(faces));
  byId("keypad").hidden = full;
  byId("back").disabled = !faces;
  byId("say").textContent = sayWhat(full);
  paintOffers(full && next() ? offers(next(), faces) : []);
}

// Whoever was at the keys goes on at the boxes; whoever was at a box stays there.
function paintOffers(parts) {
  const local = byId("local");
  const at = document.activeElement;
  const name = local.contains(at) ? at.id : byId("keypad").contains(at) ? "first" : "";
  local.replaceChildren(...parts);
  const target = byId(name) ?? (name ? local.querySelector("button") : null);
  target?.focus({ preventScroll: true });
}

function sayWhat(full) {
  if (full) return "Which box?";
  if (!byRolls()) return pad.mode === "rolls" ? "No connection: tap the final dice" : "Tap the final dice";
  if (!pad.rolled) return "Tap what fell";
  if (!wanted()) return "All dice stay: choose a box";
  return held() ? `Tap the ${wanted()} that were thrown` : "Tap the dice that stay, then what was thrown";
}

function slots(faces) {
  return Array.from({ length: wanted() }, (_, place) => {
    const slot = make("span", faces[place] ? "die" : "die empty");
    if (faces[place]) slot.append(byId(`face-${faces[place]}`).querySelector("svg").cloneNode(true));
    return slot;
  });
}

// The boxes as the server has answered for this card. A later turn of the same player is beyond its answers.
function offers(at, faces) {
  const seat = pad.seats[at.seat];
  const choose = (box, points) => write(at, faces, box, points);
  if (question) return zeroQuestion(question, () => choose(question, 0), () => ask(null));
  const gone = entries(pad.id).filter((entry) => entry.game === at.game && entry.seat === at.seat && entry.turn !== at.turn && !(entry.version <= pad.version)).map((entry) => entry.box);
  const answer = gone.length ? null : kept(pad.id, "answers", {})[seat.card];
  const ruled = answer?.rolls[[...faces].sort().join("")];
  if (ruled) return priced(pad.boxes, ruled, answer.sentences, choose, ask);
  return unpriced(pad.boxes, (box, place) => seat.open.includes(place) && !gone.includes(box.key), choose);
}

function ask(box) {
  const before = question;
  question = box;
  paint();
  byId(box ? "confirm-yes" : `box-${before.key}`)?.focus();
}

function write(at, faces, box, points) {
  question = null;
  add(pad.id, { ...at, dice: faces, box: box.key, label: box.label, points });
  forgetTyped();
  scrollTo({ top: 0 });
  sendQueue();
}

// While entries wait, the page of the server is behind: say whose turn it is by what was typed.
function paintTurn() {
  const at = next();
  const headline = byId("headline");
  if (!headline || !pad.playing || !entries(pad.id).length) return;
  headline.textContent = at ? `${pad.seats[at.seat].name}’s turn` : "The sheet of this game is full";
  const round = byId("round-number");
  if (at && round) round.textContent = Math.floor(at.turn / pad.seats.length) + 1;
  for (const row of document.querySelectorAll("table.sheet:not(.of-games) tr:not(.row-heading)")) {
    [...row.cells].forEach((cell, place) => cell.classList.toggle("on-turn", place - 1 === at?.seat));
  }
}

function paintWaiting() {
  const place = byId("waiting");
  const list = unsent(pad.id);
  place.hidden = !list.length;
  document.body.classList.toggle("has-waiting", list.length > 0);
  if (!list.length) return place.replaceChildren();
  const lines = make("ul");
  lines.append(...list.map(waitingLine));
  place.replaceChildren(make("h2", "", `Waiting to be sent (${list.length})`), lines);
}

function waitingLine(entry) {
  const line = make("li");
  const name = pad.seats[entry.seat]?.name ?? "";
  line.append(make("span", "", `${name}: ${[...entry.dice].join(" ")}, ${entry.label}${entry.points === null ? "" : ` ${entry.points}`}`));
  if (!entry.refused) return line;
  const why = make("strong", "refused", entry.refused);
  why.setAttribute("role", "alert");
  const buttons = make("div", "buttons");
  buttons.append(wayOut(entry), button("", "Discard it", () => discard(entry)));
  line.append(why, buttons);
  return line;
}

// A turn that somebody else wrote meanwhile is corrected on the sheet; any other is written anew.
function wayOut(entry) {
  const stands = entry.game < pad.game || (entry.game === pad.game && entry.turn < pad.turn);
  if (!stands) return button("", "Change it", () => correct(entry));
  const link = make("a", "button", "Correct what stands there");
  link.href = `/t/${pad.id}/correct?game=${entry.game}&turn=${entry.turn}`;
  return link;
}

// Its place in the order becomes free again, and is the next to be written.
function correct(entry) {
  drop(pad.id, entry.key);
  keep(pad.id, "typed", { place: placeNow(), faces: entry.dice });
  paint();
  sendQueue();
}

function discard(entry) {
  drop(pad.id, entry.key);
  paint();
  sendQueue();
}

function paintSheet() {
  for (const old of document.querySelectorAll("td.waiting")) { old.classList.remove("waiting"); old.replaceChildren("·"); }
  for (const entry of entries(pad.id)) {
    const cell = byId(`cell-${entry.seat}-${entry.box}`);
    if (!cell || entry.game !== pad.game || entry.version <= pad.version) continue;
    cell.classList.add("waiting");
    cell.replaceChildren(make("span", "", entry.points === null ? "?" : String(entry.points)), make("span", "visually-hidden", " waiting to be sent"));
  }
}

// --- talking to the server ---

async function fetchTable(address, options = {}) {
  const answer = await fetch(address, { ...options, headers: HEADER, credentials: "same-origin", cache: "no-store" });
  if (answer.redirected) return location.assign(answer.url);
  if (answer.status >= 500 || answer.status === 429) throw new Error("the server is not well, or busy");
  if (!show(await answer.text())) location.reload();
  showOffline(false);
}

function show(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html.trim();
  const fresh = holder.content.getElementById("table");
  if (!fresh?.dataset.pad) return false;
  const old = table();
  if (versionOf(fresh) < versionOf(old)) return true;
  const news = versionOf(fresh) > versionOf(old);
  const focused = document.activeElement?.id;
  if (!news) for (const box of old.querySelectorAll("input[name=hold]")) { const same = fresh.querySelector(`#${box.id}`); if (same) same.checked = box.checked; }
  for (const part of old.querySelectorAll("details[id][open]")) fresh.querySelector(`#${part.id}`)?.setAttribute("open", "");
  const scrolled = old.querySelector(".sheet-scroll")?.scrollLeft;
  old.replaceWith(fresh);
  pad = padOf(fresh);
  document.title = fresh.dataset.title;
  document.body.classList.toggle("following", !pad.keeper);
  if (news) announce(fresh.dataset.announce);
  paint();
  const sheet = fresh.querySelector(".sheet-scroll");
  if (sheet && scrolled) sheet.scrollLeft = scrolled;
  if (news) showColumn();
  (byId("confirm-yes") ?? byId(focused))?.focus({ preventScroll: true });
  afterShow();
  return true;
}

function afterShow() {
  if (pad.keeper) fetchAnswers();
  keepPage();
  stayAwake(pad);
}

const look = () => fetchTable(table().dataset.here).catch(() => showOffline(true));

async function send(form, submitter) {
  if (sending) return;
  sending = true;
  const fields = new FormData(form);
  if (submitter?.name) fields.append(submitter.name, submitter.value);
  try {
    await fetchTable(form.action, { method: "POST", body: new URLSearchParams(fields) });
    if (form.id === "enter-form") forgetTyped(); // it has arrived, or was refused with its reason
  } catch {
    announce("No connection. That was not sent: try again.");
    showOffline(true);
  } finally {
    sending = false;
  }
  if (newest > versionOf(table())) look();
}

async function sendQueue() {
  const first = unsent(pad.id)[0];
  if (flushing || !first || first.refused) return;
  flushing = true;
  try {
    await flush(pad.id);
    flushing = false;
    await fetchTable(table().dataset.here);
  } catch {
    showOffline(true);
  } finally {
    flushing = false;
    paint();
  }
}

// For every card on the sheet: what each possible roll may do. Only cards that have changed are asked for.
async function fetchAnswers() {
  const known = kept(pad.id, "answers", {});
  const cards = new Map(pad.seats.map((seat, number) => [seat.card, number]));
  const found = Object.fromEntries(Object.entries(known).filter(([card]) => cards.has(card)));
  try {
    for (const [card, number] of cards) {
      if (found[card]) continue;
      const answer = await fetch(`/t/${pad.id}/options?seat=${number}`, { credentials: "same-origin", cache: "no-store" });
      if (!answer.ok) return;
      const told = await answer.json();
      found[told.card] = told;
    }
  } catch { return; }
  keep(pad.id, "answers", found);
  if (typed().length === wanted()) paint();
}

function showOffline(now) {
  const changed = offline !== now;
  offline = now;
  document.body.classList.toggle("offline", now);
  if (changed) paint();
}

const streamAddress = () => `/t/${pad.id}/live?after=${pad.version}`;
const heard = {
  open: () => { showOffline(false); sendQueue(); },
  error: () => look(), // the stream may be cut where pages still come through
  version: (event) => {
    newest = Math.max(newest, Number(event.data));
    if (!sending && !flushing && newest > versionOf(table())) look();
  },
};

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.closest("#table") || form.hasAttribute("data-leave")) return;
  event.preventDefault();
  send(form, event.submitter);
});

document.addEventListener("click", (event) => {
  const face = event.target.closest("[data-face]");
  const link = event.target.closest("a[data-sheet]");
  if (face) press(face.dataset.face);
  else if (event.target.closest("#back")) back();
  else if (event.target.closest("[data-cancel]")) { event.preventDefault(); look(); }
  else if (link && !offline) { event.preventDefault(); fetchTable(link.href).then(() => byId(link.id)?.focus({ preventScroll: true }), () => showOffline(true)); }
});

document.addEventListener("change", (event) => { if (event.target.name === "hold") paint(); });
document.addEventListener("focusin", (event) => { if (event.target.matches("#table input[readonly], #table textarea")) event.target.select(); });

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input:not([type=checkbox]), textarea, select")) return;
  const done = /^[1-9]$/.test(event.key) ? press(Number(event.key)) : event.key === "Backspace" ? back() : false;
  if (done) event.preventDefault();
});

// A phone that slept, or was out of reach, has missed things without a word.
const wake = () => look().then(sendQueue);
document.addEventListener("visibilitychange", () => { stayAwake(pad); if (document.visibilityState === "visible") wake(); });
addEventListener("online", wake);
addEventListener("offline", () => showOffline(true));
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
setInterval(sendQueue, RETRY);

document.body.classList.add("scripted");
forgetAnswers(pad.id);
paint();
showColumn();
stayAwake(pad);
startWorker(pad);
keepPage(); // also to forget a page of the time when the pencil was here
if (pad.keeper) fetchAnswers();
listen(streamAddress, heard);
sendQueue();
