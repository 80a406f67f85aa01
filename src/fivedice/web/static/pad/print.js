// The sheet for paper, fetched once there is something to print: filled as it stands, on one page where it fits. The
// lines are those of paper.js; only paper shows it.

import { byId, make, one, say } from "../core/page.js";
import { listTotals, makeGameColumns, makeHead, makeRow, makeTicks } from "./paper.js";

/** @typedef {import("./paper.js").Column} Column */
/** @typedef {import("./sheet.js").State} State */
/** @typedef {{ state: State, words: import("./judge.js").Words }} Shown */

const ACROSS = 12; // columns of one page
const UPRIGHT = 6;
const TIGHT = 21; // lines that fit with room to spare

/** @param {Shown} shown @param {string} opened when */
export function paintLeaf(shown, opened) {
  const found = byId("paper-leaves") ?? make("div", "", [], { id: "paper-leaves" });
  const groups = groupColumns(shown.state);
  found.className = Math.max(...groups.map(({ columns }) => columns.length)) > UPRIGHT ? "a4-sideways" : "a4-upright";
  found.replaceChildren(...groups.map(({ title, columns }) => makeLeaf(shown, title, columns, opened)));
  one("main", HTMLElement)?.append(found);
}

/**
 * Put all players and games side by side; where they are too many, each player gets a page.
 * @param {State} state @returns {{ title: string, columns: Column[] }[]}
 */
function groupColumns(state) {
  const each = state.names.map((title, seat) => ({ title, columns: makeGameColumns(state, seat) }));
  if (state.games * state.names.length > ACROSS && state.games > 1) return each;
  const named = each.flatMap(({ title, columns }) =>
    columns.map((column) => ({ ...column, label: state.games > 1 ? `${title} ${column.label}` : title })),
  );
  return [{ title: "", columns: named }];
}

/** @param {Shown} shown @param {string} title @param {Column[]} columns @param {string} opened */
function makeLeaf(shown, title, columns, opened) {
  const { state, words } = shown;
  const day = new Date(opened).toLocaleDateString(document.documentElement.lang);
  const who = make("p", "", [make("bdi", "", title), ` ${day}`]);
  const numbers = listLines(state.rules);
  const cell = (/** @type {Column} */ column, /** @type {number} */ number) => makeCell(state, column, number);
  const rows = numbers.map((number) => makeRow(shown, columns, number, cell));
  const table = make("table", `print-sheet ${numbers.length > TIGHT ? "h-6" : "h-7"} columns-${columns.length}`, [
    makeHead(state, columns, false), make("tbody", "", rows),
  ]);
  for (const each of table.querySelectorAll("th, td"))
    each.className = each.previousElementSibling ? "field" : "label"; // as on the pages that a server prints
  const head = make("div", "print-head", [make("h2", "", words.names.book), who]);
  return make("section", "print-leaf", [head, table, ...makeMatch(state)]);
}

/**
 * The lines of the card from the top, one of them twice where the card has it so.
 * @param {import("./judge.js").Rules} rules
 */
function listLines({ lines: all, again = null }) {
  const numbers = all.map((_, number) => number);
  return again === null ? numbers : [...numbers.slice(0, -1), again, all.length - 1];
}

/** @param {State} state @param {Column} column @param {number} number */
function makeCell({ rules, played }, { card, game, lines }, number) {
  const { value } = lines[number];
  const ticks = rules.lines[number][0] === "extra" ? makeTicks(card.bonuses) : [];
  return make("td", "", game < played.length && value !== null ? [...ticks, String(value)] : []);
}

/** The sum of all games, below them. @param {State} state */
function makeMatch(state) {
  if (state.games === 1 || !state.matchTotal) return [];
  const said = listTotals(state).flatMap(({ name, sum, won }) => [
    " · ", make("span", "", [make("bdi", "", name), ` ${sum}`, ...(won ? [` (${say("winner")})`] : [])]),
  ]);
  return [make("p", "print-match", [make("strong", "", say("match-total")), ...said])];
}
