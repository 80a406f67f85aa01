// What a box is, while it may be scored: by a long touch, the other button of a mouse, or E. None of them scores.

import { around, byId, isForPage, one } from "../core/page.js";
import { fetchPart } from "../core/live.js";

const LONG = 500; // milliseconds of a touch that asks,
const STILL = 10; // and the pixels that a finger may move meanwhile

let asked = ""; // the box that was explained last
let timer = 0;
let isSpent = false; // a touch that explained something, and whose click means nothing

/** @param {Event} event */
function explain(event) {
  const box = around(event, ".box");
  const way = box?.closest("tr")?.querySelector(".name a");
  if (!box || !(way instanceof HTMLAnchorElement)) return false;
  asked = box.id;
  fetchPart(way.href).catch(() => {});
  return true;
}

document.addEventListener("pointerdown", (event) => {
  clearTimeout(timer);
  isSpent = false;
  if (event.pointerType === "mouse" || !event.isPrimary) return;
  timer = setTimeout(() => { isSpent = explain(event); }, LONG);
  /** @param {PointerEvent} later */
  const follow = (later) => {
    if (Math.hypot(later.clientX - event.clientX, later.clientY - event.clientY) > STILL) end();
  };
  const end = () => {
    clearTimeout(timer);
    document.removeEventListener("pointermove", follow);
  };
  document.addEventListener("pointermove", follow);
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, end, { once: true });
});

document.addEventListener("click", (event) => {
  if (!isSpent || !event.detail) return; // a click by the keyboard has no detail
  isSpent = false;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

document.addEventListener("contextmenu", (event) => {
  if (!around(event, ".box")) return;
  event.preventDefault();
  clearTimeout(timer);
  if (!isSpent) isSpent = explain(event) && event instanceof PointerEvent && event.pointerType === "touch";
});

document.addEventListener("keydown", (event) => {
  if (isForPage(event) && event.key.toLowerCase() === "e" && explain(event)) event.preventDefault();
});

document.addEventListener("fivedice:shown", (event) => {
  if (!(event instanceof CustomEvent)) return;
  if (one("#explained", HTMLElement, event.detail.old) && !byId("explained")) byId(asked)?.focus({ preventScroll: true });
});
