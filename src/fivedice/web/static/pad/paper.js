// The sheet as paper shows it, and the match: the same markup that the server writes in templates/pad/_pad.html.

import { all, button, byId, formatSigned, make, one, say } from "../core/page.js";
import { bonusAt, emptyCard, judge, lines, par, totals } from "./judge.js";
import { cards, isOver, next, outcome } from "./sheet.js";

/** @typedef {import("./judge.js").Card} Card */
/** @typedef {import("./judge.js").Rules} Rules */
/** @typedef {import("./judge.js").Words} Words */
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
  const rows = state.rules.lines.map((_, number) => makeRow(paper, columns, number));
  table.replaceChildren(make("thead", "", [makeHead(state, columns, sheet !== null)]), make("tbody", "", rows));
  byId("sheet-name")?.replaceChildren(sayTitle(state, sheet));
  for (const tab of all("#tabs a[data-sheet]", HTMLAnchorElement)) {
    if (tab.id === (sheet === null ? "sheet-game" : `sheet-${sheet}`)) tab.setAttribute("aria-current", "true");
    else tab.removeAttribute("aria-current");
  }
  if (focused) byId(focused)?.focus({ preventScroll: true });
  revealColumn();
  paintTabs(state);
  paintMatch(state);
  byId("sheet-rules")?.replaceChildren(words.names.book);
}

/**
 * Scroll the column of who is on turn, or else has won, into view. What is scrolled by hand stays until that changes.
 */
export function revealColumn() {
  const scroll = one("#sheet .sheet-scroll", HTMLElement);
  const [names, ...heads] = all("#sheet th[scope=col]", HTMLElement);
  const found =
    heads.find((head) => head.classList.contains("on-turn")) ?? heads.find((head) => head.querySelector(".badge"));
  const column = found ? `${heads.indexOf(found)}/${heads.length}` : "";
  if (!scroll || !found || scroll.dataset.revealed === column) return;
  scroll.dataset.revealed = column;
  const { offsetLeft: left, offsetWidth: width } = found;
  scroll.scrollLeft = Math.min(
    left - names.offsetWidth,
    Math.max(left + width - scroll.clientWidth, scroll.scrollLeft),
  );
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
    const badge =
      onTurn === seat
        ? say("playing")
        : won.includes(seat) && state.names.length > 1
          ? say("winner")
          : state.out.has(seat)
            ? say("left")
            : "";
    return {
      label: state.names[seat], game, seat, onTurn: onTurn === seat, badge, card, lines: lines(state.rules, card),
    };
  });
}

/** @param {State} state @param {number} seat @returns {Column[]} */
function makeGameColumns(state, seat) {
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

/** @param {State} state @param {Column[]} columns @param {boolean} ofGames */
function makeHead(state, columns, ofGames) {
  const first = make("th", "", say(ofGames ? "game" : "box"));
  const row = make("tr", "", [first, ...columns.map((column) => makeColumnHead(state, column, ofGames))]);
  for (const cell of row.children) cell.setAttribute("scope", "col");
  return row;
}

/** @param {State} state @param {Column} column @param {boolean} ofGames */
function makeColumnHead(state, { label, onTurn, badge, card }, ofGames) {
  const who = make("span", "who", [
    ...(ofGames ? [make("span", "visually-hidden", `${say("game")} `)] : []),
    make("bdi", "", label),
  ]);
  const saved =
    !ofGames && card.saved && next(state) ? [make("small", "saved", say("saved", { count: card.saved }))] : [];
  return make("th", onTurn ? "on-turn" : "", [who, ...(badge ? [make("span", "badge", badge)] : []), ...saved]);
}

/** @param {Paper} paper @param {Column[]} columns @param {number} number */
function makeRow(paper, columns, number) {
  const { rules } = paper.state;
  const [kind, , role] = rules.lines[number];
  const label = paper.words.names.lines[number];
  if (kind === "heading") {
    const heading = make("th", "", label);
    heading.setAttribute("scope", "colgroup");
    heading.setAttribute("colspan", String(columns.length + 1));
    return make("tr", "row-heading", [heading]);
  }
  const even = kind === "box" ? par(rules, rules.index.get(role) ?? -1) : null;
  const pace = make("small", "", String(even));
  pace.setAttribute("aria-hidden", "true");
  const title = make("th", "", even ? [`${label} `, pace] : [label]);
  title.setAttribute("scope", "row");
  return make("tr", `row-${kind}`, [title, ...columns.map((column) => makeCell(paper, column, number, label))]);
}

/** @param {Paper} paper @param {Column} column @param {number} number @param {string} label */
function makeCell(paper, column, number, label) {
  const { state, sheet } = paper;
  const [kind, , role] = state.rules.lines[number];
  const { value } = column.lines[number];
  const element = make("td", column.onTurn ? "on-turn" : "");
  const isRunning = column.game === state.played.length - 1 && next(state) !== null;
  if (column.game >= state.played.length && kind !== "box") return element; // not begun
  if (kind === "box") fillBox(paper, column, element, role, label, value);
  else if (kind === "bonus")
    element.append(String(value), ...(sheet === null && isRunning ? makePace(state.rules, column.card, number) : []));
  else if (kind === "extra" && column.card.bonuses) element.append(makeTicks(column.card.bonuses), ` ${value}`);
  else element.append(String(value));
  return element;
}

/** @param {number} count */
function makeTicks(count) {
  const element = make("span", "ticks", "✓".repeat(count));
  element.setAttribute("aria-hidden", "true");
  return element;
}

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
  const tap = button("cell", String(value), () => paper.tapFilled({ game, turn }));
  tap.id = `turn-${game}-${turn}`;
  tap.setAttribute("aria-label", waits ? `${who}, ${say("cell-waiting")}` : who);
  element.append(tap);
}

