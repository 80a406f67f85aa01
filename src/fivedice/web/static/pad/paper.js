// The sheet as paper shows it, and the match. print.js lays the same lines out for the printer.

import { all, button, byId, formatSigned, make, one, say } from "../core/page.js";
import { bonusAt, emptyCard, judge, lines, par, totals } from "./judge.js";
import { cards, isOver, next, outcome } from "./sheet.js";

/** @import { Card, Rules, Words } from "./judge.js" */
/** @typedef {import("./sheet.js").State} State */
/**
 * @typedef {object} Paper
 * @property {State} state
 * @property {Words} words
 * @property {number | null} sheet the player whose games are shown side by side; null: this game of all players
 * @property {boolean} canWrite
 * @property {string | null} chosen the open box that a number is being chosen for
 * @property {string} dice all that were typed; "" while some are missing
 * @property {{ game: number, turn: number } | null} fixing
 * @property {Set<string>} waiting the places of entries that have not arrived
 * @property {(box: string) => void} tapOpen
 * @property {(place: { game: number, turn: number }) => void} tapFilled
 */
/**
 * @typedef {object} Column
 * @property {string} label
 * @property {number} game
 * @property {number} seat
 * @property {boolean} onTurn
 * @property {string} badge
 * @property {Card} card
 * @property {import("./judge.js").Line[]} lines
 */

/** @param {Paper} paper */
export function paintPaper(paper) {
  const { state, words, sheet } = paper;
  const table = one("#sheet table.sheet", HTMLTableElement);
  if (!table) return;
  const focused = table.contains(document.activeElement) ? document.activeElement?.id : "";
  const columns = sheet === null ? makePlayerColumns(state) : makeGameColumns(state, sheet);
  table.className = `sheet seats-${columns.length}${sheet === null ? "" : " of-games"}`;
  const cell = (/** @type {Column} */ column, /** @type {number} */ number) => makeCell(paper, column, number);
  const rows = state.rules.lines.map((_, number) => makeRow(paper, columns, number, cell));
  table.replaceChildren(makeHead(state, columns, sheet !== null), make("tbody", "", rows));
  byId("sheet-name")?.replaceChildren(sayTitle(state, sheet));
  if (focused) byId(focused)?.focus({ preventScroll: true });
  revealColumn();
  paintTabs(state, sheet);
  paintMatch(state);
  byId("sheet-rules")?.replaceChildren(words.names.book);
}

/** Scroll to the column of who is on turn, or else has won. What is scrolled by hand stays until that changes. */
function revealColumn() {
  const scroll = one("#sheet .sheet-scroll", HTMLElement);
  const [names, ...heads] = all("#sheet th[scope=col]", HTMLElement);
  const found =
    heads.find((head) => head.classList.contains("on-turn"))
    ?? heads.find((head) => head.querySelector(".badge, .star"));
  const column = found ? `${heads.indexOf(found)}/${heads.length}` : "";
  if (!scroll || !found || scroll.dataset.revealed === column) return;
  scroll.dataset.revealed = column;
  const { offsetLeft: left, offsetWidth: width } = found;
  const enough = left + width + 1 - scroll.clientWidth; // both are rounded
  scroll.scrollLeft = Math.min(left - names.offsetWidth, Math.max(enough, scroll.scrollLeft));
}

/** @param {State} state @param {number | null} sheet */
function sayTitle(state, sheet) {
  if (sheet !== null) return say("sheet-of", { name: state.names[sheet] });
  return state.games > 1 ? say("game-of", { game: state.played.length, games: state.games }) : say("score-sheet");
}

/** @param {State} state @returns {Column[]} */
function makePlayerColumns(state) {
  const game = state.played.length - 1;
  const onTurn = next(state)?.seat;
  const won = outcome(state).games[game]?.winners ?? [];
  return cards(state, game).map((card, seat) => {
    const isWinner = won.includes(seat) && state.names.length > 1;
    const rest = isWinner ? say("winner") : state.out.has(seat) ? say("left") : "";
    const badge = onTurn === seat ? say("playing") : rest;
    return {
      label: state.names[seat], game, seat, onTurn: onTurn === seat, badge, card, lines: lines(state.rules, card),
    };
  });
}

