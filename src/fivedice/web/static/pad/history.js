// The results of finished games that this phone has kept score of, by rules and by name. They are read off the sheets
// that are here, so a correction changes a result and never counts it twice. Results of deleted sheets stay.

import { button, byId, make, say } from "../core/page.js";
import { prepare, totals } from "./judge.js";
import { cards, outcome } from "./sheet.js";
import { emptyBase, foldSheet } from "./state.js";
import { loadAll, loadRules, recall, remember } from "./store.js";

/** @typedef {import("./sheet.js").State} State */
/** @typedef {[name: string, points: number, won: 0 | 1]} Result */
/**
 * A game, its rules and their name; `opened` says when its sheet was opened first, wherever it has been since.
 * @typedef {{ rules: string, label: string, results: Result[], opened?: string }} Finished
 */
/** @typedef {{ games: [id: string, game: Finished][], forgotten: string[] }} History the newest last */
/** @typedef {{ name: string, games: number, average: number, best: number, wins: number }} Line */

const NAME = "history";
const MOST = 1000; // games
/** @type {History} */
const EMPTY = { games: [], forgotten: [] };
/** @type {import("./state.js").Pad["links"]} */
const NO_LINKS = { rules: null, commands: "", setUp: "", book: "" };

// --- what is remembered ---

/**
 * The results of one game; only of those who have filled their card.
 * @param {State} state @param {number} game @returns {Result[]}
 */
function resultsOf(state, game) {
  const { winners } = outcome(state).games[game];
  return cards(state, game).flatMap((card, seat) => {
    const isFull = card.marks.every((mark) => mark !== null);
    const won = winners.includes(seat) && state.names.length > 1 ? 1 : 0;
    return isFull ? [[state.names[seat], totals(state.rules, card).grand, won]] : [];
  });
}

/**
 * The finished games of a sheet.
 * @param {State} state @param {string} label @param {string} [opened] @returns {Finished[]}
 */
export const finishedOf = (state, label, opened) => outcome(state).games
  .map((_, game) => ({ rules: state.rules.fingerprint, label, results: resultsOf(state, game), opened }));

/** The name of a sheet here, also after a server has opened it. @param {import("./state.js").Sheet} sheet */
const nameOf = ({ id, made }) => (made === undefined ? id : `made-${made}`);

/** The same for every copy of a sheet, as it may come here more than once. @param {History["games"][number]} game */
const copyOf = ([id, { opened, rules }]) => (opened ? `${opened}/${rules}${id.slice(id.lastIndexOf("/"))}` : id);

/**
 * What is known after looking at the sheets that are here: their games replace those that were read off them before. Of
 * copies the last counts, and all of them are forgotten together.
 * @param {History} before @param {[name: string, games: Finished[]][]} sheets @returns {History}
 */
export function learned({ games, forgotten }, sheets) {
  const here = new Set(sheets.map(([name]) => name));
  /** @type {History["games"]} */
  const found = sheets.flatMap(([name, all]) => all.map((game, number) => [`${name}/${number}`, game]));
  const isHere = (/** @type {string} */ id) => here.has(id.slice(0, id.lastIndexOf("/")));
  const deleted = new Set(found.filter(([id]) => forgotten.includes(id)).map(copyOf));
  const copies = found.filter((each) => deleted.has(copyOf(each))).map(([id]) => id);
  const gone = new Set([...forgotten.filter(isHere), ...copies]);
  const kept = games.filter(([id]) => !isHere(id));
  const all = [...kept, ...found.filter(([id, { results }]) => results.length && !gone.has(id))];
  const last = new Map(all.map((each) => [copyOf(each), each]));
  return { games: all.filter((each) => last.get(copyOf(each)) === each).slice(-MOST), forgotten: [...gone] };
}

/**
 * Nothing is left, and the games that are on sheets here do not come back.
 * @param {History} history @returns {History}
 */
export const cleared = ({ games, forgotten }) => ({ games: [], forgotten: [...forgotten, ...games.map(([id]) => id)] });

/**
 * By rules, and in them by name: those who won most first.
 * @param {History} history @returns {{ label: string, lines: Line[] }[]}
 */
