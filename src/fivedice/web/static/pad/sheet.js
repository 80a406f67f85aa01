// A sheet as it stands: the base of the server with what was done here since, folded anew each time. judge.js judges;
// here are the order of seats and games, and no page or storage.

import {
  answers, checkSaved, emptyCard, entryFor, judge, lines, put, Refused, rollFor, sortDice, totals,
} from "./judge.js";

/** @import { Card, Entry, Reason, Rules } from "./judge.js" */
/**
 * A written turn. Where only its points were noted, `told` is false and its dice stand for any that bring them.
 * `rolled` is how many rolls were noted one by one, if they were.
 * @typedef {Entry & { seat: number, dice: string, box: string, saved: number, told: boolean, rolled?: number }} Turn
 */
/**
 * `passed` are seats that were skipped, or came and waited, before the turn of this number; `seats`, how many it has;
 * `out`, who had left when it was over.
 * @typedef {{ first: number, turns: Turn[], passed?: { turn: number, seat: number }[], seats?: number,
 *   out?: number[] }} Game
 */
/**
 * What the server knows, or how a sheet on this phone was set up: then there is a first game without turns.
 * @typedef {object} Base
 * @property {Rules} rules
 * @property {string[]} names
 * @property {number} first
 * @property {number} games how many there are to be
 * @property {boolean} matchTotal
 * @property {number[]} out seats that have left
 * @property {boolean} [ended] before it was full
 * @property {Game[]} played the last is the one that is played
 */
/** @typedef {{ command: string, key: string, [field: string]: unknown }} Op */
/**
 * @typedef {Omit<Base, "out"> & { out: Set<number>, phase: Phase, taken: Set<string>, refused: Map<string, Reason>,
 *   joined: Map<string, number> }} State
 */
/** @typedef {"playing" | "between" | "finished" | "ended"} Phase */
/**
 * @typedef {{ game: number, turn: number, dice?: string | null, points?: number | null, box?: string | null,
 *   saved?: number | null }} Change
 */

const MOST_SEATS = 12;

/**
 * The base with the operations. A refused one changes nothing; one that is done already is taken.
 * @param {Base} base @param {Op[]} ops @returns {State}
 */
export function fold(base, ops) {
  /** @type {Unphased} */
  let state = { ...base, out: new Set(base.out), taken: new Set(), refused: new Map(), joined: new Map() };
  for (const given of ops) {
    const op = findSeat(given, state.joined);
    try {
      state = { ...state, ...(OPERATIONS[op.command]?.(withPhase(state), op) ?? {}) };
      state.taken.add(op.key);
      if (op.command === "join") state.joined.set(op.key, state.names.length - 1);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      state.refused.set(op.key, error.reason);
    }
  }
  return withPhase(state);
}

/**
 * The seat of a player who joined by the operation `by`.
 * @param {Op} op @param {ReadonlyMap<unknown, number>} joined @returns {Op}
 */
const findSeat = (op, joined) => ({ ...op, ...(joined.has(op.by) && { seat: joined.get(op.by) }) });

/** @param {Unphased} state @returns {State} */
function withPhase(state) {
  const full = seatFor(state, state.played.length - 1) === null;
  const last = state.played.length >= state.games;
  return { ...state, phase: state.ended ? "ended" : !full ? "playing" : last ? "finished" : "between" };
}

// --- cards and turns ---

/** @typedef {Pick<State, "rules" | "names" | "played">} Sheet */
/** @typedef {Omit<State, "phase">} Unphased */

/** The column of every player in a game; later players have an empty one. @param {Sheet} state @param {number} game */
export function cards({ rules, names, played }, game) {
  const found = names.map(() => emptyCard(rules));
  for (const turn of played[game].turns) found[turn.seat] = put(rules, found[turn.seat], turn.box, turn, turn.saved);
  return found;
}

/**
 * The card of a player as it was when a turn was written.
 * @param {Sheet} state @param {number} game @param {number} turn
 */
