// The other side of test_coach_panel.py: the panel of the coach on a blank page, and what it says there.

import { showCoach } from "/static/pad/coach.js";
import { prepare } from "/static/pad/judge.js";

/** @typedef {import("/static/pad/judge.js").Card} Card */
/** @typedef {{ rules: import("/static/pad/judge.js").Table, names: { boxes: string[] }, coach: { about: string | null, hint: string | null } }} RulesData */

/** @type {(string | null)[]} */
export const advised = [];
export let closed = 0;
/** @type {string | null} */
export let held = null;

const texts = (/** @type {string} */ selector) => [...document.querySelectorAll(selector)].map((element) => element.textContent ?? "");

/**
 * Ask, and read the answer.
 * @param {RulesData} told
 * @param {Card} card
 * @param {string} dice
 * @param {number | null} left
 */
export async function ask(told, card, dice, left) {
  document.body.replaceChildren(document.createElement("main"));
  const holder = document.querySelector("main") ?? document.body;
  await showCoach(holder, {
    rules: prepare(told.rules), boxes: told.names.boxes, card, dice, rollsLeft: left, links: told.coach,
    die: (face) => document.createTextNode(face),
    advise: (box) => advised.push(box),
    keep: left ? (kept) => { held = kept; } : null,
    close: () => { closed += 1; },
  });
  return read();
}

export function read() {
  return { title: texts("#coach-title")[0], alert: texts("[role=alert]"), costs: texts(".coach-cost"), choices: texts(".coach-do"), totals: texts(".coach-expected"), buttons: texts("button") };
}
