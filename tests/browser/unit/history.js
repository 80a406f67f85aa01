import { cleared, finishedOf, learned, summary } from "/static/pad/history.js";
import { foldSheet } from "/static/pad/state.js";
import { equal, test } from "./harness.js";
import { padOf, RULES } from "./tiny.js";

/** @typedef {import("/static/pad/history.js").Finished} Finished */
/** @typedef {import("/static/pad/history.js").History} History */
const NONE = { games: [], forgotten: [] };
/** @param {...[seat: number, dice: string, box: string]} turns */
function stateOf(...turns) {
  const queue = turns.map(([seat, dice, box], turn) => ({ op: { command: "write", key: `k${turn}`, game: 0, turn, seat, dice, box } }));
  return foldSheet({ id: "x", base: null, queue, typed: null, rules: "" }, RULES, padOf({ games: 1 }));
}
/** @param {string} rules @param {...import("/static/pad/history.js").Result} results @returns {Finished} */
const game = (rules, ...results) => ({ rules, label: rules.toUpperCase(), results });

test("a game counts once all have filled their cards, with its totals and its winner", () => {
  /** @type {[number, string, string][]} */
  const most = [[0, "11", "aces"], [1, "33", "aces"], [0, "33", "chance"]];
  equal(finishedOf(stateOf(...most), "Tiny"), []);
  const { results, label } = finishedOf(stateOf(...most, [1, "11", "chance"]), "Tiny")[0];
  equal([label, results], ["Tiny", [["Ann", 8, 1], ["Bob", 2, 0]]]);
});

test("looking again changes nothing, a correction changes the result, and an undo takes it back", () => {
  const once = learned(NONE, [["s", [game("a", ["Ann", 8, 1])]]]);
  equal(learned(once, [["s", [game("a", ["Ann", 8, 1])]]]), once);
  equal(summary(learned(once, [["s", [game("a", ["Ann", 3, 1])]]]))[0].lines[0].best, 3);
  equal(learned(once, [["s", []]]).games, []);
});

test("the results of a deleted sheet stay, and deleted results do not come back", () => {
  const once = learned(NONE, [["s", [game("a", ["Ann", 8, 1])]], ["t", [game("a", ["Ann", 4, 0])]]]);
  equal(learned(once, [["t", [game("a", ["Ann", 4, 0])]]]).games.length, 2);
  const after = learned(cleared(once), [["t", [game("a", ["Ann", 4, 0]), game("a", ["Ann", 5, 0])]]]);
  equal(after.games.map(([id]) => id), ["t/1"]); // a game that was finished later
  equal(after.forgotten, ["t/0"]); // the sheet of the other is not here
});

test("results are added up by rules and by name, and at most a thousand games are remembered", () => {
  const games = [game("a", ["Ann", 8, 1], ["Bob", 2, 0]), game("a", ["ann ", 5, 0], ["Bob", 6, 1]), game("b", ["Ann", 1, 1])];
  const [first, second] = summary(learned(NONE, [["s", games]]));
  equal([first.label, first.lines.map(({ name }) => name)], ["A", ["ann ", "Bob"]]);
  equal(first.lines[0], { name: "ann ", games: 2, average: 6.5, best: 8, wins: 1 });
  equal([second.label, second.lines.length], ["B", 1]);
  const many = Array.from({ length: 1200 }, (_, number) => game("a", ["Ann", number, 0]));
  equal(learned(NONE, [["s", many]]).games.length, 1000);
});

test("copies of one sheet count once, whichever is deleted, and are forgotten together", () => {
  const copy = { ...game("a", ["Ann", 8, 1]), opened: "2026-01-01" };
  const twice = learned(NONE, [["s", [copy]], ["t", [copy]], ["u", [{ ...copy, opened: "2026-01-02" }]]]);
  equal(twice.games.map(([id]) => id), ["t/0", "u/0"]);
  equal([learned(twice, [["s", [copy]]]).games.length, learned(twice, []).games.length], [2, 2]);
  equal(learned(cleared(twice), [["s", [copy]], ["t", [copy]]]), { games: [], forgotten: ["t/0", "s/0"] });
});