export function cardBefore({ rules, names, played }, game, turn) {
  const { turns } = played[game];
  return cards({ rules, names, played: [{ first: 0, turns: turns.slice(0, turn) }] }, 0)[turns[turn].seat];
}

/**
 * The turn that was written last, also of the game before.
 * @param {Sheet} state @returns {{ game: number, turn: number } | null}
 */
export function lastTurn({ played }) {
  const game = played.findLastIndex(({ turns }) => turns.length);
  return game < 0 ? null : { game, turn: played[game].turns.length - 1 };
}

/** @param {Pick<State, "phase">} state */
export const isOver = ({ phase }) => phase === "finished" || phase === "ended";

/** @param {Card} card */
const isFull = (card) => !card.marks.includes(null);

/** How many seats a game has. @param {Unphased} state @param {number} game */
const seatsOf = ({ played, names }, game) => played[game].seats ?? names.length;

/** Who has left, as far as a game goes. @param {Unphased} state @param {number} game */
const outOf = ({ played, out }, game) => new Set(played[game].out ?? out);

/** Who can still play, in order from the last writer. @param {Unphased} state @param {number} game */
function listInOrder(state, game) {
  const { first, turns } = state.played[game];
  const [count, out, columns] = [seatsOf(state, game), outOf(state, game), cards(state, game)];
  const last = turns.at(-1)?.seat ?? first - 1;
  return Array.from({ length: count }, (_, step) => (last + 1 + step) % count).filter(
    (seat) => !out.has(seat) && !isFull(columns[seat]),
  );
}

/** Who was skipped since the last turn. @param {Unphased} state @param {number} game */
const listSkipped = ({ played }, game) =>
  (played[game].passed ?? []).filter(({ turn }) => turn === played[game].turns.length).map(({ seat }) => seat);

/** Whose turn it is: those who were skipped come last. @param {Unphased} state @param {number} game */
function seatFor(state, game) {
  const [able, later] = [listInOrder(state, game), listSkipped(state, game)];
  return able.find((seat) => !later.includes(seat)) ?? able[0] ?? null;
}

/** With more seats skipped; once all are, none is. @param {Unphased} state @param {number[]} more */
function skipSeats(state, more) {
  const game = state.played.length - 1;
  const { passed = [], turns } = state.played[game];
  const later = [...listSkipped(state, game), ...more];
  const all = listInOrder(state, game).every((seat) => later.includes(seat));
  const now = all ? [] : later.map((seat) => ({ turn: turns.length, seat }));
  return replaceGame(state, game, { passed: [...passed.filter(({ turn }) => turn < turns.length), ...now] });
}

/** @typedef {{ game: number, turn: number, seat: number, round: number }} Place */

/**
 * The turn to be written next, in the round of the player's own column.
 * @param {State} state @returns {Place | null}
 */
export function next(state) {
  const game = state.played.length - 1;
  const seat = state.phase === "playing" ? seatFor(state, game) : null;
  if (seat === null) return null;
  const { turns } = state.played[game];
  return { game, turn: turns.length, seat, round: 1 + turns.filter((turn) => turn.seat === seat).length };
}

/**
 * The state with a game replaced.
 * @param {Unphased} state @param {number} game @param {Partial<Game>} changes @returns {Pick<State, "played">}
 */
const replaceGame = ({ played }, game, changes) => ({
  played: played.map((each, number) => (number === game ? { ...each, ...changes } : each)),
});

// --- operations ---

/** @typedef {(state: State, op: any) => Partial<State>} Operation */

/** @param {string} kind @param {Omit<Reason, "kind">} [args] @returns {never} */
const refuse = (kind, args = {}) => { throw new Refused({ kind, ...args }); };

/** @param {State} state */
function mustGoOn({ phase }) {
  if (phase === "ended" || phase === "finished") refuse("table.not-playing");
}

/** @type {Record<string, Operation>} */
const OPERATIONS = {
  write, next: beginGame, correct, erase, pass, join, retire, rejoin, rename,
  end: ({ phase }) => (phase === "finished" ? {} : { ended: true }),
};

