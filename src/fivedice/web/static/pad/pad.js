// The score pad under a thumb. What is on the sheet is the base that the server sent and what was done here since
// (state.js), kept on the phone (store.js). Everything is painted from that (painting.js), connected or not; taps
// change it (input.js), and what waits is sent when the server answers (sending.js). Without scripts forms post.

import { look, part, setOffline, start } from "../core/live.js";
import {
  addStyle, all, around, ask, button, byId, importWhole, isForPage, make, one, say, whenStill,
} from "../core/page.js";
import * as input from "./input.js";
import { prepare } from "./judge.js";
import { paint, useHands } from "./painting.js";
import { complain, flush, guardLinks, loadShare, Sender, sendLocal, startWorker, stayAwake } from "./sending.js";
import { lastTurn } from "./sheet.js";
import {
  blank, cardNow, diceNow, draft, drop, emptyBase, isLocal, isNewer, isOlder, learn, listUnsent,
  mostRolls, nextToSend, now, openingTime, refold, sendingState, unpackGames,
} from "./state.js";
import { change, findLocal, keepRules, listen, load, loadRules, recall, tidy } from "./store.js";

/** @import { Pad, Sheet } from "./state.js" */

const { inTurn } = input;
let isLeaving = false;

/** What the server says on the page; nothing on an empty frame. @returns {Pad | null} */
const readServerState = () => JSON.parse(part().dataset.pad ?? "null");
/** @returns {Pad["links"]} */
const readLinks = () => JSON.parse(part().dataset.links ?? "null") ?? now.pad.links;

/** Where a server has the sheet: its id, by the address. */
function tableHere() {
  const { table } = readLinks();
  return table && location.pathname.startsWith(table) ? location.pathname.slice(table.length) : undefined;
}

// --- what is known ---

/** The sheet of this page. What the server says is kept before anything is done with it. */
async function openSheet() {
  const said = readServerState();
  const id = said?.id ?? tableHere();
  const known = id ? await load(id) : await findLocal(location.hash.slice(1));
  if (!said) return openFrame(known);
  if (said.keeper || known) return keepBase(said);
  now.pad = said;
  return true;
}

/** On an empty frame the sheet is all there is. @param {Sheet | null} known */
function openFrame(known) {
  if (!known || !(known.base ?? known.setUp)) return false;
  now.sheet = known;
  now.typed = known.typed;
  now.pad = known.base ?? emptyBase(known, readLinks());
  byId("local-note")?.toggleAttribute("hidden", !isLocal(known.id));
  if (isLocal(known.id)) return true;
  const here = `${readLinks().table}${known.id}`;
  Object.assign(part().dataset, { live: `${here}/live`, here, version: now.pad.version, moment: "" });
  return true;
}

/** @param {Pad} said */
async function keepBase(said) {
  const { sheet, isKept } = await change(said.id, (before) => learn(before, said), { durability: "relaxed" });
  if (now.sheet.id !== said.id) now.typed = sheet?.typed ?? null;
  useSheet(sheet ?? blank(said.id), isKept, sheet?.base ?? said);
  return true;
}

/**
 * What the store has. A base that has come meanwhile is on the screen before it is kept, and stays there.
 * @param {Sheet} sheet @param {boolean} isKept @param {Pad} base
 */
function useSheet(sheet, isKept, base) {
  now.sheet = sheet;
  now.isKept = isKept;
  if (isNewer(base, now.pad)) now.pad = base;
}

/** Fold and paint what is known, when no finger is on its way. */
async function show() {
  await whenStill();
  if (!now.rules) return;
  refold();
  paint();
  document.body.dataset.standing = sendingState(now.sheet, sender);
  if (!printing && lastTurn(now.state)) loadPrinting().catch(() => {}); // it is tried again
  await showLeft();
}

let isBrought = false; // whether the address has brought entries here

