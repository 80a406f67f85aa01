// A sheet leaves this phone or comes to it: as a file, as a link or a QR code that holds all of it, and entries that
// wait on a phone that no longer keeps the score. No server is needed. Fetched when a person wants it.

import { announce, ask, button, byId, joinList, make, one, say } from "../core/page.js";
import {
  BadSheet, makeCarried, makeRecords, MOST_LETTERS, pack, readCarried, readEntries, rebuildOps, replay,
} from "./carried.js";
import { prepare, sayReason } from "./judge.js";
import { describe } from "./panels.js";
import { qrCode } from "./qr.js";
import { fold, isOver } from "./sheet.js";
import { blank, foldSheet, listUnsent, newKey, openingTime } from "./state.js";
import { newSheet } from "./store.js";

/** @typedef {import("./carried.js").Carried} Carried */
/** @import { Op, Pad } from "./state.js" */
/** @import { State, Turn } from "./sheet.js" */
/** @typedef {{ pad: Pad, state: State, words: import("./judge.js").Words, sheet: import("./state.js").Sheet }} Shown */

// --- away: a file, a link, a code ---

/** @param {HTMLElement[]} lines */
function showLines(...lines) {
  byId("share-now")?.replaceChildren(...lines);
  const said = lines.at(-1)?.textContent;
  if (said) announce(said);
}

const LARGEST_CODE = 27; // 125 modules: what a camera still reads from the screen of a phone
const SVG = "http://www.w3.org/2000/svg";
const QUIET = 4; // modules around the code

/**
 * What was done on the sheet, from its beginning; the rolls one by one, where this phone knows them.
 * @param {Shown} shown
 */
function collectOps({ pad, state, sheet }) {
  const here = sheet.queue.map(({ op }) => op).filter((op) => state.taken.has(op.key));
  const { start, ops } = pad.local ? { start: pad, ops: here } : rebuildOps(state);
  const known = new Map(
    here
      .filter((op) => op.command === "write")
      .map((op) => [`${op.game}/${op.turn}`, /** @type {import("./carried.js").Rolls} */ (op.rolls)]),
  );
  /** @type {(game: number, turn: number) => import("./carried.js").Rolls | null} */
  const rolls = (game, turn) => {
    const found = known.get(`${game}/${turn}`);
    return found?.length && found.length === state.played[game].turns[turn].rolled ? found : null;
  };
  return { start, ops, rolls };
}

/** @param {Shown} shown */
function packSheet(shown) {
  const { pad, state, words, sheet } = shown;
  const { start, ops } = collectOps(shown);
  const book = sheet.setUp?.book ?? pad.links.book.split("/").at(-1) ?? "";
  return makeCarried(state.rules, start, ops, { book, label: words.names.book, opened: openingTime() });
}

