// Setting up a sheet. The server opens it; where it cannot be reached, or where there is none, it begins on this phone.

import { all, ask, button, byId, isUnwell, joinList, make, one, parsed, say } from "../core/page.js";
import { showHistory } from "./history.js";
import { guardLinks, loadShare, startWorker } from "./sending.js";
import { isName, LONGEST_NAME, quoteName } from "./sheet.js";
import { listLocal, newSheet, remove } from "./store.js";

/**
 * Read what was chosen. Empty lines between names are left out; the chosen player still begins.
 * @param {HTMLFormElement} form @returns {import("./state.js").SetUp | null}
 */
function readSetUp(form) {
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
async function openHere(form) {
  const setUp = readSetUp(form);
  if (!setUp) return;
  const unfit = setUp.names.find((name) => !isName(name));
  if (unfit !== undefined)
    return refuse(
      say("name-refused", { name: quoteName(unfit), most: LONGEST_NAME }),
      one("[name=name]", HTMLElement, form),
    );
  const id = await newSheet(setUp);
  if (id) return location.assign(`${form.dataset.sheet}#${id}`);
  refuse(say("import-no-room"), byId("here-list"));
}

/** @param {string} text @param {HTMLElement | null} place what it stands before */
function refuse(text, place) {
  for (const old of all("main .notice[role=alert]", HTMLElement)) old.remove();
  const line = make("p", "notice", text, { role: "alert" });
  (place?.closest(".player-line") ?? place)?.before(line);
  line.scrollIntoView({ block: "center" });
}

/** @param {HTMLFormElement} form @param {HTMLFormElement} choice what a sheet of this phone is set up by */
async function open(form, choice) {
  try {
    const body = new URLSearchParams(/** @type {[string, string][]} */ ([...new FormData(form)]));
    const answer = await ask(form.action, { method: "POST", headers: {}, body });
    if (answer.redirected) return location.assign(answer.url);
    // Refused: the page says why, and keeps what was chosen.
    const fresh = isUnwell(answer) ? null : one("main", HTMLElement, parsed(await answer.text()));
    if (!fresh) return await openHere(choice); // also where the answer broke off in its headers
    one("main", HTMLElement)?.replaceWith(fresh);
    byId("main")?.scrollIntoView();
    begin();
  } catch { await openHere(choice); }
}

async function showHere() {
  const place = byId("here-list");
  const sheets = await listLocal();
  one("#here .notice", HTMLElement)?.remove();
  const address = byId("pad-setup")?.dataset.sheet;
  byId("here")?.toggleAttribute("hidden", !sheets.length);
  place?.replaceChildren(...sheets.map(({ id, setUp, opened, queue }) => {
    const names = joinList(setUp.names);
    const link = make("a", "", `${setUp.label}: ${names}`, { href: `${address}#${id}` });
    const day = new Date(opened).toLocaleDateString(document.documentElement.lang);
    const when = make("span", "quiet", say("local-sheet", { day, count: queue.length }));
    const drop = () => showHistory().then(() => remove(id)).then(showHere);
    const away = button("", say("delete-sheet"), drop, { "aria-label": say("delete-sheet-of", { names }) });
    return make("li", "", [make("span", "", [link, make("br"), when]), away]);
  }));
}

function begin() {
  const form = byId("pad-setup");
  if (!(form instanceof HTMLFormElement)) return;
  byId("plain-http")?.append(say("screen-needs-https"));
  byId("plain-http")?.toggleAttribute("hidden", isSecureContext);
  showHere();
  showHistory();
  for (const each of [form, one("#pad-again", HTMLFormElement)]) {
    each?.addEventListener("submit", (event) => {
      event.preventDefault();
      const isForServer = each.hasAttribute("action") && !("local" in each.dataset); // else it would be refused there
      if (isForServer) open(each, form);
      else openHere(form);
    });
  }
  offerRollOff(form);
  bringSheets();
}

// --- a sheet that comes by a file, by a link, or pasted ---

/** @param {(share: typeof import("./share.js")) => unknown} act */
function bring(act) {
  loadShare().then(act, () => refuse(say("needs-connection"), byId("bring-now")));
}

/** The page has a place for it, and may have been opened by a link with a sheet in it. */
function bringSheets() {
  const field = one("#bring-file", HTMLInputElement);
  const pasted = one("#bring-text", HTMLTextAreaElement);
  byId("bring")?.removeAttribute("hidden");
  field?.addEventListener("change", () => {
    const file = field.files?.[0];
    field.value = "";
    if (file) bring(({ readFile }) => readFile(file));
  });
  byId("bring-pasted")?.addEventListener("click", () => {
    if (pasted?.value.trim()) bring(({ readSheet }) => readSheet(pasted.value));
  });
  bringFromLink();
}

function bringFromLink() {
  if (!location.hash.startsWith("#sheet=")) return;
  const link = location.hash;
  bring(({ readSheet }) => {
    history.replaceState(null, "", location.pathname + location.search); // a reload does not ask again
    return readSheet(link);
  });
}

// --- who begins, by a roll-off with real dice ---

// Every player rolls all dice once, the highest total begins, and players who tie roll again. The roll-off only
// selects a player in the form: neither the server nor the sheets of this phone know of it.

/** @typedef {{ seat: number, name: string }} Player by the number of the line */

const LONGEST = 40; // letters of a roll

/**
 * The total of a roll, fresh as a number or by its dice; null where it is neither.
 * @param {string} text @param {number} dice @param {number} faces
 */
export function readTotal(text, dice, faces) {
  const digits = text.replace(/[\s,.+–-]/g, "");
  const total = Number(digits);
  if (!/^\d+$/.test(digits)) return null;
  if (total >= dice && total <= dice * faces) return total;
  const shown = [...digits].map(Number);
  const isRoll = shown.length === dice && shown.every((face) => face >= 1 && face <= faces);
  return isRoll ? shown.reduce((sum, face) => sum + face) : null;
}

/** Those with the highest total. @template {{ points: number }} T @param {T[]} rolled @returns {T[]} */
export function findLeaders(rolled) {
  const best = Math.max(...rolled.map(({ points }) => points));
  return rolled.filter(({ points }) => points === best);
}

/** @param {HTMLFormElement} form */
function offerRollOff(form) {
  const fold = byId("roll-off");
  if (!(fold instanceof HTMLDetailsElement)) return;
  /** @type {Player[] | null} */
  let tied = null; // the players who roll again
  fold.hidden = false;
  const paintOpen = () => { if (fold.open) paintLines(tied ?? readPlayers(form), readDice(form)); };
  const restart = () => { tied = null; sayResult(""); paintOpen(); };
  const compare = () => {
    tied = compareRolls(form, tied ?? readPlayers(form));
    if (!tied) return;
    paintLines(tied, readDice(form), true);
    findField(tied[0].seat)?.focus();
  };
  fold.addEventListener("toggle", paintOpen);
  form.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement && ["name", "book"].includes(target.name)) restart();
  });
  fold.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault(); // it opens no score sheet yet
    compare();
  });
  byId("compare-rolls")?.addEventListener("click", compare);
}