export function summary({ games }) {
  return grouped(games.map(([, game]) => game), ({ rules }) => rules)
    .map((played) => ({ label: played[0].label, lines: linesOf(played.flatMap(({ results }) => results)) }))
    .sort((one, other) => one.label.localeCompare(other.label));
}

/** @template T @param {T[]} all @param {(each: T) => string} nameOf */
function grouped(all, nameOf) {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const each of all) groups.set(nameOf(each), [...groups.get(nameOf(each)) ?? [], each]);
  return [...groups.values()];
}

/** @param {Result[]} results @returns {Line[]} */
function linesOf(results) {
  const lines = grouped(results, ([name]) => name.trim().toLowerCase()).map((theirs) => {
    const points = theirs.map(([, total]) => total);
    const games = points.length;
    const wins = theirs.filter(([, , won]) => won).length;
    const average = points.reduce((one, other) => one + other) / games;
    return { name: theirs[games - 1][0], games, average, best: Math.max(...points), wins };
  });
  return lines.sort((one, other) => other.wins - one.wins || other.average - one.average);
}

// --- this phone ---

/** @returns {Promise<History>} */
async function load() {
  const found = /** @type {History | undefined} */ (await recall(NAME));
  return Array.isArray(found?.games) && Array.isArray(found.forgotten) ? found : EMPTY;
}

/** The sheets whose rules are here, with their finished games. @returns {Promise<[string, Finished[]][]>} */
async function sheetsHere() {
  /** @type {Map<string, ReturnType<typeof prepare>>} */
  const books = new Map();
  const all = (await loadAll()).sort((one, other) => (one.made ?? 0) - (other.made ?? 0));
  const found = await Promise.all(all.map(async (sheet) => {
    const told = await loadRules(sheet.rules);
    if (!told || !(sheet.base ?? sheet.setUp)) return [];
    const rules = books.get(sheet.rules) ?? prepare(told.rules);
    books.set(sheet.rules, rules);
    const state = foldSheet(sheet, rules, sheet.base ?? emptyBase(sheet, NO_LINKS));
    const opened = sheet.opened ?? sheet.base?.opened ?? undefined;
    return [/** @type {[string, Finished[]]} */ ([nameOf(sheet), finishedOf(state, told.names.book, opened)])];
  }));
  return found.flat();
}

/** Look at the sheets, and show what is known. */
export async function showHistory() {
  const place = byId("history-tables");
  if (!place) return;
  const history = learned(await load(), await sheetsHere());
  await remember(NAME, history);
  byId("history")?.toggleAttribute("hidden", !history.games.length);
  place.replaceChildren(...summary(history).map(table), deleting(history));
}

/** @param {{ label: string, lines: Line[] }} book */
function table({ label, lines }) {
  const heads = ["player", "games", "history-average", "history-best", "history-wins"]
    .map((key, place) => make("th", place ? "num" : "", say(key), { scope: "col" }));
  const whole = make("table", "plain", [
    make("caption", "", label),
    make("thead", "", [make("tr", "", heads)]),
    make("tbody", "", lines.map(row)),
  ]);
  return make("div", "sheet-scroll", [whole]);
}

/** @param {Line} line */
function row({ name, games, average, best, wins }) {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  const rounded = average.toLocaleString(document.documentElement.lang, digits);
  const cells = [String(games), rounded, String(best), String(wins)].map((text) => make("td", "num", text));
  return make("tr", "", [make("th", "", [make("bdi", "", name)], { scope: "row" }), ...cells]);
}

/** A question comes before all is deleted. @param {History} history */
function deleting(history) {
  const line = make("div", "buttons");
  const ask = button("", say("history-delete"), () => {
    const empty = () => remember(NAME, cleared(history)).then(showHistory);
    const sure = button("", say("history-delete-now"), empty, { id: "history-delete-now" });
    const no = button("primary", say("cancel"), () => { line.replaceChildren(ask); ask.focus(); });
    line.replaceChildren(make("p", "", say("history-sure")), sure, no);
    no.focus();
  }, { id: "history-delete" });
  line.append(ask);
  return line;
}
