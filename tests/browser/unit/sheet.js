import { prepare } from "/static/pad/judge.js";
import { cardBefore, cards, consequences, fold, lastTurn, next, outcome } from "/static/pad/sheet.js";
import { equal, test } from "./harness.js";
import { RULES, TABLE } from "./tiny.js";

/** @typedef {import("/static/pad/sheet.js").Op} Op */
/** @typedef {import("/static/pad/sheet.js").Base} Base */

const SAVING = prepare({ ...TABLE, saves: true });

/** @param {Partial<Base>} [more] @returns {Base} */
const base = (more = {}) => ({ rules: RULES, names: ["Ann", "Bob"], first: 0, games: 2, matchTotal: true, out: [], played: [{ first: 0, turns: [] }], ...more });

let made = 0;
/** @param {string} command @param {Record<string, unknown>} [fields] @returns {Op} */
const op = (command, fields = {}) => ({ command, key: `k${made += 1}`, ...fields });
/** @param {number} game @param {number} turn @param {string | null} dice @param {string} box @param {Record<string, unknown>} [more] */
const write = (game, turn, dice, box, more = {}) => op("write", { game, turn, dice, box, ...more });

/** A whole game of two. @param {number} game */
const whole = (game) => [write(game, 0, "33", "chance"), write(game, 1, "11", "chance"), write(game, 2, "11", "aces"), write(game, 3, "12", "aces")];
/** @param {Base} from @param {Op[]} ops */
const seats = (from, ops) => ops.map((_, count) => next(fold(from, ops.slice(0, count + 1)))?.seat ?? null);

test("seats take turns, games follow each other, and the next seat begins", () => {
  const ops = [...whole(0), op("next", { game: 1 }), ...whole(1)];
  equal(seats(base(), ops), [1, 0, 1, null, 1, 0, 1, 0, null]);
  equal(fold(base(), ops.slice(0, 4)).phase, "between");
  const state = fold(base(), ops);
  equal(state.phase, "finished");
  equal(outcome(state).games.map(({ winners, totals }) => [winners, totals]), [[[0], [8, 3]], [[1], [3, 8]]]);
  equal(outcome(state).match, { totals: [11, 11], winners: [0, 1], points: 11 });
});

test("an operation that comes twice, or finds its work done, is taken and changes nothing", () => {
  const ops = [write(0, 0, "13", "chance"), write(0, 0, "31", "chance"), write(0, 0, null, "chance", { points: 4 }), op("next", { game: 0 }), op("erase", { game: 0, turn: 7 })];
  const state = fold(base(), ops);
  equal([state.taken.size, state.refused.size, state.played[0].turns.length], [5, 0, 1]);
});

test("what stands otherwise, or comes too early, is refused and what follows is judged without it", () => {
  const ops = [write(0, 0, "13", "chance"), write(0, 0, "33", "chance"), write(0, 4, "33", "aces"), write(0, 1, "33", "chance", { seat: 0 }), write(1, 0, "33", "chance"), write(0, 1, "33", "chance", { seat: 1 })];
  const state = fold(base(), ops);
  equal(ops.map(({ key }) => state.refused.get(key)?.kind ?? ""), ["", "table.turn-written", "table.turn-missing", "table.not-your-turn", "table.game-not-begun", ""]);
  equal(state.played[0].turns.map(({ points }) => points), [4, 6]);
});

test("other dice that score the same are no conflict, and those of the sheet stay", () => {
  const ops = [write(0, 0, "13", "chance"), write(0, 0, "22", "chance", { points: 4 }), write(0, 0, "22", "chance"), write(0, 0, "99", "chance", { points: 4 })];
  const state = fold(base({ rules: prepare({ ...TABLE, points: [[2, 1, 1, 0, 0, 0], [2, 3, 4, 4, 5, 6]] }) }), ops);
  equal(ops.map(({ key }) => state.refused.get(key)?.kind ?? ""), ["", "", "table.turn-written", "table.turn-written"]);
  equal(state.played[0].turns.map(({ dice }) => dice), ["13"]);
});

test("a number alone is written where it says everything", () => {
  const ops = [write(0, 0, null, "chance", { points: 4 }), write(0, 1, null, "aces", { points: 5 }), write(0, 1, "33", "chance", { points: 5 })];
  const state = fold(base(), ops);
  equal(state.played[0].turns.map(({ dice, told, points }) => [dice, told, points]), [["13", false, 4]]);
  equal([...state.refused.values()], [{ kind: "game.points-impossible", box: "aces", points: 5, possible: [0, 1, 2] }, { kind: "table.other-points", box: "chance", points: 6, told: 5 }]);
});

