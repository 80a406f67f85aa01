// Dice that somebody is about to keep: whoever chooses tells the server, and everybody else sees it at once.
// No move: the dice that count are sent with the roll. #table[data-keeps] is the moment that a choice belongs to.

import { part } from "../core/live.js";
import { all, announce, ask, byId, one, say } from "../core/page.js";
import { glide } from "./dice.js";
import { isOn } from "./effects.js";

const WAIT = 120; // milliseconds until a choice is sent: several taps in a row are one

/** @typedef {{moment: number, slots: number[], page?: string}} Held */

const page = Math.random().toString(36).slice(2, 14); // by which we know our own choices when they come back
let timer = 0;
/** @type {Held | undefined} what others chose, or we on another screen: it may be heard before the dice are shown */
let news;
/** @type {Held | undefined} what we chose */
let chosen;
/** @type {Promise<unknown>} the choice that is on its way: one that overtook it would be undone by it */
let sent = Promise.resolve();

const moment = () => Number(part().dataset.keeps);
const boxes = () => all("#table input[name=hold]", HTMLInputElement);
const ticked = () => boxes().filter((box) => box.checked).map((box) => Number(box.value));

/** @param {number} slot */
const place = (slot) => byId(`die-${slot}`)?.closest(".die-slot");

// --- our own choice ---

function send() {
  timer = 0;
  if (!boxes().length) return; // it was rolled meanwhile
  chosen = { moment: moment(), slots: ticked() };
  const body = new URLSearchParams({ moment: String(chosen.moment), page });
  for (const slot of chosen.slots) body.append("hold", String(slot));
  const address = new URL("hold", new URL(part().dataset.live ?? "", location.href)).href;
  sent = sent.then(() => ask(address, { method: "POST", body })).catch(() => {}); // it is sent again with the roll
}

/** Dice that are rolled are sent with the roll: a choice that came after it would be refused. */
export function stop() {
  clearTimeout(timer);
  timer = 0;
}

document.addEventListener("change", (event) => {
  if (!(event.target instanceof HTMLInputElement) || event.target.name !== "hold") return;
  clearTimeout(timer);
  timer = setTimeout(send, WAIT);
  news = undefined; // what others said before is no longer the last word
});

// --- what others choose ---

/** @param {Held} held */
function show(held) {
  if (held.moment !== moment()) return;
  for (const box of boxes()) box.checked = held.slots.includes(Number(box.value));
  const count = all("#table .die-slot", HTMLElement).length;
  if (!boxes().length)
    for (let slot = 0; slot < count; slot += 1) place(slot)?.classList.toggle("held", held.slots.includes(slot));
}

/** @param {Held} held */
function read(held) {
  if (!isOn("holds") || held.moment !== moment() || boxes().length) return;
  const faces = held.slots.map((slot) => one(`#die-${slot} [data-face]`, HTMLElement)?.dataset.face).filter(Boolean);
  announce(faces.length ? say("others-keep", { dice: faces.join("-") }) : say("others-keep-none"));
}

export const heard = {
  /** @param {MessageEvent} event */
  holds(event) {
    /** @type {Held} */
    const held = JSON.parse(event.data);
    if (held.page === page || timer) return; // our own, or older than what we are choosing
    const again = news?.moment === held.moment && String(news.slots) === String(held.slots);
    news = held;
    show(held);
    glide();
    if (!again) read(held);
  },
  /** The server may have been restarted, and forgets. */
  open() {
    if (chosen && chosen.moment === moment() && boxes().length) send();
  },
};

/** A fresh part is in its place: what was heard before it came holds for it too. */
export function shown() {
  if (news && !timer) show(news);
}
