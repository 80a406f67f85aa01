// The sheet leaves this phone: as a file, as a link or a QR code that holds all of it, or on paper. No server is needed.

import { announce, button, byId, make } from "../core/page.js";
import { say } from "../core/words.js";
import { carriedOf, historyOf, packed } from "./carried.js";
import { paintLeaf } from "./leaf.js";
import { qrCode } from "./qr.js";
import { entries } from "./queue.js";
import { recordOf } from "./record.js";
import { listed } from "./said.js";
import { find } from "./sheets.js";
import { addStyle } from "./styles.js";

/** @typedef {import("./pad.js").Pad} Pad */
/** @typedef {import("./sheet.js").State} State */
/** @typedef {{ pad: Pad, state: State, words: import("./judge.js").Words }} Shown */

const LARGEST_CODE = 27; // 125 modules: what a camera still reads from the screen of a phone
const SVG = "http://www.w3.org/2000/svg";
const QUIET = 4; // modules around the code

/**
 * What was done on the sheet, from its beginning; the rolls one by one, where this phone knows them.
 * @param {Shown} shown
 */
function doneOn({ pad, state }) {
  const here = entries(pad.id).map(({ op }) => op).filter((op) => state.taken.has(op.key));
  const { start, ops } = pad.local ? { start: pad, ops: here } : historyOf(state);
  const known = new Map(here.filter((op) => op.command === "write").map((op) => [`${op.game}/${op.turn}`, /** @type {import("./record.js").Rolls} */ (op.rolls)]));
  /** @type {(game: number, turn: number) => import("./record.js").Rolls | null} */
  const rolls = (game, turn) => { const found = known.get(`${game}/${turn}`); return found?.length && found.length === state.played[game].turns[turn].rolled ? found : null; };
  return { start, ops, rolls };
}

/** @param {Shown} shown */
function carried(shown) {
  const { pad, state, words } = shown;
  const { start, ops } = doneOn(shown);
  const sheet = find(pad.id);
  const book = sheet?.setUp.book ?? pad.links.book.split("/").at(-1) ?? "";
  return carriedOf(state.rules, start, ops, { book, label: words.names.book, opened: openedAt(shown) });
}

/** When the sheet was opened; today where neither this phone nor the server knows. @param {Shown} shown */
const openedAt = ({ pad }) => find(pad.id)?.opened || pad.opened || new Date().toISOString();

/** @param {Shown} shown */
function saveFile(shown) {
  const sheet = carried(shown);
  const day = sheet.opened.slice(0, 10);
  const [first, ...others] = recordOf(shown.state, doneOn(shown).rolls).map((game) => ({ ...game, tags: { ...game.tags, Date: day } }));
  const text = JSON.stringify([{ ...first, sheet }, ...others]);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = `fivedice-${shown.state.rules.key}-${day}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  tell(make("p", "", say("share-saved", { file: link.download })));
}

/** @param {Shown} shown */
async function linkOf(shown) {
  const address = new URL(shown.pad.links.setUp, location.href);
  address.hash = `sheet=${await packed(carried(shown))}`;
  return address.href;
}

/** @param {Shown} shown */
async function shareLink(shown) {
  const url = await linkOf(shown);
  const field = document.createElement("input");
  Object.assign(field, { id: "sheet-link", readOnly: true, value: url });
  field.setAttribute("aria-label", say("share-sheet"));
  tell(make("p", "", [field]));
  if (navigator.share) await navigator.share({ title: `${shown.words.names.book}: ${listed(shown.state.names)}`, url }).catch(() => {}); // not now after all
  else if (await copied(url, field)) tell(make("p", "", [field]), make("p", "", say("share-copied")));
}

/**
 * Pages that did not come securely have no clipboard, but what is selected can be copied there too.
 * @param {string} text
 * @param {HTMLInputElement} field
 */
async function copied(text, field) {
  try { await navigator.clipboard.writeText(text); return true; } catch { field.select(); return document.execCommand("copy"); }
}

/** @param {Shown} shown */
async function showCode(shown) {
  const code = qrCode(await linkOf(shown), "L", LARGEST_CODE);
  tell(code ? drawn(code.matrix) : make("p", "notice", say("share-too-large")));
}

/** @param {boolean[][]} matrix */
function drawn(matrix) {
  const size = matrix.length + 2 * QUIET;
  const picture = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  picture.setAttribute("viewBox", `0 0 ${size} ${size}`);
  picture.setAttribute("shape-rendering", "crispEdges");
  path.setAttribute("d", matrix.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : []))).join(""));
  picture.append(path);
  const holder = make("div", "qr whole-sheet", [picture]);
  holder.setAttribute("role", "img");
  holder.setAttribute("aria-label", say("code-sheet"));
  return holder;
}

/** @param {HTMLElement[]} lines */
function tell(...lines) {
  byId("share-now")?.replaceChildren(...lines);
  const said = lines.at(-1)?.textContent;
  if (said) announce(said);
}

/** @type {Record<string, (shown: Shown) => unknown>} */
const ACTIONS = { "save-sheet": saveFile, "share-sheet": shareLink, "code-sheet": showCode, "print-sheet": () => print() };

/**
 * The buttons, folded up. Older browsers cannot pack a link.
 * @param {() => Shown | null} now
 */
function panelOf(now) {
  const names = Object.keys(ACTIONS).filter((name) => "CompressionStream" in globalThis || !(name === "share-sheet" || name === "code-sheet"));
  const keys = names.map((name) => {
    const key = button("", say(name), () => { const shown = now(); if (shown) ACTIONS[name](shown); });
    key.id = name;
    return key;
  });
  const told = make("div");
  told.id = "share-now";
  const panel = make("details", "panel around", [make("summary", "", say("share")), make("div", "buttons", keys), told]);
  panel.id = "share";
  return panel;
}

/**
 * From now on the sheet can leave, and whatever is printed is the sheet.
 * @param {() => Shown | null} now what the page shows
 */
export function shareSheets(now) {
  const panel = panelOf(now);
  const lay = () => byId("share-place")?.replaceChildren(panel); // the page around it may be another by now
  addStyle("pad/share.css");
  addStyle("printing/print.css", "print");
  lay();
  document.addEventListener("fivedice:shown", lay);
  addEventListener("beforeprint", () => {
    const shown = now();
    if (shown) paintLeaf(shown, openedAt(shown));
  });
}