test("whoever is skipped falls behind and catches up in the end", () => {
  const ops = [op("pass", { game: 0, turn: 0, seat: 0 }), write(0, 0, "33", "chance"), op("pass", { game: 0, turn: 1, seat: 0 }), write(0, 1, "11", "aces"), write(0, 2, "33", "chance"), write(0, 3, "11", "aces")];
  equal(seats(base(), ops), [1, 0, 1, 0, 0, null]);
  equal(next(fold(base(), ops.slice(0, 4)))?.round, 1);
});

test("to be skipped twice at once is one skip, and another's turn cannot be skipped", () => {
  const again = [op("pass", { game: 0, turn: 0, seat: 0 }), op("pass", { game: 0, turn: 0, seat: 0 })];
  equal(next(fold(base(), again))?.seat, 1);
  const state = fold(base(), [op("pass", { game: 0, turn: 0, seat: 1 })]);
  equal([...state.refused.values()], [{ kind: "table.not-your-turn", player: "Ann" }]);
});

test("a player may join late and plays what is missing", () => {
  const ops = [write(0, 0, "33", "chance"), write(0, 1, "33", "chance"), write(0, 2, "11", "aces"), op("join", { name: "Cleo" }), write(0, 3, "11", "aces"), write(0, 4, "11", "aces"), write(0, 5, "33", "chance")];
  equal(seats(base(), ops), [1, 0, 1, 1, 2, 2, null]);
  const state = fold(base(), ops);
  equal([state.names, outcome(state).games[0].winners], [["Ann", "Bob", "Cleo"], [0, 1, 2]]);
});

test("one who joins in a later game cannot have won the first", () => {
  const zeros = [write(0, 0, "23", "aces"), write(0, 1, "23", "aces"), write(0, 2, "22", "chance"), write(0, 3, "22", "chance")];
  const { games, match } = outcome(fold(base(), [...zeros, op("next", { game: 1 }), op("join", { name: "Cleo" })]));
  equal([games[0].winners, games[0].totals, match?.winners], [[0, 1], [0, 0, 0], [0, 1, 2]]);
  const between = fold(base(), [...zeros, op("join", { name: "Cleo" })]);
  equal([between.phase, outcome(between).games[0].winners, next(fold(base(), [...zeros, op("join", { name: "Cleo" }), op("next", { game: 1 })]))?.seat], ["between", [0, 1], 1]);
});

test("whoever leaves is never on turn again, cannot win, and may come back", () => {
  const ops = [write(0, 0, "33", "chance"), op("retire", { seat: 0 }), write(0, 1, "11", "chance"), write(0, 2, "12", "aces")];
  equal(seats(base(), ops), [1, 1, 1, null]);
  const state = fold(base(), ops);
  equal([state.phase, outcome(state).games[0].winners, outcome(state).games[0].totals], ["between", [1], [6, 3]]);
  const back = fold(base(), [...ops, op("rejoin", { seat: 0 })]);
  equal([next(back)?.seat, back.phase], [0, "playing"]);
});

test("a game that was over when somebody came back stays over", () => {
  const ops = [op("retire", { seat: 0 }), write(0, 0, "11", "chance"), write(0, 1, "12", "aces"), op("next", { game: 1 }), op("rejoin", { seat: 0 })];
  const state = fold(base(), ops);
  equal([next(state), outcome(state).games.map(({ winners }) => winners)], [{ game: 1, turn: 0, seat: 1, round: 1 }, [[1]]]);
});

test("turns are taken back one by one, into the game before", () => {
  const begun = [...whole(0), op("next", { game: 1 }), write(1, 0, "33", "chance")];
  const ops = [...begun, op("erase", { game: 1, turn: 0 }), op("erase", { game: 0, turn: 3 }), op("erase", { game: 0, turn: 2 })];
  equal(seats(base(), ops).slice(-3), [1, 1, 0]);
  const state = fold(base(), ops);
  equal([state.played.length, lastTurn(state), state.refused.size], [1, { game: 0, turn: 1 }, 0]);
  const late = fold(base(), [...begun, op("erase", { game: 0, turn: 3 })]);
  equal([...late.refused.values()], [{ kind: "table.not-last" }]);
  equal(lastTurn(fold(base(), [])), null);
});