/**
 * A box that may be chosen: tapping it is how one begins on paper.
 * @param {Paper} paper @param {Column} column @param {string} role @param {string} label
 */
function makeOpenCell(paper, column, role, label) {
  const dot = make("span", "open", "·");
  dot.setAttribute("aria-hidden", "true");
  const at = next(paper.state);
  if (!paper.canWrite || paper.fixing || !at || at.seat !== column.seat || at.game !== column.game)
    return [dot, make("span", "visually-hidden", say("open"))];
  const entry = paper.dice ? judge(paper.state.rules, column.card, paper.dice).boxes[role] : null;
  const tap = button(`cell open-cell${entry && !entry.points ? " zero" : ""}`, "", () => paper.tapOpen(role));
  tap.append(entry ? make("span", "worth", String(entry.points)) : dot);
  tap.setAttribute("aria-label", say("open-cell", { box: label, name: paper.state.names[column.seat] }));
  if (role === paper.chosen) tap.setAttribute("aria-pressed", "true");
  return [tap];
}

/** @param {State} state */
function paintTabs(state) {
  const list = byId("tabs");
  if (!list) return;
  list.hidden = state.games === 1;
  if (list.hidden) return;
  state.names.forEach((name, seat) => {
    if (!byId(`sheet-${seat}`)) {
      const link = make("a", "", [make("bdi", "", name)]);
      link.id = `sheet-${seat}`;
      link.setAttribute("href", `#sheet-${seat}`);
      link.dataset.sheet = String(seat);
      list.append(make("li", "", [link]));
    }
    byId(`sheet-${seat}`)?.replaceChildren(make("bdi", "", name));
  });
}

/** @param {State} state */
function paintMatch(state) {
  const section = byId("match");
  if (!section) return;
  section.hidden = state.games === 1;
  if (section.hidden) return;
  byId("match-title")?.replaceChildren(say(state.matchTotal ? "match" : "games"));
  const heads = [make("th", "", say("player")), ...(state.matchTotal ? [make("th", "num", say("total"))] : [])];
  for (let game = 1; game <= state.games; game += 1)
    heads.push(make("th", "num", [make("span", "visually-hidden", `${say("game")} `), String(game)]));
  for (const each of heads) each.setAttribute("scope", "col");
  const { match } = outcome(state);
  const body = state.names.map((name, seat) =>
    makeMatchRow(state, name, seat, isOver(state) && Boolean(match?.winners.includes(seat))),
  );
  one("#match table", HTMLTableElement)?.replaceChildren(
    make("thead", "", [make("tr", "", heads)]),
    make("tbody", "", body),
  );
}

/** @param {State} state @param {string} name @param {number} seat @param {boolean} wins */
function makeMatchRow(state, name, seat, wins) {
  const title = make("th", "", [
    make("bdi", "", name),
    ...(wins && state.names.length > 1 ? [" ", make("span", "badge", say("winner"))] : []),
  ]);
  title.setAttribute("scope", "row");
  const each = Array.from({ length: state.games }, (_, game) =>
    game < state.played.length ? totals(state.rules, cards(state, game)[seat]).grand : null,
  );
  const sum = make("strong", "", String(each.reduce((/** @type {number} */ all, points) => all + (points ?? 0), 0)));
  sum.id = `match-${seat}`;
  const cells = each.map((points) => make("td", "num", points === null ? "" : String(points)));
  return make("tr", "", [title, ...(state.matchTotal ? [make("td", "num", [sum])] : []), ...cells]);
}
