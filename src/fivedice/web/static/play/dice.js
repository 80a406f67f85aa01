// Dice in the air. They rise at the tap, before the server has answered, tumble, and come down on what it says.
// Each is a cube for as long as it flies. The cubes lie over the table and not in it: a fresh table takes the place of
// the old one below them, and nothing is drawn twice. Who wants less motion sees a short fade.

import { afterPaint, all, make, one } from "../core/page.js";
import { sound } from "./effects.js";

const FLIGHT = 520; // milliseconds from the tap to the last die at rest, if the answer is in time
const LEAST = 260; // and at least so long from the answer on
const BETWEEN = 28; // from one die to the next
const AT_ONCE = 20; // milliseconds: an answer that comes within them is painted first, and the dice rise after it
const UP = -16; // pixels
const ROUND = 4000; // milliseconds of one round of the tumbling that goes on and on
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

// Front, right, back, left, top, bottom.
const SIDES = ["", "rotateY(90deg)", "rotateY(180deg)", "rotateY(-90deg)", "rotateX(90deg)", "rotateX(-90deg)"];

/**
 * A die in the air: how fast it turns, in degrees per millisecond, and since when.
 * @typedef {{ cube: HTMLElement, byX: number, byY: number, since: number }} Flight
 */
/** @type {Map<number, Flight>} */
const flying = new Map();
let rising = 0; // the timer of the dice that are about to rise

const sign = () => (Math.random() < 0.5 ? -1 : 1);
const slots = () => all(".dice > .die-slot", HTMLElement);
/** @param {HTMLElement} slot */
const dieIn = (slot) => one(".die", HTMLElement, slot);
/** @param {HTMLElement} slot */
const isHeld = (slot) => Boolean(one("input:checked", HTMLInputElement, slot));

/**
 * @param {number} x
 * @param {number} y
 * @param {number} up
 * @param {string} [rest]
 */
const turned = (x, y, up, rest = "") =>
  `${rest} translateY(${up}px) perspective(420px) rotateX(${x}deg) rotateY(${y}deg)`;

/**
 * Let dice fly, as cubes that show any faces of the page.
 * @param {[HTMLElement, number][]} thrown slots and their places
 */
function raise(thrown) {
  const drawings = all(".scores .mini .pips, .dice .pips", SVGElement);
  const any = () => drawings[Math.floor(Math.random() * drawings.length)]?.cloneNode(true) ?? "";
  const places = thrown.map(
    ([slot, place]) => /** @type {const} */ ([slot, place, (dieIn(slot) ?? slot).getBoundingClientRect()]),
  );
  for (const [slot, place, rect] of places) {
    const size = slot.clientWidth || rect.width;
    const cube = make("span", "cube", SIDES.map((turn) => {
      const side = make("span", "side-face", [any()]);
      side.style.transform = `${turn} translateZ(${size / 2}px)`;
      return side;
    }));
    cube.dataset.place = String(place);
    cube.setAttribute("aria-hidden", "true");
    Object.assign(cube.style, {
      left: `${rect.left + (rect.width - size) / 2}px`, top: `${rect.top + (rect.height - size) / 2}px`,
      width: `${size}px`, height: `${size}px`,
    });
    const flight = {
      cube, byX: sign() * (0.7 + 0.4 * Math.random()), byY: sign() * (0.5 + 0.5 * Math.random()),
      since: performance.now(),
    };
    flying.set(place, flight);
    dieIn(slot)?.classList.add("in-air");
    document.getElementById("main")?.append(cube);
    cube.animate([{ transform: turned(0, 0, UP) }, { transform: turned(flight.byX * ROUND, flight.byY * ROUND, UP) }], {
      duration: ROUND,
      iterations: Infinity,
    });
  }
}

/** All dice that are not held go up and spin until it is known how they fall. */
export function lift() {
  settle();
  sound("shake");
  const thrown = slots().flatMap((slot, place) =>
    isHeld(slot) ? [] : [/** @type {[HTMLElement, number]} */ ([slot, place])],
  );
  if (!STILL.matches) {
    rising = setTimeout(() => raise(thrown), AT_ONCE);
    return;
  }
  for (const [slot] of thrown)
    dieIn(slot)?.animate([{ opacity: 1 }, { opacity: 0.3 }], { duration: 120, fill: "forwards" });
}

