// Under the thumb: the keys, the numbers that a box may take, and the questions that come before something is written.

import { all, button, byId, make, one } from "../core/page.js";
import { say } from "../core/words.js";

/** @typedef {import("./judge.js").Answer} Answer */

/**
 * The dice that were tapped; empty places for those that are missing.
 * @param {number} count
 * @param {string} faces
 */
function slots(count, faces) {
  return Array.from({ length: count }, (_, place) => {
    const drawing = faces[place]?.trim() && one(`#face-${faces[place]} svg`, SVGElement);
    return drawing ? make("span", "die", [drawing.cloneNode(true)]) : make("span", "die empty");
  });
}

/**
 * Rolled dice: each stays in its place, or is held by a tap.
 * @param {string} dice blanks for those that are still to be tapped
 * @param {number[]} held
 * @param {((slot: number) => void) | null} toggle null after the last roll
 */
function holds(dice, held, toggle) {
  return slots(dice.length, dice).map((die, slot) => {
    if (!toggle) return die;
    const key = button("", "", () => toggle(slot));
    key.id = `die-${slot}`;
    key.append(die);
    key.setAttribute("aria-pressed", String(held.includes(slot)));
    key.setAttribute("aria-label", say("keep-die", { number: slot + 1, face: dice[slot].trim() }));
    return key;
  });
}

/**
 * Every number that a box may take. One that may stand for several rolls asks for the dice next.
 * @param {Answer[]} answers
 * @param {number | null} stands the number that is written there now
 * @param {(answer: Answer) => void} choose
 */
export function numbers(answers, stands, choose) {
  const keys = answers.map((answer) => {
    const key = button(answer.points ? "number" : "number zero", String(answer.points), () => choose(answer));
    key.id = `points-${answer.points}`;
    if (answer.dice !== null) key.append(make("small", "", "…"));
    else if (answer.extra) key.append(make("small", "", `+${answer.extra}`));
    if (answer.points === stands) key.setAttribute("aria-current", "true");
    return key;
  });
  const group = make("div", keys.length > 12 ? "numbers many" : "numbers", keys);
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", say("numbers"));
  return group;
}

/**
 * What is in the dock now. Whoever was at a key that is gone goes on at the first of the new ones.
 * @param {{ say: string, keys: boolean, slots: HTMLElement[] | null, panel: HTMLElement[], tools?: HTMLElement[] }} shown
 */
export function paintDock({ say: text, keys, slots: dice, panel, tools = [] }) {
  const dock = byId("dock");
  if (!dock) return;
  const focused = document.activeElement;
  const inside = focused instanceof HTMLElement && dock.contains(focused) ? focused : null;
  byId("say")?.replaceChildren(text);
  byId("keypad")?.toggleAttribute("hidden", !keys);
  byId("typing")?.toggleAttribute("hidden", dice === null);
  if (dice) byId("slots")?.replaceChildren(...dice);
  byId("panel")?.replaceChildren(...panel);
  byId("dock-tools")?.replaceChildren(...tools);
  const first = one("[data-focus=first]", HTMLElement, dock);
  if (first && first !== document.activeElement) first.focus({ preventScroll: true });
  else if (inside && !isThere(inside)) (byId(inside.id) ?? all("#panel button:not(:disabled)", HTMLElement)[0] ?? byId("face-1"))?.focus({ preventScroll: true });
}

/** @param {HTMLElement} element */
const isThere = (element) => element.isConnected && element.offsetParent !== null;

/**
 * A style that only few need; the worker has it kept.
 * @param {string} name
 */
export async function styled(name) {
  const { href } = new URL(name, import.meta.url);
  if (one(`link[href="${href}"]`, HTMLLinkElement)) return;
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  await new Promise((done) => { link.addEventListener("load", done); link.addEventListener("error", done); document.head.append(link); });
}

/**
 * Lay out the dice of a turn. Those that were rolled may be held for the next roll; those that are being tapped lie in the
 * places of the others.
 * @param {number} count
 * @param {import("./draft.js").Draft} draft
 * @param {((slot: number) => void) | null} hold
 */
export function laidOut(count, { faces, rolls, held }, hold) {
  const last = rolls.at(-1);
  if (!last) return slots(count, faces);
  const fallen = [...faces];
  const shown = Array.from({ length: count }, (_, slot) => (held.includes(slot) || !faces ? last.dice[slot] : fallen.shift() ?? " ")).join("");
  return holds(shown, held, hold);
}