/** @param {State} state @param {number} seat @returns {Column[]} */
export function makeGameColumns(state, seat) {
  const running = next(state)?.game;
  const results = outcome(state).games;
  return Array.from({ length: state.games }, (_, game) => {
    const card = game < state.played.length ? cards(state, game)[seat] : emptyCard(state.rules);
    const won = state.names.length > 1 && results[game]?.winners.includes(seat);
    return {
      label: String(game + 1), game, seat, onTurn: game === running, badge: won ? say("won") : "", card,
      lines: lines(state.rules, card),
    };
  });
}

/** @param {State} state @param {Column[]} columns @param {boolean} ofGames whether the first line says so */
export function makeHead(state, columns, ofGames) {
  const heads = columns.map(({ label, onTurn, badge, card }) => {
    const game = ofGames ? [make("span", "visually-hidden", `${say("game")} `)] : [];
    const who = make("span", "who", [...game, make("bdi", "", label)]);
    const isSaved = !ofGames && card.saved && next(state);
    const saved = isSaved ? [make("small", "saved", say("saved", { count: card.saved }))] : [];
    const said = badge ? [make("span", ofGames ? "visually-hidden" : "badge", badge)] : [];
    const star = ofGames && badge ? [make("span", "star", "★", { "aria-hidden": "true" })] : [];
    return make("th", onTurn ? "on-turn" : "", [who, ...said, ...star, ...saved], { scope: "col" });
  });
  const first = make("th", "", say(ofGames ? "game" : "box"), { scope: "col" });
  return make("thead", "", [make("tr", "", [first, ...heads])]);
}

/**
 * A line across the columns: its name, with what an even course needs there, and a cell in each column.
 * @param {Pick<Paper, "state" | "words">} paper @param {Column[]} columns @param {number} number
 * @param {(column: Column, number: number) => HTMLElement} makeCell
 */
export function makeRow({ state: { rules }, words }, columns, number, makeCell) {
  const [kind, , role] = rules.lines[number];
  const label = words.names.lines[number];
  if (kind === "heading") {
    const across = { scope: "colgroup", colspan: String(columns.length + 1) };
    return make("tr", "row-heading", [make("th", "", label, across)]);
  }
  const even = kind === "box" ? par(rules, rules.index.get(role) ?? -1) : null;
  const pace = even ? [" ", make("small", "", String(even), { "aria-hidden": "true" })] : [];
  const title = make("th", "", [label, ...pace], { scope: "row" });
  return make("tr", `row-${kind}`, [title, ...columns.map((column) => makeCell(column, number))]);
}

/** @param {Paper} paper @param {Column} column @param {number} number */
function makeCell(paper, column, number) {
  const { state, sheet, words } = paper;
  const [kind, , role] = state.rules.lines[number];
  const { value } = column.lines[number];
  const element = make("td", column.onTurn ? "on-turn" : "");
  const isRunning = column.game === state.played.length - 1 && next(state) !== null;
  if (column.game >= state.played.length && kind !== "box") return element; // not begun
  if (kind === "box") fillBox(paper, column, element, role, words.names.lines[number], value);
  else if (kind === "bonus")
    element.append(String(value), ...(sheet === null && isRunning ? makePace(state.rules, column.card, number) : []));
  else element.append(...(kind === "extra" ? makeTicks(column.card.bonuses) : []), String(value));
  return element;
}

/** @param {number} count */
export const makeTicks = (count) =>
  (count ? [make("span", "ticks", "✓".repeat(count), { "aria-hidden": "true" }), " "] : []);

/** @param {Rules} rules @param {Card} card @param {number} number */
function makePace(rules, card, number) {
  const { paid, counted, aim, ahead } = bonusAt(rules, card, number);
  const text =
    aim === null
      ? say(paid ? "bonus-reached" : "bonus-lost")
      : ahead === null
        ? `${counted}/${aim}`
        : ahead
          ? formatSigned(ahead)
          : say("bonus-on-pace");
  return [" ", make("small", aim === null && !paid ? "pace out" : "pace", text)];
}

/**
 * @param {Paper} paper @param {Column} column @param {HTMLElement} element @param {string} role @param {string} label
 * @param {number | null} value
 */
