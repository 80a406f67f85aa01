// A sheet comes to this phone: by a file, by a link, or pasted. It is shown first and opened by a tap; nothing that is
// here is touched, and what the rules forbid is refused with the reason.

import { announce, button, byId, make, one } from "../core/page.js";
import { say } from "../core/words.js";
import { BadSheet, MOST_LETTERS, read, replayed } from "./carried.js";
import { prepare, reason } from "./judge.js";
import { listed } from "./said.js";
import { newSheet } from "./sheets.js";
import { addStyle } from "./styles.js";

/** @typedef {import("./carried.js").Carried} Carried */
/** @typedef {import("./judge.js").Words & { rules: import("./judge.js").Table }} Told */

/**
 * The rules of this site that a sheet was written by: of the same name if there are any, else any that play alike.
 * @param {Carried} sheet
 */
function bookOf({ book, fingerprint, label }) {
  const alike = [...document.querySelectorAll("input[name=book]")].flatMap((each) => (each instanceof HTMLInputElement && each.dataset.rules && each.dataset.fingerprint === fingerprint ? [each] : []));
  const found = alike.find((each) => each.value === book) ?? alike[0];
  if (!found) throw new BadSheet("import-other-rules", { rules: label });
  return found;
}

/** @param {string} text */
async function look(text) {
  /** @type {Told | null} */
  let told = null;
  try {
    const sheet = await read(text);
    const book = bookOf(sheet);
    const answer = await fetch(book.dataset.rules ?? "", { credentials: "same-origin" });
    if (!answer.ok) throw new Error("no rules");
    told = /** @type {Told} */ (await answer.json());
    offer(sheet, book, replayed(prepare(told.rules), sheet));
  } catch (error) {
    refuse(error instanceof BadSheet ? why(error, told) : say(error instanceof TypeError ? "needs-connection" : "import-unreadable"));
  }
}

/**
 * @param {BadSheet} error
 * @param {Told | null} told
 */
function why({ key, about }, told) {
  const { rules = "", number = 0 } = about;
  const because = about.reason && told ? reason(prepare(told.rules), told, about.reason) : "";
  return [say(key, { rules, number }), because].filter(Boolean).join(" ");
}

/** @param {HTMLElement[]} lines */
function tell(...lines) {
  const place = byId("bring-now");
  byId("bring")?.setAttribute("open", "");
  place?.replaceChildren(...lines);
  announce(place?.textContent ?? "");
  place?.scrollIntoView({ block: "nearest" });
}

/** @param {string} text */
function refuse(text) {
  const line = make("p", "notice", text);
  line.setAttribute("role", "alert");
  tell(line);
}

/**
 * @param {Carried} sheet
 * @param {HTMLInputElement} book
 * @param {ReturnType<typeof replayed>} found
 */
function offer(sheet, book, { state, ops }) {
  const count = state.played.reduce((sum, { turns }) => sum + turns.length, 0);
  const what = make("p", "", say("import-found", { rules: book.dataset.label ?? sheet.label, names: listed(state.names), count }));
  const open = button("primary", say("import-open"), () => {
    const { rules = "", page = "", label = "" } = book.dataset;
    const { names, first, games, match, opened } = sheet;
    const id = newSheet({ rules, page, book: book.value, label, names, first, games, matchTotal: match, mode: "quick" }, ops, opened);
    if (id) location.assign(`${byId("pad-setup")?.dataset.sheet}#${id}`);
    else refuse(say("import-no-room"));
  });
  open.id = "open-brought";
  tell(what, make("div", "buttons", [open, button("", say("cancel"), () => tell())]));
  open.focus();
}

/** @param {HTMLInputElement} field */
async function fromFile(field) {
  const file = field.files?.[0];
  field.value = "";
  if (!file) return;
  if (file.size > MOST_LETTERS) refuse(say("import-too-large"));
  else await look(await file.text());
}

/** The page has a place for it, and may have been opened by a link with a sheet in it. */
export function bringSheets() {
  const field = one("#bring-file", HTMLInputElement);
  const pasted = one("#bring-text", HTMLTextAreaElement);
  byId("bring")?.removeAttribute("hidden");
  field?.addEventListener("change", () => fromFile(field));
  byId("bring-pasted")?.addEventListener("click", () => { if (pasted?.value.trim()) look(pasted.value); });
  fromLink();
}

function fromLink() {
  if (!location.hash.startsWith("#sheet=")) return;
  const link = location.hash;
  history.replaceState(null, "", location.pathname + location.search); // a reload does not ask again
  look(link);
}

addStyle("pad/share.css");
addEventListener("hashchange", fromLink);