/** @param {Shown} shown */
export function saveFile(shown) {
  const sheet = packSheet(shown);
  const day = sheet.opened.slice(0, 10);
  const [first, ...others] = makeRecords(shown.state, collectOps(shown).rolls).map((game) => ({
    ...game,
    tags: { ...game.tags, Date: day },
  }));
  const text = JSON.stringify([{ ...first, sheet }, ...others]);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = `fivedice-${shown.state.rules.key}-${day}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  showLines(make("p", "", say("share-saved", { file: link.download })));
}

/** @param {string} id @param {string} value @param {string} label the name of a sentence */
const makeLinkField = (id, value, label) =>
  Object.assign(document.createElement("input"), { id, value, readOnly: true, ariaLabel: say(label) });

/** @param {Shown} shown */
async function makeLink(shown) {
  const address = new URL(shown.pad.links.setUp, location.href);
  address.hash = `sheet=${await pack(packSheet(shown))}`;
  return address.href;
}

/** @param {Shown} shown */
export async function shareLink(shown) {
  const url = await makeLink(shown);
  const field = makeLinkField("sheet-link", url, "share-sheet");
  showLines(make("p", "", [field]));
  if (navigator.share)
    // Not now after all.
    await navigator.share({ title: `${shown.words.names.book}: ${joinList(shown.state.names)}`, url }).catch(() => {});
  else if (await copyText(url, field)) showLines(make("p", "", [field]), make("p", "", say("share-copied")));
}

/**
 * Copy a text. Pages without HTTPS have no clipboard, but a selection can be copied there too.
 * @param {string} text @param {HTMLInputElement} field
 */
async function copyText(text, field) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    field.select();
    return document.execCommand("copy");
  }
}

/** @param {Shown} shown */
export async function showCode(shown) {
  const code = qrCode(await makeLink(shown), "L", LARGEST_CODE);
  showLines(code ? drawCode(code.matrix) : make("p", "notice", say("share-too-large")));
}

/** @param {boolean[][]} matrix */
function drawCode(matrix) {
  const size = matrix.length + 2 * QUIET;
  const picture = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  picture.setAttribute("viewBox", `0 0 ${size} ${size}`);
  picture.setAttribute("shape-rendering", "crispEdges");
  path.setAttribute(
    "d",
    matrix.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : []))).join(""),
  );
  picture.append(path);
  return make("div", "qr whole-sheet", [picture], { role: "img", "aria-label": say("code-sheet") });
}

// --- entries of a phone that no longer keeps the score ---

/** @typedef {import("./judge.js").Rules} Rules */
/** @typedef {import("./panels.js").Waiting} Waiting */

const ENTRIES = "#entries="; // in an address
/** @type {HTMLElement[]} */
let entriesLink = []; // once it was asked for
/** @type {Op[]} */
let brought = []; // by a link, until the person has answered

/**
 * A panel below the names, also after the page around it has been replaced.
 * @param {string} id @param {HTMLElement[]} lines none: it goes
 */
function placePanel(id, lines) {
  const place = byId(id) ?? Object.assign(make("section", "panel left-behind"), { id });
  place.replaceChildren(...lines);
  if (!lines.length) place.remove();
  else if (!place.isConnected) one(".pad-play .status", HTMLElement)?.after(place);
}

/** @param {Waiting} waiting @param {Op[]} ops */
const listEntries = (waiting, ops) => make("ul", "", ops.map((op) => make("li", "", describe(waiting, { op }))));

/** @param {Waiting} waiting @param {(keys: string[]) => void} discard only the shown entries */
export function offerEntries(waiting, discard) {
  const { pad, sheet, rules } = waiting;
  const ops = pad.keeper ? [] : listUnsent(sheet).map(({ op }) => op);
  if (!ops.length) return placePanel("left-behind", []);
  const shown = { ...waiting, state: fold({ ...pad, rules }, ops) };
  const title = make("h2", "", say("left-behind", { count: ops.length }));
  const send = button("primary", say("left-send"), () => sendEntries(shown, ops), { id: "send-left" });
  const drop = () => discard(ops.map(({ key }) => key));
  const away = button("", say("left-discard"), drop, { id: "discard-left" });
  const place = make("div", "", entriesLink, { id: "left-link" });
  const why = make("p", "", say("left-why"));
  return placePanel("left-behind", [title, why, listEntries(shown, ops), make("div", "buttons", [send, away]), place]);
}

/**
 * Find what waits here and is done on the scorekeeper's sheet by now: entries, the end, and all of it where together it
 * would change nothing there.
 * @param {import("./state.js").Sheet} sheet @param {Rules} rules @param {Pad} base
 */
export function findDoneElsewhere(sheet, rules, base) {
  const before = foldSheet({ ...sheet, queue: [] }, rules, base);
  const after = (/** @type {Op[]} */ ops) => fold({ ...before, out: [...before.out] }, ops);
  const turnAt = (/** @type {Op} */ { game, turn }) => before.played[Number(game)]?.turns[Number(turn)];
  const isDone = (/** @type {Op} */ op) =>
    (op.command === "end" && isOver(before)) || (op.command === "write" && turnAt(op));
  const ops = listUnsent(sheet).map(({ op }) => op);
  const rest = ops.filter((op) => !isDone(op) || !after([op]).taken.has(op.key));
  const { refused, ...left } = after(rest);
  const isSame = !refused.size && writeOut(left) === writeOut(before);
  return (isSame ? ops : ops.filter((op) => !rest.includes(op))).map(({ key }) => key);
}

/** The sheet as text, to be compared. @param {Pick<State, "played" | "names" | "out" | "phase">} state */
const writeOut = ({ played, names, out, phase }) => JSON.stringify([played, names, [...out].sort(), phase]);

/** By whatever the phone has for sharing, else as a link to copy. @param {Waiting} waiting @param {Op[]} ops */
async function sendEntries(waiting, ops) {
  const url = `${location.origin}${location.pathname}${ENTRIES}${await pack(ops)}`;
  const text = ops.map((op) => describe(waiting, { op })).join("\n");
  const field = makeLinkField("entries-link", url, "left-send");
  entriesLink = [make("p", "", say("left-open-there")), field];
  byId("left-link")?.replaceChildren(...entriesLink);
  field.select();
  if (navigator.share) await navigator.share({ text, url }).catch(() => {}); // not now after all
  else await navigator.clipboard?.writeText(url).then(() => announce(say("share-copied")), () => {});
}

/**
 * Offer the entries from another phone that the address brought, until the person has answered: a fresh page of the
 * server takes the panel with it.
 * @param {Waiting} waiting @param {(ops: Op[]) => void} take
 */
export async function showBrought(waiting, take) {
  const { hash, pathname, search } = location;
  if (hash.startsWith(ENTRIES)) {
    history.replaceState(null, "", pathname + search); // a reload does not ask again
    try { brought = await readEntries(hash.slice(ENTRIES.length)); } catch { refuseEntries(); }
  }
  if (!brought.length || byId("brought")) return;
  const ops = brought;
  const close = () => { brought = []; placePanel("brought", []); };
  const shown = { ...waiting, state: fold({ ...waiting.pad, rules: waiting.rules }, ops) };
  const yes = button("primary", say("brought-take"), () => { close(); take(ops); }, { id: "take-brought" });
  const title = make("h2", "", say("brought", { count: ops.length }));
  const keys = make("div", "buttons", [yes, button("", say("cancel"), close)]);
  placePanel("brought", [title, listEntries(shown, ops), keys]);
}

/**
 * Offer entries that the server lacks, since it has gone back to an older copy.
 * @param {Waiting} waiting @param {Op[]} ops
 * @param {(ops: Op[]) => void} answer called with the entries to write again
 */
export function offerLost(waiting, ops, answer) {
  if (!ops.length) return placePanel("lost", []);
  const shown = { ...waiting, state: fold({ ...waiting.pad, rules: waiting.rules }, ops) };
  const title = make("h2", "", say("lost", { count: ops.length }));
  const again = button("primary", say("brought-take"), () => answer(ops), { id: "write-lost" });
  const buttons = make("div", "buttons", [again, button("", say("left-discard"), () => answer([]))]);
  return placePanel("lost", [title, make("p", "", say("lost-why")), listEntries(shown, ops), buttons]);
}

/**
 * List what was on the sheet before the server went back, and is not there now. Who came since then comes first, so
 * that no other player gets their seat.
 * @param {import("./state.js").Sheet} sheet @param {Rules} rules @param {Pad} base @returns {Op[]}
 */
export function listLost({ lost }, rules, base) {
  if (!lost) return [];
  const [before, stands] = [lost, base].map((each) => foldSheet({ ...blank(each.id), base: each }, rules, each));
  const seats = base.names.length;
  const keyOf = (/** @type {number} */ seat) => `again-${base.edition}-${seat}`; // by two phones they come once
  const joins = lost.names.slice(seats).map((name, place) => ({ command: "join", name, key: keyOf(seats + place) }));
  const by = (/** @type {unknown} */ seat) => (Number(seat) >= seats ? { by: keyOf(Number(seat)) } : {});
  const ops = rebuildOps(before).ops.filter((op, place, all) => isLost(op, before, stands, all.slice(place + 1)));
  return [...joins, ...ops.map((op) => ({ ...op, command: op.command, ...by(op.seat), key: newKey() }))];
}

/**
 * Whether something that was done before is missing now.
 * @param {import("./state.js").Act} op @param {State} before @param {State} stands
 * @param {import("./state.js").Act[]} later
 */
function isLost({ command, ...op }, before, stands, later) {
  const [game, turn, seat] = [op.game, op.turn, op.seat].map(Number);
  const there = stands.played[game]?.turns[turn];
  const isOut = before.out.has(seat) && !later.some((each) => each.command === "rejoin" && each.seat === seat);
  /** @type {Record<string, () => boolean>} */
  const ways = {
    write: () => !isSame(before.played[game].turns[turn], there), pass: () => !there,
    next: () => game >= stands.played.length, end: () => !stands.ended,
    retire: () => isOut && !stands.out.has(seat), rejoin: () => !before.out.has(seat) && stands.out.has(seat),
  };
  return ways[command]?.() ?? false;
}

/** @param {Turn} turn @param {Turn | undefined} other */
const isSame = ({ seat, box, points }, other) => seat === other?.seat && box === other.box && points === other.points;

const refuseEntries = () =>
  placePanel("brought", [make("p", "notice", say("import-unreadable"), { role: "alert" })]);

// --- a sheet that comes: shown first, opened by a tap; what the rules forbid is refused with the reason ---

/** @typedef {import("./judge.js").Words & { rules: import("./judge.js").Table }} RulesData */

/**
 * The rules of this site that a sheet was written by: of the same name if there are any, else any that play alike.
 * @param {Carried} sheet
 */
function findBook({ book, fingerprint, label }) {
  const alike = [...document.querySelectorAll("input[name=book]")].flatMap((each) =>
    each instanceof HTMLInputElement && each.dataset.rules && each.dataset.fingerprint === fingerprint ? [each] : [],
  );
  const found = alike.find((each) => each.value === book) ?? alike[0];
  if (!found) throw new BadSheet("import-other-rules", { rules: label });
  return found;
}

/** Read a sheet out of a text, and offer to open it. @param {string} text */
export async function readSheet(text) {
  /** @type {RulesData | null} */
  let data = null;
  try {
    const sheet = await readCarried(text);
    const book = findBook(sheet);
    data = await fetchBook(book.dataset.rules ?? "").catch(() => { throw new BadSheet("needs-connection"); });
    offerSheet(sheet, book, replay(prepare(data.rules), sheet));
  } catch (error) {
    showRefusal(error instanceof BadSheet ? explainRefusal(error, data) : say("import-unreadable"));
  }
}

/** @param {string} link @returns {Promise<RulesData>} */
async function fetchBook(link) {
  const answer = await ask(link, { headers: {}, cache: "default" });
  if (!answer.ok) throw new Error("no rules");
  return answer.json();
}

/** @param {BadSheet} error @param {RulesData | null} data */
function explainRefusal({ key, about }, data) {
  const { rules = "", number = 0, name = "" } = about;
  const because = about.reason && data ? sayReason(prepare(data.rules), data, about.reason) : "";
  return [say(key, { rules, number, name }), because].filter(Boolean).join(" ");
}

/** @param {HTMLElement[]} lines */
function showFound(...lines) {
  const place = byId("bring-now");
  byId("bring")?.setAttribute("open", "");
  place?.replaceChildren(...lines);
  announce(place?.textContent ?? "");
  place?.scrollIntoView({ block: "nearest" });
}

/** @param {string} text */
const showRefusal = (text) => showFound(make("p", "notice", text, { role: "alert" }));

/** @param {Carried} sheet @param {HTMLInputElement} book @param {ReturnType<typeof replay>} found */
function offerSheet(sheet, book, { state, ops }) {
  const count = state.played.reduce((sum, { turns }) => sum + turns.length, 0);
  const about = { rules: book.dataset.label ?? sheet.label, names: joinList(state.names), count };
  const open = button("primary", say("import-open"), async () => {
    const { rules = "", page = "", label = "" } = book.dataset;
    const { names, first, games, match, opened } = sheet;
    const id = await newSheet(
      { rules, page, book: book.value, label, names, first, games, matchTotal: match, mode: "quick" }, ops, opened,
    );
    if (id) location.assign(`${byId("pad-setup")?.dataset.sheet}#${id}`);
    else showRefusal(say("import-no-room"));
  }, { id: "open-brought" });
  const cancel = button("", say("cancel"), () => showFound());
  showFound(make("p", "", say("import-found", about)), make("div", "buttons", [open, cancel]));
  open.focus();
}

/** @param {File} file */
export async function readFile(file) {
  if (file.size > MOST_LETTERS) showRefusal(say("import-too-large"));
  else await readSheet(await file.text());
}