/** @type {Operation} */
function write(state, { game, turn, seat, dice = null, points = null, box, saved = 0, rolls = null }) {
  const stands = state.played[game]?.turns[turn];
  if (stands)
    return isAs(state.rules, stands, { seat, dice, points, box, saved }) ||
      scoresAs(state, game, turn, { seat, dice, points, box, saved })
      ? {}
      : refuseWritten(state, stands);
  mustGoOn(state);
  const at = placeFor(state, game, turn);
  if ((seat ?? at.seat) !== at.seat) refuse("table.not-your-turn", { player: state.names[at.seat] });
  return replaceGame(state, game, {
    turns: [
      ...state.played[game].turns,
      {
        ...makeTurn(state.rules, cards(state, game)[at.seat], at.seat, { dice, points, box, saved }),
        rolled: rolls?.length,
      },
    ],
  });
}

/** The next turn, if it is this one. @param {State} state @param {number} game @param {number} turn @returns {Place} */
function placeFor(state, game, turn) {
  const at = next(state);
  if (game >= state.played.length) refuse("table.game-not-begun", { game: game + 1 });
  if (!at || game < at.game) return refuse("table.game-full", { game: game + 1 });
  return turn > at.turn ? refuse("table.turn-missing", { player: state.names[at.seat], round: at.round }) : at;
}

/**
 * Whether this is known of a turn.
 * @param {Rules} rules @param {Turn} turn
 * @param {{ seat?: number, dice: string | null, points: number | null, box: string, saved?: number }} seen
 */
function isAs(rules, turn, { seat = turn.seat, dice, points, box, saved = turn.saved }) {
  if (
    box !== turn.box || seat !== turn.seat || (rules.saves && saved !== turn.saved) ||
    (points ?? turn.points) !== turn.points
  )
    return false;
  return dice && turn.told ? sortDice(dice) === sortDice(turn.dice) : points !== null;
}

/**
 * Whether other dice, given with their points, score the same there: then the dice of the sheet stay.
 * @param {State} state @param {number} game @param {number} turn
 * @param {{ seat?: number, dice: string | null, points: number | null, box: string, saved?: number }} seen
 */
function scoresAs(state, game, turn, { dice, points, ...seen }) {
  const stands = state.played[game].turns[turn];
  if (
    !dice || points === null || !isAs(state.rules, stands, { dice: null, points, ...seen }) ||
    !state.rules.roll.has(sortDice(dice))
  )
    return false;
  const found = judge(state.rules, cardBefore(state, game, turn), dice).boxes[seen.box];
  return (
    Boolean(found) && found.points === stands.points && found.extra === stands.extra && found.joker === stands.joker
  );
}

/** @param {State} state @param {Turn} turn */
function refuseWritten({ names }, { seat, dice, box, points, told }) {
  const what = { player: names[seat], box, points };
  return told ? refuse("table.turn-written", { ...what, dice: sortDice(dice) }) : refuse("table.points-written", what);
}

/**
 * @param {Rules} rules @param {Card} card @param {number} seat
 * @param {{ dice: string | null, points: number | null, box: string, saved: number }} op @returns {Turn}
 */
function makeTurn(rules, card, seat, { dice, points, box, saved }) {
  if (dice || points === null) checkDice(rules, dice ?? "");
  const stands = dice || rollFor(rules, card, box, points);
  const entry = entryFor(rules, card, box, stands);
  if (dice && (points ?? entry.points) !== entry.points)
    refuse("table.other-points", { box, points: entry.points, told: points });
  checkSaved(rules, card, saved);
  return { seat, dice: stands, box, ...entry, saved: rules.saves ? saved : 0, told: Boolean(dice) };
}

/** @param {Rules} rules @param {string} dice */
function checkDice(rules, dice) {
  if (!rules.roll.has(sortDice(dice)))
    refuse("table.wrong-dice", { count: rules.dice, faces: rules.faces, dice: `'${dice}'` });
}