/** Nothing came of it: put them down as they were. */
export function settle() {
  clearTimeout(rising);
  for (const place of [...flying.keys()]) lower(place);
  for (const slot of slots())
    for (const motion of dieIn(slot)?.getAnimations() ?? []) if (!(motion instanceof CSSTransition)) motion.cancel();
}

/** @param {number} place */
function lower(place) {
  flying.get(place)?.cube.remove();
  flying.delete(place);
  const slot = slots()[place];
  if (slot) dieIn(slot)?.classList.remove("in-air");
}

/**
 * A fresh table is there. What was rolled comes down, whoever rolled it.
 * @param {import("../core/live.js").Change} change
 */
export function land({ fresh, moved }) {
  const rolled = one(".just-rolled", HTMLElement, fresh);
  if (!rolled || !moved) return settle();
  clearTimeout(rising);
  rolled.classList.remove("just-rolled");
  sound("dice");
  const fallen = slots().flatMap((slot, place) =>
    slot.classList.contains("fell") ? [/** @type {[HTMLElement, number]} */ ([slot, place])] : [],
  );
  if (STILL.matches) {
    for (const [slot] of fallen) dieIn(slot)?.animate([{ opacity: 0.3 }, { opacity: 1 }], { duration: 180 });
    return;
  }
  const places = new Set(fallen.map(([, place]) => place));
  for (const place of [...flying.keys()]) if (!places.has(place)) lower(place);
  for (const [slot] of fallen) dieIn(slot)?.classList.add("in-air");
  afterPaint(() => { // the sheet first: the dice are on their way anyway
    if (!rolled.isConnected) return; // another table has come since
    raise(fallen.filter(([, place]) => !flying.has(place)));
    for (const [slot, place] of fallen) fall(slot, place);
  });
}

/**
 * @param {HTMLElement} slot
 * @param {number} place
 */
function fall(slot, place) {
  const flight = flying.get(place);
  const drawing = one(".pips", SVGElement, slot);
  const front = flight && one(".side-face", HTMLElement, flight.cube);
  if (!flight || !drawing || !front) return lower(place);
  const gone = performance.now() - flight.since;
  const [x, y] = [flight.byX * gone, flight.byY * gone];
  const duration = Math.max(LEAST, FLIGHT - gone) + place * BETWEEN;
  const [lastX, lastY] = [whole(x, flight.byX, duration), whole(y, flight.byY, duration)];
  front.replaceChildren(drawing.cloneNode(true));
  flight.cube.classList.add(...[...slot.classList].filter((name) => name.startsWith("tilt-")));
  const rest = "translateY(var(--fall-by, 0px)) rotate(var(--turn-by, 0deg))";
  const motion = flight.cube.animate(
    [
      { transform: turned(x, y, UP), easing: "cubic-bezier(.2, .6, .4, 1)" },
      {
        transform: turned(x + (lastX - x) * 0.86, y + (lastY - y) * 0.86, UP * 0.6, rest), offset: 0.62,
        easing: "ease-in",
      },
      { transform: turned(lastX, lastY, 0, rest), offset: 0.86, easing: "ease-out" },
      { transform: turned(lastX, lastY, -3, rest), offset: 0.93, easing: "ease-in" },
      { transform: turned(lastX, lastY, 0, rest) },
    ],
    { duration },
  );
  const done = () => { if (flying.get(place) === flight) lower(place); };
  motion.finished.then(done, done);
}

/**
 * The next angle, in the direction of the spin, at which the front is in front.
 * @param {number} angle
 * @param {number} by
 * @param {number} duration
 */
function whole(angle, by, duration) {
  const turns = (angle + by * duration * 0.8) / 360;
  return 360 * (by > 0 ? Math.ceil(turns) : Math.floor(turns));
}

// --- holding ---

/** @type {Map<string, DOMRect>} */
let places = new Map();

/** A die that was held or let go travels to its place: from where it was seen last. */
export function glide() {
  const before = places;
  places = new Map();
  for (const slot of slots()) {
    const id = (one("[id^=die-]", HTMLElement, slot) ?? slot).id;
    if (!id) continue;
    const now = slot.getBoundingClientRect();
    const was = before.get(id);
    places.set(id, now);
    const [x, y] = was ? [was.left - now.left, was.top - now.top] : [0, 0];
    if ((x || y) && !STILL.matches)
      slot.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], {
        duration: 200,
        easing: "cubic-bezier(.3, 1.2, .5, 1)",
      });
  }
  if (before.size) sound("hold");
}
