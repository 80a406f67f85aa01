import { splitHalves, makeLeftOver, paintCard, makeZeroQuestion } from "/static/pad/painting.js";
import { emptyCard, judge, prepare } from "/static/pad/judge.js";
import { equal, test } from "./harness.js";

/** Two dice with two faces; both alike again pay 5 more, and go into any box. @type {import("/static/pad/judge.js").Table} */
const TABLE = {
  key: "small", fingerprint: "", dice: 2, faces: 2, rolls: 3, saves: false, order: "free", stages: [7],
  boxes: [["ones", "1", "upper"], ["twos", "2", "upper"], ["pair", "P", "lower"]],
  points: [[2, 1, 0], [0, 2, 4], [10, 0, 10]],
  alike: { box: 2, applies: "filled", extras: [5], most: null, byStep: false, own: [1, 2], steps: [{ boxes: "face", worth: 0, extra: null, offers: [[1, 0], [2, 0]] }], worths: [[[2, 0, 10], [0, 4, 10]]] },
  bonuses: [{ boxes: 3, above: true, tiers: [[5, 9]] }],
  course: [[0, 2], [1, 4]],
  lines: [["heading", "upper", "upper", 9], ["box", "upper", "ones", 0], ["box", "upper", "twos", 1], ["bonus", "upper", "bonus", 8], ["box", "lower", "pair", 2], ["grand", "lower", "grand_total", 7]],
};
const rules = prepare(TABLE);
const words = { names: { book: "Small", boxes: ["Ones", "Twos", "Pair"], short: [], lines: ["Upper", "Ones", "Twos", "Bonus", "Pair", "Total"], upper: "Upper", lower: "Lower", rule: "More" }, sentences: {} };

/**
 * @param {Partial<import("/static/pad/judge.js").Card>} card
 * @param {string} dice
 */
function painted(card, dice) {
  /** @type {string[]} */
  const tapped = [];
  const now = { ...emptyCard(rules), ...card };
  const place = document.createElement("div");
  document.body.append(place);
  paintCard(place, { rules, words, card: now, ruling: dice ? judge(rules, now, dice) : null, chosen: "twos", advised: null, tap: (box) => tapped.push(box) });
  for (const each of place.querySelectorAll("button")) each.click();
  return { tapped, texts: [...place.querySelectorAll(".half > *")].map((each) => `${each.className}: ${each.textContent}`) };
}

test("an empty card has open boxes, and how far the bonus is", () => {
  equal(painted({}, "").texts, ["pad-box: Ones open", "pad-box: Twos open", "pad-line: Bonus0/5", "pad-box: Pair open"]);
});

test("with dice every box has its points, jokers and extras", () => {
  equal(painted({}, "12").texts, ["pad-box legal: Ones1", "pad-box legal: Twos2", "pad-line: Bonus0/5", "pad-box zero: Pair0"]);
  const { texts } = painted({ marks: [null, null, 10] }, "22");
  equal(texts, ["pad-box shut: Onesclosed", "pad-box legal: Twos+54", "pad-line: Bonus0/5", "pad-box done: Pair10"]);
});

test("what is filled holds its number, and further ones alike are ticked", () => {
  const { texts, tapped } = painted({ marks: [2, 4, 10], bonuses: 1 }, "");
  equal(texts, ["pad-box done: Ones2", "pad-box done: Twos4", "pad-line: Bonus+9", "pad-box done: Pair✓ +510"]);
  equal(tapped, ["ones", "twos", "pair"]);
});

test("the box that was tapped first is pressed", () => {
  painted({}, "");
  equal([...document.querySelectorAll("[aria-pressed=true]")].map(({ id }) => id), ["box-twos"]);
});

test("halves differ by one line at most, unless that is how the sheet is", () => {
  equal(splitHalves(rules).map((half) => half.length), [2, 2]);
});

test("the question has a yes and a no, and the no has the focus", () => {
  /** @type {string[]} */
  const done = [];
  document.body.append(...makeZeroQuestion("Ones", () => done.push("yes"), () => done.push("no")));
  const buttons = [...document.querySelectorAll("button")];
  equal(buttons.map((button) => [button.textContent, button.dataset.focus]), [["Score 0", undefined], ["Choose another box", "first"]]);
  for (const button of buttons) button.click();
  equal(done, ["yes", "no"]);
});

test("rolls left over go from none to the most", () => {
  /** @type {number[]} */
  const set = [];
  document.body.append(makeLeftOver(0, 2, (count) => set.push(count)), makeLeftOver(2, 2, (count) => set.push(count)));
  for (const button of document.querySelectorAll("button")) button.click();
  equal(set, [1, 1]);
});