/** @type {Operation} */
function beginGame(state, { game }) {
  const { played, games, phase } = state;
  if (game < played.length) return {};
  mustGoOn(state);
  if (game !== played.length || game >= games)
    refuse("table.game-not-next", { game: game + 1, next: played.length + 1, games });
  if (phase !== "between") refuse("table.game-unfinished", { game: played.length });
  const before = freezeGame(state);
  return { played: [...before.played, { first: (played[game - 1].first + 1) % seatsOf(state, game - 1), turns: [] }] };
}

/** The last game with the players of now. @param {State} state */
const freezeGame = (state, game = state.played.length - 1) =>
  replaceGame(state, game, { seats: seatsOf(state, game), out: [...outOf(state, game)] });

/** @type {Operation} */
function erase(state, { game, turn, was = [] }) {
  mustBeOpen(state);
  const last = lastTurn(state);
  if (!last || game > last.game || (game === last.game && turn > last.turn)) return {};
  if (game < last.game || turn < last.turn) refuse("table.not-last");
  if (differs(state, was)) refuse("table.sheet-differs");
  const { turns } = state.played[game];
  const rest = replaceGame(state, game, { turns: turns.slice(0, turn), out: undefined });
  const before = { ...state, played: rest.played.slice(0, game + 1) };
  const able = listInOrder(before, game);
  return skipSeats(before, able.slice(0, Math.max(0, able.indexOf(turns[turn].seat)))); // players who came since wait
}

/** @type {Operation} */
function pass(state, { game, turn, seat }) {
  mustBeOpen(state);
  mustSit(state, seat);
  if (state.played[game]?.turns[turn]) return {};
  const at = placeFor(state, game, turn);
  if (seat === at.seat) return skipSeats(state, [seat]);
  return listSkipped(state, game).includes(seat) ? {} : refuse("table.not-your-turn", { player: state.names[at.seat] });
}

/** @type {Operation} */
function join(state, { name }) {
  mustBeOpen(state);
  mustGoOn(state);
  const seat = state.names.length;
  if (seat >= MOST_SEATS) refuse("table.full", { seats: MOST_SEATS });
  const names = [...state.names, name];
  if (state.phase === "between") return { names, ...freezeGame(state) };
  return {
    names,
    ...seatNewcomer({ ...state, names, ...replaceGame(state, state.played.length - 1, { seats: seat + 1 }) }, seat),
  };
}

/** A player who comes waits. @param {Unphased} state @param {number} seat */
const seatNewcomer = (state, seat) => skipSeats(state, seatFor(state, state.played.length - 1) === seat ? [seat] : []);

/** @type {Operation} */
function retire(state, { seat }) {
  mustBeOpen(state);
  mustSit(state, seat);
  if (state.out.has(seat)) return {};
  mustGoOn(state);
  const game = state.played.length - 1;
  const out = new Set([...state.out, seat]);
  const alone = state.phase === "playing" && listAble(state, game).every((other) => other === seat);
  if (out.size === state.names.length || alone) refuse("table.last-player", { player: state.names[seat] });
  return state.phase === "between" ? { out, ...freezeGame(state) } : { out, ...skipSeats({ ...state, out }, []) };
}

/** A game that was over without them stays as it is. @type {Operation} */
function rejoin(state, { seat }) {
  mustBeOpen(state);
  mustSit(state, seat);
  const game = state.played.length - 1;
  const out = new Set([...state.out].filter((each) => each !== seat));
  if (out.size === state.out.size) return {};
  if (state.phase === "playing") return { out, ...seatNewcomer({ ...state, out }, seat) };
  const began = cards(state, game)[seat].marks.some((points) => points !== null);
  return { out, ...(began ? replaceGame(state, game, { out: undefined }) : freezeGame(state)) };
}

/** @type {Operation} */
function rename(state, { seat, name }) {
  mustSit(state, seat);
  return { names: state.names.map((each, number) => (number === seat ? name : each)) };
}

/** @param {State} state @param {number} seat */
function mustSit({ names }, seat) {
  if (!(seat in names)) refuse("table.no-seat", { seat, seats: names.length });
}

