// The card of one player as two halves of buttons: what each box holds, or what the dice would be worth there.

import { button, make } from "../core/page.js";
import { parts, say } from "../core/words.js";
import { bonusAt } from "./bonus.js";
import { totals } from "./judge.js";

/** @typedef {import("./judge.js").Rules} Rules */
/** @typedef {import("./judge.js").Words} Words */
/** @typedef {import("./judge.js").Card} Card */
/** @typedef {import("./judge.js").Ruling} Ruling */

const MOST_APART = 1; // lines by which the halves may differ before boxes move over
const PLAYED = new Set(["box", "bonus"]);

/**
 * The numbers of the lines that are played, in two halves about equally long: `_card_rows` in pad_page.py counts them.
 * @param {Rules} rules
 */
export function halves(rules) {
  const played = rules.lines.flatMap(([kind], number) => (PLAYED.has(kind) ? [number] : []));
  const upper = played.filter((number) => rules.lines[number][1] === "upper").length;
  const cut = Math.abs(played.length - 2 * upper) > MOST_APART ? (played.length + 1) >> 1 : upper;
  return [played.slice(0, cut), played.slice(cut)];
}

/**
 * What is shown of a card.
 * @typedef {object} Shown
 * @property {Rules} rules
 * @property {Words} words
 * @property {Card} card
 * @property {Ruling | null} ruling what the typed dice may do
 * @property {string | null} chosen the box that a number is being chosen for
 * @property {string | null} advised by the coach
 * @property {(box: string) => void} tap
 */

/**
 * @param {HTMLElement} place
 * @param {Shown} shown
 */
export function paintCard(place, shown) {
  const focused = place.contains(document.activeElement) ? document.activeElement?.id : "";
  const sides = halves(shown.rules).map((numbers) => make("div", "half", numbers.map((number) => line(shown, number))));
  place.replaceChildren(...sides);
  place.className = `card by-thumb rows-${Math.max(...sides.map((side) => side.children.length))}`;
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

/**
 * @param {Shown} shown
 * @param {number} number
 */
function line(shown, number) {
  const { rules, words, card } = shown;
  const [kind, , role] = rules.lines[number];
  const label = words.names.lines[number];
  if (kind === "bonus") return told(label, ...bonusText(rules, card, number));
  return box(shown, role, label);
}

/**
 * @param {Rules} rules
 * @param {Card} card
 * @param {number} number
 * @returns {[value: string, note: string]}
 */
function bonusText(rules, card, number) {
  const { paid, counted, aim, ahead } = bonusAt(rules, card, number);
  if (aim === null) return [paid ? `+${paid}` : "–", ""];
  return [`${counted}/${aim}`, ahead === null || ahead === 0 ? "" : signed(ahead)];
}

/** @param {number} points */
export const signed = (points) => (points < 0 ? `−${-points}` : `+${points}`);

/**
 * A line that is only read.
 * @param {string} label
 * @param {string} value
 * @param {string} note
 */
function told(label, value, note) {
  return make("p", "pad-line", [make("span", "name", label), make("small", "note", note), make("strong", "", value)]);
}

/**
 * @param {Shown} shown
 * @param {string} key
 * @param {string} label
 */
function box({ rules, card, ruling, chosen, advised, tap }, key, label) {
  const points = card.marks[rules.index.get(key) ?? 0];
  const entry = ruling?.boxes[key];
  const [look, value] = points !== null ? ["done", String(points)] : entry ? [entry.points ? "legal" : "zero", String(entry.points)] : ruling ? ["shut", ""] : ["", ""];
  const element = button(`pad-box ${look}`.trim(), "", () => tap(key));
  element.id = `box-${key}`;
  const notes = entry ? [entry.joker ? say("joker") : "", entry.extra ? signed(entry.extra) : ""].filter(Boolean).join(" ") : look === "shut" ? say("closed") : further(rules, card, key);
  element.append(make("span", "name", label), ...(notes ? [make("small", "note", notes)] : []), make("strong", "", value));
  if (points === null && !ruling) element.append(make("span", "visually-hidden", ` ${say("open")}`));
  if (key === chosen) element.setAttribute("aria-pressed", "true");
  if (key === advised) element.classList.add("advised");
  if (look === "shut") element.setAttribute("aria-disabled", "true");
  return element;
}

/**
 * The box for all dice alike also tells what further ones have paid.
 * @param {Rules} rules
 * @param {Card} card
 * @param {string} key
 */
function further(rules, card, key) {
  if (!card.bonuses || rules.alike?.box !== rules.index.get(key)) return "";
  return `${"✓".repeat(card.bonuses)} ${signed(totals(rules, card).extra)}`;
}

/**
 * @param {string} label
 * @param {() => void} yes
 * @param {() => void} no
 */
export function zeroQuestion(label, yes, no) {
  const line = make("p", "", parts("zero-question", { box: make("strong", "", label) }));
  const sure = button("", say("zero-yes"), yes);
  sure.id = "confirm-yes";
  const other = button("primary", say("zero-no"), no);
  other.id = "confirm-no";
  other.dataset.focus = "first"; // what cannot be meant by mistake
  return [make("div", "confirm", [line, make("div", "buttons", [sure, other])])];
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