function fillBox(paper, column, element, role, label, value) {
  const { state, canWrite, fixing, waiting, sheet } = paper;
  const { game, seat } = column;
  element.id = `cell-${sheet === null ? seat : `${seat}-${game}`}-${role}`;
  if (value === null) return void element.append(...makeOpenCell(paper, column, role, label));
  const turns = state.played[game].turns;
  const turn = turns.findIndex((each) => each.seat === seat && each.box === role);
  const isLast = turn === turns.length - 1 && game === state.played.length - 1;
  element.classList.toggle("latest", isLast);
  const waits = waiting.has(`${game}/${turn}`);
  element.classList.toggle("waiting", waits);
  element.classList.toggle("fixing", fixing?.game === game && fixing.turn === turn);
  if (!canWrite) return void element.append(String(value));
  const who =
    sheet === null
      ? say("correct-cell", { points: value, box: label, name: column.label })
      : say("correct-cell-game", { points: value, box: label, game: column.label });
  const said = waits ? `${who}, ${say("cell-waiting")}` : who;
  const about = { id: `turn-${game}-${turn}`, "aria-label": said };
  element.append(button("cell", String(value), () => paper.tapFilled({ game, turn }), about));
}

/**
 * A box that may be chosen: tapping it is how one begins on paper.
 * @param {Paper} paper @param {Column} column @param {string} role @param {string} label
 */
function makeOpenCell(paper, column, role, label) {
  const dot = make("span", "open", "·", { "aria-hidden": "true" });
  const at = next(paper.state);
  if (!paper.canWrite || paper.fixing || !at || at.seat !== column.seat || at.game !== column.game)
    return [dot, make("span", "visually-hidden", say("open"))];
  const entry = paper.dice ? judge(paper.state.rules, column.card, paper.dice).boxes[role] : null;
  const about = {
    "aria-label": say("open-cell", { box: label, name: paper.state.names[column.seat] }),
    ...(role === paper.chosen && { "aria-pressed": "true" }),
  };
  const zero = entry && !entry.points ? " zero" : "";
  const tap = button(`cell open-cell${zero}`, "", () => paper.tapOpen(role), about);
  tap.append(entry ? make("span", "worth", String(entry.points)) : dot);
  return [tap];
}

/** @param {State} state @param {number | null} sheet */
function paintTabs({ games, names }, sheet) {
  const list = byId("tabs");
  if (!list) return;
  list.hidden = games === 1;
  if (list.hidden) return;
  names.forEach((name, seat) => {
    const id = `sheet-${seat}`;
    const about = { id, href: `#${id}`, "data-sheet": String(seat) };
    if (!byId(id)) list.append(make("li", "", [make("a", "", [], about)]));
    byId(id)?.replaceChildren(make("bdi", "", name));
  });
  for (const tab of all("a[data-sheet]", HTMLAnchorElement, list)) {
    if (tab.id === (sheet === null ? "sheet-game" : `sheet-${sheet}`)) tab.setAttribute("aria-current", "true");
    else tab.removeAttribute("aria-current");
  }
}

/** @param {State} state */
function paintMatch(state) {
  const section = byId("match");
  section?.toggleAttribute("hidden", state.games === 1);
  if (!section || section.hidden) return;
  byId("match-title")?.replaceChildren(say(state.matchTotal ? "match" : "games"));
  const games = Array.from({ length: state.games }, (_, game) =>
    make("th", "num", [make("span", "visually-hidden", `${say("game")} `), String(game + 1)], { scope: "col" }),
  );
  const total = state.matchTotal ? [make("th", "num", say("total"), { scope: "col" })] : [];
  one("table", HTMLTableElement, section)?.replaceChildren(
    make("thead", "", [make("tr", "", [make("th", "", say("player"), { scope: "col" }), ...total, ...games])]),
    make("tbody", "", listTotals(state).map((line, seat) => makeMatchRow(state, line, seat))),
  );
}

/** The totals of every player, and who has won the match. @param {State} state */
export function listTotals(state) {
  const { match } = outcome(state);
  const winners = isOver(state) && state.names.length > 1 ? match?.winners ?? [] : [];
  return state.names.map((name, seat) => ({
    name, sum: match?.totals[seat] ?? 0, won: winners.includes(seat),
    totals: state.played.map((_, game) => totals(state.rules, cards(state, game)[seat]).grand),
  }));
}

/** @param {State} state @param {ReturnType<typeof listTotals>[number]} line @param {number} seat */
function makeMatchRow({ games, matchTotal }, { name, totals: each, sum, won }, seat) {
  const badge = won ? [" ", make("span", "badge", say("winner"))] : [];
  const total = matchTotal ? [make("td", "num", [make("strong", "", String(sum), { id: `match-${seat}` })])] : [];
  const cells = Array.from({ length: games }, (_, game) => make("td", "num", String(each[game] ?? "")));
  return make("tr", "", [make("th", "", [make("bdi", "", name), ...badge], { scope: "row" }), ...total, ...cells]);
}
