// Setting up a sheet. The server opens it; where it cannot be reached, or where there is none, it begins on this phone.

import { button, byId, isUnwell, make, one, parsed } from "../core/page.js";
import { say } from "../core/words.js";
import { startWorker } from "./awake.js";
import { bringSheets } from "./bring.js";
import { guardLinks } from "./links.js";
import { entries } from "./queue.js";
import { listed } from "./said.js";
import { list, newSheet, remove } from "./sheets.js";

/** @typedef {import("./sheets.js").SetUp} SetUp */

/**
 * What was chosen; empty lines between names are left out, and whoever begins still does.
 * @param {HTMLFormElement} form
 * @returns {SetUp | null}
 */
export function setUpOf(form) {
  const fields = new FormData(form);
  const book = one("input[name=book]:checked", HTMLInputElement, form);
  if (!book?.dataset.rules) return null;
  const written = fields.getAll("name").map((name) => String(name).trim());
  const begins = Number(fields.get("first") ?? 0);
  const names = written.filter(Boolean);
  const { rules, page = "", games = "1", label = "" } = book.dataset;
  return {
    rules, page, book: book.value, label,
    names: names.length ? names : [say("player-number", { number: 1 })],
    first: written[begins] ? written.slice(0, begins).filter(Boolean).length : 0,
    games: Number(fields.get("games")) || Number(games),
    matchTotal: fields.has("match"),
    mode: fields.get("entry") === "rolls" ? "rolls" : "quick",
  };
}

/** @param {HTMLFormElement} form */
function openHere(form) {
  const setUp = setUpOf(form);
  if (!setUp) return;
  const id = newSheet(setUp);
  if (id) return location.assign(`${form.dataset.sheet}#${id}`);
  const full = make("p", "notice", say("import-no-room"));
  full.setAttribute("role", "alert");
  byId("here-list")?.before(full);
  full.scrollIntoView({ block: "center" });
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLFormElement} choice what a sheet of this phone is set up by
 */
async function open(form, choice) {
  try {
    const body = new URLSearchParams(/** @type {[string, string][]} */ ([...new FormData(form)]));
    const answer = await fetch(form.action, { method: "POST", credentials: "same-origin", body });
    if (answer.redirected) return location.assign(answer.url);
    if (isUnwell(answer)) return openHere(choice);
    const told = one("main", HTMLElement, parsed(await answer.text())); // refused: the page says why, and keeps what was chosen
    if (told) one("main", HTMLElement)?.replaceWith(told);
    byId("main")?.scrollIntoView();
    begin();
  } catch { openHere(choice); }
}

function showHere() {
  const place = byId("here-list");
  one("#here .notice", HTMLElement)?.remove();
  const sheets = list();
  const address = byId("pad-setup")?.dataset.sheet;
  byId("here")?.toggleAttribute("hidden", !sheets.length);
  place?.replaceChildren(...sheets.map(({ id, setUp, opened }) => {
    const link = make("a", "", [`${setUp.label}: ${listed(setUp.names)}`]);
    link.setAttribute("href", `${address}#${id}`);
    const when = make("span", "quiet", say("local-sheet", { day: new Date(opened).toLocaleDateString(document.documentElement.lang), count: entries(id).length }));
    const away = button("", say("delete-sheet"), () => { remove(id); showHere(); });
    away.setAttribute("aria-label", say("delete-sheet-of", { names: listed(setUp.names) }));
    return make("li", "", [make("span", "", [link, make("br"), when]), away]);
  }));
}

function begin() {
  const form = byId("pad-setup");
  if (!(form instanceof HTMLFormElement)) return;
  showHere();
  for (const each of [form, one("#pad-again", HTMLFormElement)]) {
    each?.addEventListener("submit", (event) => {
      event.preventDefault();
      if (each.hasAttribute("action")) open(each, form);
      else openHere(form);
    });
  }
  bringSheets();
}

begin();
guardLinks();
startWorker();
