import { bonusAt, par } from "/static/pad/judge.js";
import { emptyCard, prepare } from "/static/pad/judge.js";
import { equal, test } from "./harness.js";

/** Five points for the bonus, from two boxes of the same worth: two and a half each. @type {import("/static/pad/judge.js").Table} */
const TABLE = {
  key: "small", fingerprint: "", dice: 1, faces: 3, rolls: 3, saves: false, order: "free", stages: [3],
  boxes: [["low", "L", "upper"], ["high", "H", "upper"]],
  points: [[1, 2, 3], [1, 2, 3]],
  alike: null,
  bonuses: [{ boxes: 3, above: true, tiers: [[5, 9]] }],
  course: [[0, 3], [1, 3]],
  lines: [["box", "upper", "low", 0], ["box", "upper", "high", 1], ["bonus", "upper", "bonus", 7], ["grand", "upper", "grand_total", 6]],
};

test("halves are rounded to the even number, as the server rounds", () => {
  const rules = prepare(TABLE);
  equal(par(rules, 0), 2);
  /** @param {number} points */
  const ahead = (points) => bonusAt(rules, { ...emptyCard(rules), marks: [points, null] }, 2).ahead;
  equal([ahead(3), ahead(2)], [0, 0]);
});