/** What another phone has to write now, and what came from another phone: rare, and fetched only then. */
async function showLeft() {
  const isLeft = !now.pad.keeper && listUnsent(now.sheet).length > 0;
  isBrought ||= now.pad.keeper && location.hash.startsWith("#entries=");
  if (!isLeft && !isBrought && !now.sheet.lost && !one("#left-behind, #lost", HTMLElement)) return;
  const share = await fetchLate(loadShare);
  if (!share) return; // tried again when the connection is back
  await whenStill();
  const { findDoneElsewhere, listLost, offerEntries, offerLost, showBrought } = share;
  now.pad = { ...now.pad, played: unpackGames(now.pad.played, now.rules) };
  if (isBrought) showBrought(now, inTurn(input.takeOps));
  const done = isLeft ? findDoneElsewhere(now.sheet, now.rules, now.pad) : [];
  if (done.length) await dropLeft(done);
  offerEntries(now, (keys) => { dropLeft(keys).then(show); });
  offerLost(now, now.pad.keeper ? listLost(now.sheet, now.rules, now.pad) : [], inTurn(answerLost));
}

/** @param {import("./state.js").Op[]} ops */
const answerLost = (ops) => input.answerLost(ops).then(show);

/** @param {string[]} keys */
async function dropLeft(keys) {
  const { id } = now.sheet;
  const { sheet, isKept } = await change(id, (before) => before && learn(drop(before, keys), before.base ?? now.pad));
  useSheet(sheet ?? blank(now.sheet.id), isKept, now.pad);
}

/** The script takes over from the forms; where it has no rules to judge by, they stay. */
async function takeOver() {
  const link = now.pad.links.rules || now.sheet.rules;
  if (!link) return;
  now.words ??= await fetchRules(link);
  now.rules ??= prepare(now.words.rules);
  if (now.pad.keeper && !(await loadRules(link))) keepRules(now.words); // who watches keeps nothing
  removeForms();
  await show();
  input.startTaps();
}

const removeForms = () => { for (const form of all("#table .by-hand", HTMLElement)) form.remove(); };

/** From this phone, or from where the page says. They never change. @param {string} link */
async function fetchRules(link) {
  const kept = await loadRules(link);
  if (kept) return kept;
  const answer = await ask(link, { headers: {}, cache: "default" });
  if (!answer.ok) throw new Error("no rules");
  return { link, ...(await answer.json()) };
}

/** Panels below the names stay until what they ask about is known anew. @param {HTMLElement} old */
function keepPanels(old) {
  for (const panel of all(".left-behind", HTMLElement, old)) one(".pad-play .status", HTMLElement)?.after(panel);
}

/** A fresh part of the server is in its place: painted at once, and then kept. @param {{ old: HTMLElement }} change */
async function paintServerPart({ old: before }) {
  keepPanels(before);
  const said = readServerState();
  if (!said) return;
  document.body.classList.toggle("following", !said.keeper);
  if (!isOlder(said, now.pad)) now.pad = said;
  if (now.rules) {
    removeForms();
    refold();
    paint();
  }
  stayAwake(said);
  if (said.keeper || now.sheet.base) await keepBase(said);
  await takeOver();
  sendSoon();
}

// --- sending ---

const sender = new Sender(async () => {
  if (now.pad.local) return sendLocalSheet();
  const isDue = now.pad.keeper && now.sheet && nextToSend(now.sheet, new Set());
  if (!isDue) return;
  try {
    const isNews = await flush(now.pad, (sheet, isKept) => { Object.assign(now, { sheet, isKept }); });
    if (isNews) look();
  } catch (error) {
    setOffline(true);
    throw error;
  } finally { await show(); }
});

let isGated = false; // the server asks for a passphrase or a sign-in: it is not asked at every entry

/** The sheet stays on this phone. It is said once for all to see, and a note below the sheet has the way out. */
function stayHere() {
  isGated = true;
  const note = byId("gate-note");
  if (note?.hidden) complain("stays-here");
  note?.removeAttribute("hidden");
}

async function sendLocalSheet() {
  const moved = isLeaving || isGated ? null : await sendLocal(now.sheet, now.pad.links, stayHere);
  if (moved) await follow(moved);
}

/** A server has this sheet now. @param {Sheet} moved */
async function follow(moved) {
  if (isLeaving) return;
  isLeaving = true;
  useSheet(moved, true, { ...now.pad, id: moved.id });
  await input.finishTaps(); // those made while the sheet moved belong to it as well
  location.replace(`${now.pad.links.table}${moved.id}`);
}

