// A table whose dice the server throws: the double click, the keys, and the coach when there is something to ask.

import { all, byId, around, isForPage, one } from "../core/page.js";
import { start } from "../core/live.js";
import "../fairness/luck.js";

const SETTLE = 350; // milliseconds in which a second press of Roll is taken for the tail of a double click

/** The answer is often quicker than the second half of a double click. */
function settle() {
  const roll = byId("roll");
  roll?.setAttribute("aria-disabled", "true");
  setTimeout(() => roll?.removeAttribute("aria-disabled"), SETTLE);
}

/** @param {string} id */
function press(id) {
  const found = byId(id);
  found?.click();
  return Boolean(found);
}

/** @param {number} step */
function moveInSheet(step) {
  const boxes = all("button.box", HTMLButtonElement);
  const at = boxes.findIndex((box) => box === document.activeElement);
  const next = at < 0 ? (step > 0 ? 0 : boxes.length - 1) : (at + step + boxes.length) % boxes.length;
  boxes[next]?.focus();
  return boxes.length > 0;
}

/** @type {Record<string, () => boolean>} */
const KEYS = {
  r: () => press("roll"),
  u: () => press("undo"),
  h: () => press("ask-coach"),
  ArrowDown: () => moveInSheet(1),
  ArrowUp: () => moveInSheet(-1),
  "?": () => press("help-link"),
};

/** @param {KeyboardEvent} event */
function act(event) {
  const { key } = event;
  if (/^[1-9]$/.test(key)) return press(`die-${Number(key) - 1}`);
  if (key === " ") return !around(event, "button, a, summary, input") && press("roll");
  return Boolean((KEYS[key] ?? KEYS[key.toLowerCase()])?.());
}

document.addEventListener("keydown", (event) => {
  if (!isForPage(event) || (event.repeat && !event.key.startsWith("Arrow"))) return;
  if (act(event)) event.preventDefault();
});

function fetchCoach() {
  if (one("#ask-coach, #odds", HTMLElement)) import("../coach/coach.js").catch(() => {});
}

start({
  shown: fetchCoach,
  sent: (_, submitter) => { if (submitter?.id === "roll") settle(); },
});
fetchCoach();