/** @param {State} state */
function mustBeOpen({ ended }) {
  if (ended) refuse("table.ended");
}

/** Whether turns are not as they were seen. @param {State} state @param {any[]} was */
export const differs = ({ rules, played }, was) => was.some(({ game, turn, dice, points, box }) => {
  const stands = played[game]?.turns[turn];
  return !stands || !isAs(rules, stands, { dice, points, box });
});

// --- corrections: as table/actions/corrections.py says them ---

/** @type {Operation} */
function correct(state, { changes, was = [] }) {
  const isDone = () =>
    changes.every((/** @type {Change} */ each) => state.played[each.game]?.turns[each.turn]) &&
    !findEffective(state, changes).length;
  if (differs(state, was) && !isDone()) refuse("table.sheet-differs");
  const { problems: [first], played } = rewriteGames(state, findEffective(state, checkChanges(state, changes)));
  if (!first) return { played };
  const { seat, box, round, game, why } = first;
  return refuse("table.makes-invalid", { player: state.names[seat], box, round, game: game + 1, reason: why });
}

/**
 * A turn that could not stand, why, and where it could go instead; `free` if no later turn of the player stands there.
 * @typedef {{ game: number, turn: number, seat: number, round: number, box: string, dice: string | null,
 *   points: number | null, why: Reason, boxes: ({ box: string, free: boolean } & Entry)[] }} Problem
 */
/**
 * A number that changes: of a line, else of saved rolls or, without a game, of the match.
 * @typedef {{ seat: number, game: number | null, line: number | null, box: string | null, before: number | null,
 *   after: number | null }} Difference
 */

/**
 * What changes would do to the sheet: no lines while there are problems, and `Refused` where they make no sense.
 * @param {State} state @param {Change[]} changes @returns {{ problems: Problem[], lines: Difference[] }}
 */
export function consequences(state, changes) {
  const wanted = findEffective(state, checkChanges(state, changes));
  const { problems, played } = rewriteGames(state, wanted);
  if (problems.length) return { problems, lines: [] };
  const games = [...new Set(wanted.map(({ game }) => game))];
  const after = { ...state, played };
  return {
    problems,
    lines: [...games.flatMap((game) => differences(state, after, game)), ...matchDifferences(state, after)],
  };
}

/** One for each turn, in the order of the turns. @param {State} state @param {Change[]} changes */
function checkChanges(state, changes) {
  for (const change of changes) checkChange(state, change);
  return [...changes].sort((one, other) => one.game - other.game || one.turn - other.turn);
}

/** @param {State} state @param {Change} change */
function checkChange({ rules, played }, { game, turn, dice, box, saved }) {
  if (!played[game]?.turns[turn]) refuse("table.turn-not-written", { turn: turn + 1, game: game + 1 });
  if (dice) checkDice(rules, dice);
  const most = rules.saves ? rules.rolls + (rules.boxes.length - 1) * (rules.rolls - 1) - 1 : 0;
  if (saved !== undefined && saved !== null && (saved < 0 || saved > most))
    refuse("game.bad-rolls-left-over", { saved, most });
  if (box && !rules.index.has(box)) refuse("rules.unknown-box", { box });
}

/** Find the changes that change something. @param {State} state @param {Change[]} changes */
const findEffective = ({ played }, changes) => changes.filter((change) => {
  const turn = played[change.game].turns[change.turn];
  return JSON.stringify(applyChange(turn, change)) !== JSON.stringify(turn);
});

/**
 * Other dice, points or rolls left over are all that is known of the turn then; another box leaves its rolls.
 * @param {Turn} turn @param {Change} change @returns {Turn}
 */
function applyChange(turn, change) {
  const after = { ...turn, box: change.box ?? turn.box };
  const saved = change.saved ?? turn.saved;
  const noted = change.points ?? (turn.told ? null : turn.points);
  const final = { ...after, saved, rolled: undefined };
  if (!change.dice && noted !== null) {
    return !turn.told && noted === turn.points && saved === turn.saved
      ? after
      : { ...final, points: noted, told: false };
  }
  const sameDice = !change.dice || (turn.told && sortDice(change.dice) === sortDice(turn.dice));
  if (sameDice && saved === turn.saved) return after;
  return { ...final, dice: sameDice ? turn.dice : change.dice ?? "", told: true };
}

