// The sheet for paper: filled as it stands, on one page where it fits. The same table as on the pages that a server
// prints (templates/printing/print.html); only paper shows it.

import { byId, make, one } from "../core/page.js";
import { say } from "../core/words.js";
import { empty, lines, totals } from "./judge.js";
import { cards, outcome } from "./sheet.js";
import { isOver } from "./status.js";

/** @typedef {import("./sheet.js").State} State */
/** @typedef {import("./judge.js").Words} Words */
/** @typedef {{ head: string, note: string, card: import("./judge.js").Card, isBegun: boolean }} Column */

const ACROSS = 12; // columns of one page
const UPRIGHT = 6;
const TIGHT = 21; // lines that fit with room to spare

/**
 * @param {{ state: State, words: Words }} shown
 * @param {string} opened when
 */
export function paintLeaf({ state, words }, opened) {
  const found = byId("paper-leaves") ?? make("div");
  found.id = "paper-leaves";
  const groups = grouped(state);
  found.className = Math.max(...groups.map((group) => group.columns.length)) > UPRIGHT ? "a4-sideways" : "a4-upright";
  found.replaceChildren(...groups.map(({ title, columns }) => leaf(state, words, title, columns, opened)));
  one("main", HTMLElement)?.append(found);
}

/**
 * All players and games beside each other, or where they are too many a page for each player.
 * @param {State} state
 * @returns {{ title: string, columns: Column[] }[]}
 */
function grouped(state) {
  const each = state.names.map((name, seat) => ({ title: name, columns: columnsOf(state, seat) }));
  if (state.games * state.names.length > ACROSS && state.games > 1) return each;
  const named = each.map(({ title, columns }) => columns.map((column) => (state.games > 1 ? { ...column, head: `${title} ${column.head}` } : { ...column, head: title })));
  return [{ title: "", columns: named.flat() }];
}

/**
 * @param {State} state
 * @param {number} seat
 * @returns {Column[]}
 */
function columnsOf(state, seat) {
  const results = outcome(state).games;
  return Array.from({ length: state.games }, (_, game) => {
    const isBegun = game < state.played.length;
    const won = state.names.length > 1 && results[game]?.winners.includes(seat);
    return { head: String(game + 1), note: won ? say("won") : "", card: isBegun ? cards(state, game)[seat] : empty(state.rules), isBegun };
  });
}

/**
 * @param {State} state
 * @param {Words} words
 * @param {string} title
 * @param {Column[]} columns
 * @param {string} opened
 */
function leaf(state, words, title, columns, opened) {
  const day = new Date(opened).toLocaleDateString(document.documentElement.lang);
  const head = make("div", "print-head", [make("h2", "", words.names.book), make("p", "", [make("bdi", "", title), ` ${day}`])]);
  const numbers = printed(state.rules);
  const tight = numbers.length > TIGHT ? "h-6" : "h-7";
  const body = numbers.map((number) => row(state, words, columns, number));
  const heads = columns.map(({ head: text, note }) => scoped("col", make("th", "field", [make("bdi", "", text), ...(note ? [make("em", "", note)] : [])])));
  const table = make("table", `print-sheet ${tight} columns-${columns.length}`, [
    make("thead", "", [make("tr", "", [scoped("col", make("th", "label", say("box"))), ...heads])]), make("tbody", "", body),
  ]);
  return make("section", "print-leaf", [head, table, ...match(state)]);
}

/** The lines of the card from the top, one of them twice where the card has it so. @param {import("./judge.js").Rules} rules */
function printed({ lines: all, again = null }) {
  const numbers = all.map((_, number) => number);
  return again === null ? numbers : [...numbers.slice(0, -1), again, all.length - 1];
}

/**
 * @param {State} state
 * @param {Words} words
 * @param {Column[]} columns
 * @param {number} number
 */
function row(state, words, columns, number) {
  const [kind] = state.rules.lines[number];
  const label = words.names.lines[number];
  if (kind === "heading") {
    const heading = scoped("colgroup", make("th", "", label));
    heading.setAttribute("colspan", String(columns.length + 1));
    return make("tr", "row-heading", [heading]);
  }
  const cells = columns.map(({ card, isBegun }) => {
    const { value } = lines(state.rules, card)[number];
    const ticks = kind === "extra" && card.bonuses ? `${"✓".repeat(card.bonuses)} ` : "";
    return make("td", "field", isBegun && value !== null ? `${ticks}${value}` : "");
  });
  return make("tr", `row-${kind}`, [scoped("row", make("th", "label", label)), ...cells]);
}

/**
 * @param {string} scope
 * @param {HTMLElement} cell
 */
function scoped(scope, cell) {
  cell.setAttribute("scope", scope);
  return cell;
}

/** The sum of all games, below them. @param {State} state */
function match(state) {
  if (state.games === 1 || !state.matchTotal) return [];
  const won = outcome(state).match;
  const said = state.names.map((name, seat) => {
    const total = state.played.reduce((sum, _, game) => sum + totals(state.rules, cards(state, game)[seat]).grand, 0);
    const wins = isOver(state) && state.names.length > 1 && won?.winners.includes(seat);
    return make("span", "", [make("bdi", "", name), ` ${total}`, ...(wins ? [` (${say("winner")})`] : [])]);
  });
  return [make("p", "print-match", [make("strong", "", say("match-total")), ...said.flatMap((each) => [" · ", each])])];
}