test("a skip before a turn that is taken back stays, one after it goes", () => {
  const ops = [op("pass", { game: 0, turn: 0, seat: 0 }), write(0, 0, "33", "chance"), op("pass", { game: 0, turn: 1, seat: 0 }), op("erase", { game: 0, turn: 0 })];
  equal(seats(base(), ops), [1, 0, 1, 1]);
  equal(seats(base(), [...ops, write(0, 0, "33", "chance")]).at(-1), 0);
});

test("whoever comes waits, also where a turn is taken back to before they came", () => {
  const ops = [write(0, 0, "33", "chance"), write(0, 1, "33", "chance"), op("join", { name: "Cleo" }), write(0, 2, "11", "aces"), op("erase", { game: 0, turn: 2 })];
  equal(seats(base(), ops), [1, 0, 0, 1, 0]);
  const late = [write(0, 0, "33", "chance"), write(0, 1, "33", "chance"), write(0, 2, "11", "aces"), op("join", { name: "Cleo" }), op("erase", { game: 0, turn: 2 })];
  equal(seats(base(), late), [1, 0, 1, 1, 0]);
});

test("once everybody was skipped, nobody is", () => {
  const ops = [op("pass", { game: 0, turn: 0, seat: 0 }), op("pass", { game: 0, turn: 0, seat: 1 }), op("pass", { game: 0, turn: 0, seat: 0 })];
  equal(seats(base(), ops), [1, 0, 1]);
  equal(fold(base(), ops).refused.size, 0);
});

test("the last player cannot leave, nor be skipped", () => {
  const state = fold(base(), [op("retire", { seat: 1 }), op("retire", { seat: 0 }), op("pass", { game: 0, turn: 0, seat: 0 })]);
  equal([[...state.refused.values()], next(state)?.seat, state.played[0].passed?.length ?? 0], [[{ kind: "table.last-player", player: "Ann" }], 0, 0]);
});

test("a game that was over without somebody stays over, unless they had begun it", () => {
  const out = [op("retire", { seat: 0 }), write(0, 0, "11", "chance"), write(0, 1, "12", "aces"), op("rejoin", { seat: 0 })];
  equal([fold(base(), out).phase, next(fold(base(), [...out, op("next", { game: 1 })]))?.seat], ["between", 1]);
});

test("the next game is begun by the seat after the one before, however many have come", () => {
  const ops = [write(0, 0, "33", "chance"), write(0, 1, "11", "chance"), write(0, 2, "11", "aces"), write(0, 3, "12", "aces"), op("join", { name: "Cleo" }), op("next", { game: 1 })];
  equal(next(fold(base({ first: 1, played: [{ first: 1, turns: [] }] }), ops))?.seat, 0);
});

test("whoever left after a game is not on turn in it when it is taken back", () => {
  const ops = [...whole(0), op("retire", { seat: 0 }), op("erase", { game: 0, turn: 3 }), op("erase", { game: 0, turn: 2 })];
  equal(next(fold(base(), ops))?.seat, 1);
});

test("the last one of a game cannot leave, though others are there for the next", () => {
  const ops = [op("retire", { seat: 1 }), write(0, 0, "33", "chance"), write(0, 1, "11", "aces"), op("join", { name: "Cleo" }), op("erase", { game: 0, turn: 1 }), op("retire", { seat: 0 })];
  equal([...fold(base(), ops).refused.values()], [{ kind: "table.last-player", player: "Ann" }]);
});

test("whoever leaves when a game is over has won it all the same", () => {
  const state = fold(base(), [...whole(0), op("retire", { seat: 0 })]);
  equal([outcome(state).games[0].winners, outcome(state).match?.winners], [[0], [1]]);
});

test("to end a sheet that is over changes nothing", () => {
  const ops = [...whole(0), op("end")];
  equal(fold(base({ games: 1 }), ops).phase, "finished");
});

test("a sheet that ends early has its winner by the games that are over", () => {
  const ops = [...whole(0), op("next", { game: 1 }), write(1, 0, "33", "chance"), op("end")];
  const state = fold(base(), ops);
  equal([state.phase, next(state)], ["ended", null]);
  equal(outcome(state).match, { totals: [8, 3], winners: [0], points: 8 });
  equal(outcome(state).games.length, 1);
  const late = fold(base(), [...ops, write(1, 1, "33", "chance"), op("erase", { game: 1, turn: 0 })]);
  equal([...late.refused.values()].map(({ kind }) => kind), ["table.not-playing", "table.ended"]);
});

