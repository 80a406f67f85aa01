// The boxes that dice may go in, drawn from what the server has answered before. Nothing is judged here.

import { button, make } from "../core/page.js";
import { parts, say } from "../core/words.js";

/** @typedef {import("./queue.js").Box} Box */
/**
 * What one roll may do on a card, `options_table` in table/options.py: legal boxes with points, extra points and
 * whether they are a joker; closed ones with the numbers of their sentences; whether a zero asks first.
 * @typedef {object} Ruled
 * @property {Record<string, [points: number, extra: number, joker: number]>} boxes
 * @property {Record<string, number>} [closed]
 * @property {boolean} [zero_asks]
 */
/** @typedef {{ card: string, rolls: Record<string, Ruled>, sentences: Record<string, string> }} Answers */

/**
 * The legal boxes with their points, the closed ones with the reasons.
 * @param {Box[]} boxes
 * @param {Ruled} ruled
 * @param {Record<string, string>} sentences
 * @param {(box: Box, points: number) => void} choose
 * @param {(box: Box) => void} ask
 */
export function priced(boxes, ruled, sentences, choose, ask) {
  const closed = ruled.closed ?? {};
  const grid = halves(boxes, (box) => {
    const entry = ruled.boxes[box.key];
    if (!entry) return box.key in closed ? shut(box) : null;
    const [points] = entry;
    return legal(box, entry, () => (!points && ruled.zero_asks ? ask(box) : choose(box, points)));
  });
  const why = [...new Set(Object.values(closed))].map((number) => make("p", "", sentences[number]));
  return why.length ? [make("div", "reasons", why), grid] : [grid];
}

/**
 * Beyond the answers of the server: those that are open, without points.
 * @param {Box[]} boxes
 * @param {(box: Box, place: number) => boolean} isOpen
 * @param {(box: Box, points: null) => void} choose
 */
export function unpriced(boxes, isOpen, choose) {
  const grid = halves(boxes, (box, place) => (isOpen(box, place) ? boxButton(box, "", () => choose(box, null)) : null));
  return [make("p", "hint-line", say("no-points-yet")), grid];
}

/**
 * How many rolls the turn left over, where they are saved for later.
 * @param {number} count
 * @param {number} most
 * @param {(count: number) => void} set
 */
export function leftOver(count, most, set) {
  const shown = make("output", "", String(count));
  const fewer = step("fewer", "−", "one-fewer", count > 0, () => set(count - 1));
  const more = step("more", "+", "one-more", count < most, () => set(count + 1));
  const line = make("div", "left-over", [make("span", "", say("rolls-left-over")), fewer, shown, more]);
  line.setAttribute("role", "group");
  line.setAttribute("aria-label", `${say("rolls-left-over")}: ${count}`);
  return line;
}

/**
 * @param {string} id
 * @param {string} sign
 * @param {string} label
 * @param {boolean} possible
 * @param {() => void} act
 */
function step(id, sign, label, possible, act) {
  const element = button("", sign, act);
  element.id = id;
  element.setAttribute("aria-label", say(label));
  element.toggleAttribute("disabled", !possible);
  return element;
}

/**
 * @param {Box} box
 * @param {() => void} yes
 * @param {() => void} no
 */
export function zeroQuestion(box, yes, no) {
  const line = make("p", "", parts("zero-question", { box: make("strong", "", box.label) }));
  const sure = button("", say("zero-yes"), yes);
  sure.id = "confirm-yes";
  const other = button("primary", say("zero-no"), no);
  other.id = "confirm-no";
  other.dataset.focus = "first"; // what cannot be meant by mistake
  const buttons = make("div", "buttons", [sure, other]);
  return [make("div", "confirm", [line, buttons])];
}

/**
 * Upper and lower, in the order of the sheet.
 * @param {Box[]} boxes
 * @param {(box: Box, place: number) => HTMLElement | null} cell
 */
function halves(boxes, cell) {
  const cells = boxes.map((box, place) => ({ upper: box.upper, element: cell(box, place) }));
  const sides = [true, false].map((upper) => cells.flatMap((one) => (one.upper === upper && one.element ? [one.element] : [])));
  return make("div", "halves", sides.filter((side) => side.length).map((side) => make("div", "half", side)));
}

/**
 * @param {Box} box
 * @param {[number, number, number]} entry
 * @param {() => void} act
 */
function legal(box, [points, extra, joker], act) {
  const element = boxButton(box, points ? "" : " zero", act);
  element.append(make("strong", "", String(points)));
  if (joker) element.append(make("small", "", say("joker")));
  if (extra) element.append(make("small", "", `+${extra}`));
  return element;
}

/**
 * @param {Box} box
 * @param {string} look
 * @param {() => void} action
 */
function boxButton(box, look, action) {
  const element = button(`pad-box${look}`, "", action);
  element.id = `box-${box.key}`;
  element.append(make("span", "", box.label));
  return element;
}

/** @param {Box} box */
const shut = (box) => make("p", "pad-box shut", [make("span", "", box.label), make("small", "", say("closed"))]);