/**
 * The games with these turns, judged card by card; one that cannot stand is noted, and the others are judged without
 * it.
 * @param {State} state @param {Change[]} changes
 */
function rewriteGames(state, changes) {
  /** @type {Problem[]} */
  const problems = [];
  const played = state.played.map((sheet, game) => {
    const own = changes.filter((change) => change.game === game);
    if (!own.length) return sheet;
    const turns = sheet.turns.map((turn, number) =>
      own.filter((change) => change.turn === number).reduce(applyChange, turn),
    );
    return { ...sheet, turns: rejudgeTurns(state, game, turns, problems) };
  });
  return { problems, played };
}

/** @param {State} state @param {number} game @param {Turn[]} turns @param {Problem[]} problems */
function rejudgeTurns({ rules, names }, game, turns, problems) {
  const found = names.map(() => emptyCard(rules));
  return turns.map((turn, number) => {
    const card = found[turn.seat];
    const rolls = rules.rolls + card.saved;
    const left = leftAfter(turn, rolls);
    /** @type {(why: Reason, boxes: Problem["boxes"]) => void} */
    const trouble = (why, boxes) =>
      void problems.push({
        game, turn: number, seat: turn.seat,
        round: 1 + turns.slice(0, number).filter((other) => other.seat === turn.seat).length, box: turn.box,
        dice: turn.told ? turn.dice : null, points: turn.told ? null : turn.points, why, boxes,
      });
    try {
      const dice = turn.told ? turn.dice : rollFor(rules, card, turn.box, turn.points);
      const entry = entryFor(rules, card, turn.box, dice);
      if (left < 0) trouble(tooMany(turn, rolls), []); // the others are judged as if it had left none
      const saved = rules.saves ? Math.max(left, 0) : 0;
      found[turn.seat] = put(rules, card, turn.box, entry, saved);
      return { ...turn, ...entry, dice, saved };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      trouble(error.reason, choices(rules, card, turn, turns.slice(number + 1)));
      return turn;
    }
  });
}

/** How many of so many rolls a turn leaves over; below 0 it takes too many. @param {Turn} turn @param {number} rolls */
const leftAfter = ({ saved, rolled }, rolls) => (rolled ? rolls - rolled : saved < rolls ? saved : -1);

/** @param {Turn} turn @param {number} rolls @returns {Reason} */
const tooMany = ({ saved, rolled }, rolls) =>
  rolled
    ? { kind: "table.rolls-missing", count: rolled, most: rolls }
    : { kind: "game.bad-rolls-left-over", saved, most: rolls - 1 };

/** @param {Rules} rules @param {Card} card @param {Turn} turn @param {Turn[]} later */
function choices(rules, card, turn, later) {
  const used = new Set(later.filter((other) => other.seat === turn.seat).map((other) => other.box));
  const legal = turn.told ? judge(rules, card, turn.dice).boxes : byPoints(rules, card, turn.points);
  return Object.entries(legal).map(([box, entry]) => ({ box, ...entry, free: !used.has(box) }));
}

/** @param {Rules} rules @param {Card} card @param {number} wanted @returns {Record<string, Entry>} */
const byPoints = (rules, card, wanted) =>
  Object.fromEntries(
    rules.boxes.flatMap(([box]) =>
      answers(rules, card, box)
        .filter(({ points, dice }) => points === wanted && !dice)
        .map(({ points, extra, joker }) => [box, { points, extra, joker }]),
    ),
  );

/**
 * Every line of the sheet with another number, player by player.
 * @param {State} before @param {State} after @param {number} game @returns {Difference[]}
 */