const sendSoon = () => { if (now.rules) sender.send(); };

// --- scripts that only some visits need ---

/**
 * Fetch something when it is wanted; where there is no connection, say so. The next tap tries again.
 * @template T @param {() => Promise<T>} load @returns {Promise<T | null>}
 */
const fetchLate = (load) => load().catch(() => { complain(); return null; });

/** @returns {Promise<typeof import("./coach.js")>} */
const loadCoach = () => importWhole(() => import("./coach.js"), () => import(`./coach.js?${Date.now()}`));
/** @returns {Promise<typeof import("./print.js")>} */
const loadPrint = () => importWhole(() => import("./print.js"), () => import(`./print.js?${Date.now()}`));

// --- the coach ---

/** Fetched when it is asked for the first time: it is for some, and the page is for all. */
async function askCoach() {
  const [card, dice, { rolls }] = [cardNow(), diceNow(), draft()];
  if (!card || !dice) return;
  const holder = make("div");
  now.coaching = holder;
  paint();
  const found = await fetchLate(() => Promise.all([loadCoach(), addStyle("pad/coach.css")]));
  await whenStill();
  if (!found && now.coaching === holder) input.stopCoach();
  if (!found) return paint();
  await found[0].showCoach(holder, {
    rules: now.rules, boxes: now.words.names.boxes, card, dice, links: now.words.coach,
    rollsLeft: rolls.length ? mostRolls() - rolls.length : null,
    die: (face) => one(`#face-${face} svg`, SVGElement)?.cloneNode(true) ?? document.createTextNode(face),
    advise: async (box) => {
      await whenStill();
      if (now.coaching !== holder) return;
      now.advised = box;
      paint();
    },
    keep: rolls.length && rolls.length < mostRolls() ? (meant) => input.holdAll(dice, meant) : null,
    close: () => { now.coaching = null; paint(); byId("ask-coach")?.focus(); },
  });
}

// --- saving, sharing, printing ---

/** @type {Record<string, (share: typeof import("./share.js")) => unknown>} */
const SHARING = {
  "save-sheet": ({ saveFile }) => saveFile(now),
  "share-sheet": ({ shareLink }) => shareLink(now),
  "code-sheet": ({ showCode }) => showCode(now),
};

/** @type {typeof import("./print.js") | null} */
let printing = null;

/** Fetch the page for paper, once: an empty sheet does not need it. */
async function loadPrinting() {
  [printing] = await Promise.all([loadPrint(), addStyle("printing/print.css", "print")]);
  return printing;
}

/** Put the buttons into the page, folded up. From now on whatever is printed is the sheet. */
function offerSharing() {
  const panel = makeSharePanel();
  const place = () => byId("share-place")?.replaceChildren(panel); // the page around it may be another by now
  place();
  document.addEventListener("fivedice:shown", place);
  addEventListener("beforeprint", () => { if (now.state) printing?.paintLeaf(now, openingTime()); });
  if (navigator.serviceWorker) return;
  Promise.all([loadShare(), loadPrinting()]).catch(() => {}); // nothing else has them kept for later
}

/** Older browsers cannot pack a link. */
function makeSharePanel() {
  const names = "CompressionStream" in globalThis ? Object.keys(SHARING) : ["save-sheet"];
  const keys = names.map((name) => makeShareKey(name, async () => {
    const share = await fetchLate(loadShare);
    if (share) await SHARING[name](share);
  }));
  const paper = makeShareKey("print-sheet", async () => { if (await fetchLate(loadPrinting)) print(); });
  const result = Object.assign(make("div"), { id: "share-now" });
  const panel = make("details", "panel around", [
    make("summary", "", say("share")), make("div", "buttons", [...keys, paper]), result,
  ]);
  return Object.assign(panel, { id: "share" });
}

/** @param {string} name @param {() => unknown} act */
const makeShareKey = (name, act) => Object.assign(button("", say(name), () => { if (now.state) act(); }), { id: name });

// --- taps and keys ---

/** @param {string} column of one player, or of all */
function chooseColumn(column) {
  now.column = column ? Number(column) : null;
  paint();
}