/** @param {HTMLFormElement} form @returns {Player[]} those with a name */
const readPlayers = (form) => all("input[name=name]", HTMLInputElement, form)
  .map(({ value }, seat) => ({ seat, name: value.trim() })).filter(({ name }) => name);

/** @param {HTMLFormElement} form */
function readDice(form) {
  const { dice = "5", faces = "6" } = one("input[name=book]:checked", HTMLInputElement, form)?.dataset ?? {};
  return { dice: Number(dice), faces: Number(faces) };
}

/** @param {number} seat */
const findField = (seat) => one(`#rolled-${seat}`, HTMLInputElement);

/** @param {string} text */
const sayResult = (text) => byId("roll-off-says")?.replaceChildren(text);

/**
 * A field per player; what was entered stays, unless they roll again.
 * @param {Player[]} players @param {{ dice: number }} rules @param {boolean} [again]
 */
function paintLines(players, { dice }, again = false) {
  const entered = new Map(players.map(({ seat }) => [seat, again ? "" : findField(seat)?.value ?? ""]));
  const lines = players.map(({ seat, name }) => {
    const field = Object.assign(document.createElement("input"), {
      id: `rolled-${seat}`, value: entered.get(seat), inputMode: "numeric", autocomplete: "off", maxLength: LONGEST,
    });
    return make("label", "", [make("span", "", say("begin-total", { name, count: dice })), " ", field]);
  });
  byId("roll-off-lines")?.replaceChildren(...lines);
}

/**
 * Mark who begins, or say what is missing.
 * @param {HTMLFormElement} form @param {Player[]} players @returns {Player[] | null} the players who roll again
 */
function compareRolls(form, players) {
  const { dice, faces } = readDice(form);
  const rolled = players.map((player) => {
    const text = findField(player.seat)?.value.trim() ?? "";
    return { ...player, text, points: readTotal(text, dice, faces) ?? 0 };
  });
  const unfit = rolled.find(({ points }) => !points);
  for (const { seat, points } of rolled) findField(seat)?.setAttribute("aria-invalid", String(!points));
  if (rolled.length < 2 || unfit) return refuseRolls(unfit, dice, faces);
  const leaders = findLeaders(rolled);
  const [{ seat, points }] = leaders;
  const names = joinList(leaders.map(({ name }) => name));
  sayResult(say(leaders.length > 1 ? "begin-tie" : "begin-won", { names, points }));
  if (leaders.length > 1) return leaders;
  const mark = one(`input[name=first][value="${seat}"]`, HTMLInputElement, form);
  if (mark) mark.checked = true;
  return null;
}

/** @param {(Player & { text: string }) | undefined} unfit @param {number} dice @param {number} faces @returns {null} */
function refuseRolls(unfit, dice, faces) {
  if (!unfit) sayResult(say("begin-alone"));
  else if (!unfit.text) sayResult(say("begin-missing", { name: unfit.name }));
  else sayResult(say("begin-wrong", { count: dice, least: dice, most: dice * faces, text: unfit.text }));
  if (unfit) findField(unfit.seat)?.focus();
  return null;
}

// --- the page begins ---

begin();
addEventListener("hashchange", bringFromLink);
guardLinks();
startWorker();