function differences(before, after, game) {
  const [old, fresh] = [cards(before, game), cards(after, game)];
  return old.flatMap((card, seat) => {
    const [was, is] = [lines(before.rules, card), lines(before.rules, fresh[seat])];
    const own = was.map(({ kind, role, value }, line) => ({
      seat, game, line, box: kind === "box" ? role : null, before: value, after: is[line].value,
    }));
    const saved = isFull(card)
      ? []
      : [{ seat, game, line: null, box: null, before: card.saved, after: fresh[seat].saved }];
    return [...own, ...saved].filter((each) => each.before !== each.after);
  });
}

/** @param {State} before @param {State} after @returns {Difference[]} */
function matchDifferences(before, after) {
  if (before.games === 1 || !before.matchTotal) return [];
  const [was, is] = [before, after].map((state) => addTotals(state, listCounted(state)));
  return was
    .map((points, seat) => ({ seat, game: null, line: null, box: null, before: points, after: is[seat] }))
    .filter((each) => each.before !== each.after);
}

// --- who has won ---

/** @typedef {{ totals: number[], winners: number[], points: number }} Outcome ties share the win */

/**
 * How the games ended that are over, and how the match stands, if games are added up. Of a sheet that ended early the
 * unfinished game does not count, unless there is no other.
 * @param {State} state @returns {{ games: Outcome[], match: Outcome | null }}
 */
export function outcome(state) {
  const early = state.ended ? listCounted(state) : [...listFinished(state)];
  const games = early.map((game) => findWinners(addTotals(state, [game]), listAble(state, game)));
  const all = state.games > 1 ? seats(state).filter((seat) => !state.out.has(seat)) : listAble(state, 0);
  return { games, match: state.matchTotal ? findWinners(addTotals(state, listCounted(state)), all) : null };
}

/** @param {State} state */
const seats = ({ names }) => names.map((_, seat) => seat);

/** @param {State} state */
const listFinished = (state) =>
  state.played.map((_, game) => game).filter((game) => game < state.played.length - 1 || seatFor(state, game) === null);

/** The games that count. @param {State} state */
function listCounted(state) {
  const over = listFinished(state);
  return state.ended && over.length ? over : state.played.map((_, game) => game);
}

/** Who could win a game. @param {State} state @param {number} game */
function listAble(state, game) {
  const out = outOf(state, game);
  return seats(state).filter((seat) => !out.has(seat) && seat < seatsOf(state, game));
}

/** @param {State} state @param {number[]} games */
function addTotals(state, games) {
  const columns = games.map((game) => cards(state, game).map((card) => totals(state.rules, card).grand));
  return seats(state).map((seat) => columns.reduce((all, column) => all + column[seat], 0));
}

/** @param {number[]} all @param {number[]} seats @returns {Outcome} */
function findWinners(all, seats) {
  const among = seats.length ? seats : all.map((_, seat) => seat);
  const points = Math.max(...among.map((seat) => all[seat]));
  return { totals: all, winners: among.filter((seat) => all[seat] === points), points };
}

// --- names ---

// Which names may stand on a sheet: a twin of `clean_name` in table/seat_names.py, to which a test compares it. A name
// that the server refuses would keep its sheet on this phone for ever.

export const LONGEST_NAME = 60; // characters

// Control characters, line breaks, halves of characters, and marks that turn the writing around.
const UNWANTED = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

const SPACE = /\p{Zs}/u;
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}]/u;

/** @param {string} name */
export const isName = (name) => lengthOf([...name]) <= LONGEST_NAME && VISIBLE.test(name) && !UNWANTED.test(name);

/** How many characters there are between the spaces around them. @param {string[]} letters */
function lengthOf(letters) {
  const isInk = (/** @type {string} */ letter) => !SPACE.test(letter);
  return letters.findLastIndex(isInk) - letters.findIndex(isInk) + 1;
}

/** The name as it can be shown: what is not visible is written out. @param {string} name */
export const quoteName = (name) => `“${[...name].slice(0, LONGEST_NAME).map(showLetter).join("")}”`;

/** @param {string} letter */
function showLetter(letter) {
  const number = (letter.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
  return HIDDEN.test(letter) ? `\\u${number}` : letter;
}
