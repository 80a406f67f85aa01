import { leftOver, priced, unpriced, zeroQuestion } from "/static/pad/boxes.js";
import { equal, test } from "./harness.js";

/** @type {import("/static/pad/queue.js").Box[]} */
const BOXES = [
  { key: "aces", label: "Aces", upper: true },
  { key: "yz", label: "Five", upper: false },
  { key: "ch", label: "Chance", upper: false },
];

/** @param {boolean} zero_asks */
function press(zero_asks) {
  /** @type {unknown[]} */
  const done = [];
  /** @type {import("/static/pad/boxes.js").Ruled} */
  const ruled = { boxes: { aces: [0, 0, 0], ch: [20, 100, 1] }, closed: { yz: 0 }, zero_asks };
  document.body.append(...priced(BOXES, ruled, { 0: "Filled from the top." }, (box, points) => done.push([box.key, points]), (box) => done.push(box.key)));
  for (const button of document.querySelectorAll("button")) button.click();
  return done;
}

test("a zero asks first where the server says so", () => {
  equal(press(true), ["aces", ["ch", 20]]);
});

test("and else it is written", () => {
  equal(press(false), [["aces", 0], ["ch", 20]]);
});

test("points, extra points, jokers and reasons are shown as they were told", () => {
  press(false);
  equal([...document.querySelectorAll(".half")].map((half) => half.textContent), ["Aces0", "FiveclosedChance20joker+100"]);
  equal(document.querySelector(".reasons")?.textContent, "Filled from the top.");
});

test("beyond the answers open boxes have no points", () => {
  /** @type {unknown[]} */
  const done = [];
  document.body.append(...unpriced(BOXES, (_, place) => place !== 1, (box, points) => done.push([box.key, points])));
  for (const button of document.querySelectorAll("button")) button.click();
  equal(done, [["aces", null], ["ch", null]]);
});

test("the question has a yes and a no, and the no has the focus", () => {
  /** @type {string[]} */
  const done = [];
  document.body.append(...zeroQuestion(BOXES[0], () => done.push("yes"), () => done.push("no")));
  const buttons = [...document.querySelectorAll("button")];
  equal(buttons.map((button) => [button.textContent, button.dataset.focus]), [["Score 0", undefined], ["Choose another box", "first"]]);
  for (const button of buttons) button.click();
  equal(done, ["yes", "no"]);
});

test("rolls left over go from none to as many as the turn can have had", () => {
  /** @type {number[]} */
  const done = [];
  document.body.append(leftOver(0, 2, (count) => done.push(count)), leftOver(1, 2, (count) => done.push(count)), leftOver(2, 2, (count) => done.push(count)));
  const buttons = [...document.querySelectorAll("button")];
  equal(buttons.map((button) => button.disabled), [true, false, false, false, false, true]);
  for (const button of buttons) button.click();
  equal(done, [1, 0, 2, 1]);
  equal(document.querySelector(".left-over")?.getAttribute("aria-label"), "Rolls left over: 0");
});
