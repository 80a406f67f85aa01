// The coach, asked from the keys. Its scripts and its style come when it is first asked; they are kept with the page.

import { one } from "../core/page.js";

/** @typedef {import("./coach_panel.js").Question} Question */

/**
 * @param {HTMLElement} holder
 * @param {() => boolean} isWanted whether somebody still waits for it
 * @param {Question} question
 */
export async function showAdvice(holder, isWanted, question) {
  const [{ showCoach }] = await Promise.all([import("./coach_panel.js"), styled("coach_panel.css")]);
  if (isWanted()) await showCoach(holder, question);
}

/**
 * A style that only few need.
 * @param {string} name
 */
async function styled(name) {
  const { href } = new URL(name, import.meta.url);
  if (one(`link[href="${href}"]`, HTMLLinkElement)) return;
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  await new Promise((done) => { link.addEventListener("load", done); link.addEventListener("error", done); document.head.append(link); });
}

/**
 * Where the dice lie that are to be kept.
 * @param {string} dice
 * @param {string} kept
 */
export function placesOf(dice, kept) {
  const left = [...kept];
  return [...dice].flatMap((face, slot) => {
    const at = left.indexOf(face);
    return at < 0 ? [] : (left.splice(at, 1), [slot]);
  });
}