test("and where none is, by the totals as they stand", () => {
  const { games, match } = outcome(fold(base(), [write(0, 0, "33", "chance"), op("end")]));
  equal([games, match?.winners], [[{ totals: [6, 0], winners: [0], points: 6 }], [0]]);
});

test("names can be changed, and nobody sits where there is no seat", () => {
  const state = fold(base(), [op("rename", { seat: 1, name: "Bea" }), op("retire", { seat: 5 })]);
  equal([state.names, [...state.refused.values()]], [["Ann", "Bea"], [{ kind: "table.no-seat", seat: 5, seats: 2 }]]);
});

test("no more than twelve play", () => {
  const state = fold(base(), Array.from({ length: 11 }, (_, number) => op("join", { name: `P${number}` })));
  equal([state.names.length, [...state.refused.values()]], [12, [{ kind: "table.full", seats: 12 }]]);
});

test("a correction is refused where the sheet is not what was seen", () => {
  const written = write(0, 0, "33", "chance");
  /** @param {Record<string, unknown>} was */
  const fix = (was) => op("correct", { changes: [{ game: 0, turn: 0, dice: "23" }], was: [{ game: 0, turn: 0, points: 6, box: "chance", ...was }] });
  const right = fold(base(), [written, fix({ dice: "33" })]);
  equal(cards(right, 0)[0].marks, [null, 5]);
  const wrong = fold(base(), [written, fix({ dice: "13", points: 4 })]);
  equal([...wrong.refused.values()], [{ kind: "table.sheet-differs" }]);
  const done = fold(base(), [write(0, 0, "23", "chance"), fix({ dice: "33" })]);
  equal(done.refused.size, 0);
});

test("a turn noted by points is judged by them again, and dice told later replace them", () => {
  const noted = [write(0, 0, null, "chance", { points: 4 })];
  const moved = fold(base(), [...noted, op("correct", { changes: [{ game: 0, turn: 0, box: "aces", points: 1 }] })]);
  equal(moved.played[0].turns.map(({ dice, points, told }) => [dice, points, told]), [["12", 1, false]]);
  const known = fold(base(), [...noted, op("correct", { changes: [{ game: 0, turn: 0, dice: "31" }] })]);
  equal(known.played[0].turns.map(({ dice, points, told }) => [dice, points, told]), [["31", 4, true]]);
  const { problems } = consequences(fold(base(), noted), [{ game: 0, turn: 0, box: "aces" }]);
  equal(problems.map(({ why, boxes, dice, points }) => [why.kind, boxes.map(({ box }) => box), dice, points]), [["game.points-impossible", ["chance"], null, 4]]);
});

test("the card of a turn is the one before it", () => {
  const state = fold(base(), whole(0));
  equal([cardBefore(state, 0, 2).marks, cardBefore(state, 0, 0).marks], [[null, 6], [null, null]]);
});

test("rolls that were noted one by one leave over what an earlier correction leaves them", () => {
  const turns = [
    { seat: 0, dice: "33", box: "chance", points: 6, extra: 0, joker: false, saved: 2, told: true },
    { seat: 0, dice: "11", box: "aces", points: 2, extra: 0, joker: false, saved: 1, told: true, rolled: 4 },
  ];
  const one = base({ rules: SAVING, names: ["Ann"], played: [{ first: 0, turns }] });
  const { problems } = consequences(fold(one, []), [{ game: 0, turn: 0, saved: 0 }]);
  equal(problems.map(({ turn, why, boxes }) => [turn, why, boxes]), [[1, { kind: "table.rolls-missing", count: 4, most: 3 }, []]]);
  const fewer = fold(one, [op("correct", { changes: [{ game: 0, turn: 0, saved: 1 }] })]);
  equal(fewer.played[0].turns.map(({ saved }) => saved), [1, 0]);
});

test("saved rolls are told while they count, and not of a full card", () => {
  const first = write(0, 0, "33", "chance", { saved: 2 });
  const one = base({ rules: SAVING, names: ["Ann"] });
  equal(consequences(fold(one, [first]), [{ game: 0, turn: 0, saved: 1 }]).lines, [{ seat: 0, game: 0, line: null, box: null, before: 2, after: 1 }]);
  const full = fold(one, [first, write(0, 1, "11", "aces", { saved: 2 })]);
  equal(consequences(full, [{ game: 0, turn: 1, saved: 1 }]).lines, []);
  equal([...fold(one, [first, write(0, 0, "33", "chance", { saved: 1 })]).refused.values()].map(({ kind }) => kind), ["table.turn-written"]);
});
