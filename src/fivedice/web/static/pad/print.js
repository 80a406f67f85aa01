// The sheet for paper, fetched once there is something to print: filled as it stands, on one page where it fits. The
// same table as on the pages that a server prints (templates/printing/print.html); only paper shows it.

import { byId, make, one, say } from "../core/page.js";
import { emptyCard, lines, totals } from "./judge.js";
import { cards, isOver, outcome } from "./sheet.js";

/** @typedef {import("./sheet.js").State} State */
/** @typedef {import("./judge.js").Words} Words */
/** @typedef {{ head: string, note: string, card: import("./judge.js").Card, isBegun: boolean }} Column */

const ACROSS = 12; // columns of one page
const UPRIGHT = 6;
const TIGHT = 21; // lines that fit with room to spare

/** @param {{ state: State, words: Words }} shown @param {string} opened when */
export function paintLeaf({ state, words }, opened) {
  const found = byId("paper-leaves") ?? make("div");
  found.id = "paper-leaves";
  const groups = groupColumns(state);
  found.className = Math.max(...groups.map((group) => group.columns.length)) > UPRIGHT ? "a4-sideways" : "a4-upright";
  found.replaceChildren(...groups.map(({ title, columns }) => makeLeaf(state, words, title, columns, opened)));
  one("main", HTMLElement)?.append(found);
}

/**
 * Put all players and games side by side; where they are too many, each player gets a page.
 * @param {State} state @returns {{ title: string, columns: Column[] }[]}
 */
function groupColumns(state) {
  const each = state.names.map((name, seat) => ({ title: name, columns: makeColumns(state, seat) }));
  if (state.games * state.names.length > ACROSS && state.games > 1) return each;
  const named = each.map(({ title, columns }) =>
    columns.map((column) =>
      state.games > 1 ? { ...column, head: `${title} ${column.head}` } : { ...column, head: title },
    ),
  );
  return [{ title: "", columns: named.flat() }];
}

/** @param {State} state @param {number} seat @returns {Column[]} */
function makeColumns(state, seat) {
  const results = outcome(state).games;
  return Array.from({ length: state.games }, (_, game) => {
    const isBegun = game < state.played.length;
    const won = state.names.length > 1 && results[game]?.winners.includes(seat);
    return {
      head: String(game + 1), note: won ? say("won") : "",
      card: isBegun ? cards(state, game)[seat] : emptyCard(state.rules), isBegun,
    };
  });
}

/** @param {State} state @param {Words} words @param {string} title @param {Column[]} columns @param {string} opened */
function makeLeaf(state, words, title, columns, opened) {
  const day = new Date(opened).toLocaleDateString(document.documentElement.lang);
  const head = make("div", "print-head", [
    make("h2", "", words.names.book),
    make("p", "", [make("bdi", "", title), ` ${day}`]),
  ]);
  const numbers = listLines(state.rules);
  const tight = numbers.length > TIGHT ? "h-6" : "h-7";
  const body = numbers.map((number) => makeRow(state, words, columns, number));
  const heads = columns.map(({ head: text, note }) =>
    addScope("col", make("th", "field", [make("bdi", "", text), ...(note ? [make("em", "", note)] : [])])),
  );
  const table = make("table", `print-sheet ${tight} columns-${columns.length}`, [
    make("thead", "", [make("tr", "", [addScope("col", make("th", "label", say("box"))), ...heads])]),
    make("tbody", "", body),
  ]);
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

/** @param {State} state @param {Words} words @param {Column[]} columns @param {number} number */
function makeRow(state, words, columns, number) {
  const [kind] = state.rules.lines[number];
  const label = words.names.lines[number];
  if (kind === "heading") {
    const heading = addScope("colgroup", make("th", "", label));
    heading.setAttribute("colspan", String(columns.length + 1));
    return make("tr", "row-heading", [heading]);
  }
  const cells = columns.map(({ card, isBegun }) => {
    const { value } = lines(state.rules, card)[number];
    const ticks = kind === "extra" && card.bonuses ? `${"✓".repeat(card.bonuses)} ` : "";
    return make("td", "field", isBegun && value !== null ? `${ticks}${value}` : "");
  });
  return make("tr", `row-${kind}`, [addScope("row", make("th", "label", label)), ...cells]);
}

/** @param {string} scope @param {HTMLElement} cell */
function addScope(scope, cell) {
  cell.setAttribute("scope", scope);
  return cell;
}

/** The sum of all games, below them. @param {State} state */
function makeMatch(state) {
  if (state.games === 1 || !state.matchTotal) return [];
  const won = outcome(state).match;
  const said = state.names.map((name, seat) => {
    const total = state.played.reduce((sum, _, game) => sum + totals(state.rules, cards(state, game)[seat]).grand, 0);
    const wins = isOver(state) && state.names.length > 1 && won?.winners.includes(seat);
    return make("span", "", [make("bdi", "", name), ` ${total}`, ...(wins ? [` (${say("winner")})`] : [])]);
  });
  const title = make("strong", "", say("match-total"));
  return [make("p", "print-match", [title, ...said.flatMap((each) => [" · ", each])])];
}