const press = inTurn(input.press);
/** @type {Record<string, () => void>} */
const KEYS = { Backspace: inTurn(input.back), Escape: inTurn(input.cancel) };
/** @type {[selector: string, does: (found: HTMLElement) => void][]} */
const TAPS = [
  ["[data-face]", (key) => press(key.dataset.face ?? "")],
  ["#back", inTurn(input.back)],
  ["#undo-last, #undo", inTurn(input.undo)],
  ["#next-game", inTurn(() => input.act({ command: "next", game: now.state.played.length }))],
  ["[data-mode]", inTurn((/** @type {HTMLElement} */ key) => input.chooseMode(key.dataset.mode))],
  ["#cancel-entry", inTurn(input.cancel)],
  ["a[data-sheet]", (tab) => chooseColumn(tab.dataset.sheet ?? "")],
];

document.addEventListener("click", (event) => {
  for (const [selector, does] of TAPS) {
    const found = around(event, selector);
    if (!found) continue;
    const isByScript = found.closest("#dock, #modes");
    if (!isByScript && !now.state) return undefined; // a form or a link
    if (!isByScript) event.preventDefault();
    return does(found);
  }
  return undefined;
});

document.addEventListener("toggle", (event) => { if (around(event, "#people")) show(); }, { capture: true });
document.addEventListener("pointerdown", () => { now.byKeys = false; });
document.addEventListener("keydown", (event) => {
  now.byKeys = true;
  if (!isForPage(event) || !byId("dock")) return; // as taps, they may come before the sheet is there
  const does = /^[1-9]$/.test(event.key) ? () => press(event.key) : KEYS[event.key];
  if (!does) return;
  event.preventDefault();
  does();
});

useHands({
  tap: inTurn(input.tap), fix: inTurn(input.fix), hold: inTurn(input.hold), type: inTurn(input.type),
  saveFix: inTurn(input.saveFix), scoreZero: inTurn(input.scoreZero), ask: inTurn(input.ask),
  chooseNumber: inTurn(input.chooseNumber), askDice: inTurn(input.askDice), act: inTurn(input.act),
  discard: inTurn(input.discard), rewrite: inTurn(input.rewrite), takeMine: inTurn(input.takeMine),
  askCoach: () => { askCoach(); },
});
input.sendWith(sendSoon);

// --- the page begins ---

// A phone that slept, or was out of reach, has missed things without a word.
const wake = () => { isGated = false; if (now.pad.local) sendSoon(); else look().then(sendSoon); };

async function hearOthers(/** @type {string[]} */ ids) {
  if (!ids.includes(now.sheet.id)) return;
  const sheet = await load(now.sheet.id);
  if (!sheet) return now.pad.local && !isLeaving ? leave(ids) : undefined;
  useSheet(sheet, now.isKept, sheet.base ?? now.pad);
  await show();
}

/** Another window has deleted this sheet, or moved it to a server. @param {string[]} ids that were changed together */
async function leave(ids) {
  const tables = await Promise.all(ids.filter((id) => !isLocal(id)).map(load));
  const moved = tables.find((table) => table?.made === now.sheet.made);
  if (moved) await follow(moved);
  else location.replace(readLinks().setUp); // not to another sheet
}

async function begin() {
  const wanted = new URLSearchParams(location.search).get("sheet");
  now.column = wanted === null ? null : Number(wanted);
  now.mode = /** @type {string | null} */ (await recall("mode") ?? null);
  if (!(await openSheet())) return location.replace(readLinks().setUp); // no sheet is kept here
  guardLinks();
  offerSharing();
  stayAwake(now.pad);
  startWorker();
  listen(hearOthers);
  document.addEventListener("visibilitychange", () => {
    stayAwake(now.pad);
    if (document.visibilityState === "visible") wake();
  });
  addEventListener("online", wake);
  addEventListener("offline", () => { if (!now.pad.local) setOffline(true); });
  addEventListener("hashchange", () => location.reload()); // another sheet of this phone
  const connection = (/** @type {boolean} */ offline) => { show(); if (!offline) sendSoon(); };
  if (!now.pad.local) start({ shown: paintServerPart, busy: () => sender.isSending, connection });
  await takeOver();
  if (!now.pad.local && !readServerState()) look(); // the frame gives way to the page of the server
  sendSoon();
  tidy();
}

begin();
