// Dice in the air. They rise at the tap, before the server has answered, tumble, and come down on what it says.
// Each is a cube for as long as it flies. Who wants less motion sees a short fade.

import { all, make, one } from "../core/page.js";
import { sound } from "./effects.js";

const FLIGHT = 520; // milliseconds from the tap to the last die at rest, if the answer is in time
const LEAST = 260; // and at least so long from the answer on
const BETWEEN = 28; // from one die to the next
const UP = -16; // pixels
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

// Front, right, back, left, top, bottom.
const SIDES = ["", "rotateY(90deg)", "rotateY(180deg)", "rotateY(-90deg)", "rotateX(90deg)", "rotateX(-90deg)"];

/**
 * How a die turns: degrees at the start, and per millisecond.
 * @typedef {{ x: number, y: number, byX: number, byY: number }} Spin
 */
/** @type {Map<number, Spin>} */
let flying = new Map();
let risen = 0; // when

const sign = () => (Math.random() < 0.5 ? -1 : 1);
/** @returns {Spin} */
const newSpin = () => ({ x: 0, y: 0, byX: sign() * (0.7 + 0.4 * Math.random()), byY: sign() * (0.5 + 0.5 * Math.random()) });

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
const turned = (x, y, up, rest = "") => `${rest} translateY(${up}px) perspective(420px) rotateX(${x}deg) rotateY(${y}deg)`;

/**
 * Put a cube in the place of a die. Its front is the face of the die; the other sides show any of the page.
 * @param {HTMLElement} die
 */
function raise(die) {
  const drawings = all("#table .die", HTMLElement).flatMap((other) => one(".pips", SVGElement, other) ?? []);
  const own = one(".pips", SVGElement, die);
  const half = die.offsetWidth / 2;
  const cube = make("span", "cube", SIDES.map((turn, place) => {
    const drawing = place === 0 && own ? own : drawings[Math.floor(Math.random() * drawings.length)];
    const side = make("span", "side-face", drawing ? [drawing.cloneNode(true)] : []);
    side.style.transform = `${turn} translateZ(${half}px)`;
    return side;
  }));
  die.classList.add("in-air");
  die.append(cube);
  return cube;
}

/** @param {HTMLElement} die */
function lower(die) {
  one(".cube", HTMLElement, die)?.remove();
  die.classList.remove("in-air");
}

/** All dice that are not held go up and spin until it is known how they fall. */
export function lift() {
  flying = new Map();
  risen = performance.now();
  sound("shake");
  slots().forEach((slot, place) => {
    const die = dieIn(slot);
    if (!die || isHeld(slot)) return;
    const spin = newSpin();
    flying.set(place, spin);
    if (STILL.matches) { die.animate([{ opacity: 1 }, { opacity: 0.3 }], { duration: 120, fill: "forwards" }); return; }
    const long = 4000;
    raise(die).animate([{ transform: turned(0, 0, UP) }, { transform: turned(spin.byX * long, spin.byY * long, UP) }], { duration: long, iterations: Infinity });
  });
}

/** Nothing came of it: put them down as they were. */
export function settle() {
  flying = new Map();
  for (const slot of slots()) {
    const die = dieIn(slot);
    if (!die) continue;
    for (const motion of die.getAnimations()) if (!(motion instanceof CSSTransition)) motion.cancel();
    lower(die);
  }
}

/**
 * A fresh table is there. What was rolled comes down, whoever rolled it.
 * @param {import("../core/live.js").Change} change
 */
export function land({ fresh, moved }) {
  const rolled = one(".just-rolled", HTMLElement, fresh);
  const gone = performance.now() - risen;
  const inAir = flying;
  flying = new Map();
  if (!rolled || !moved) return;
  rolled.classList.remove("just-rolled");
  slots().forEach((slot, place) => {
    const die = dieIn(slot);
    if (!die || !slot.classList.contains("fell")) return;
    const spin = inAir.get(place);
    if (STILL.matches) die.animate([{ opacity: 0.3 }, { opacity: 1 }], { duration: 180 });
    else fall(die, spin ?? newSpin(), spin ? gone : 0, place);
  });
  sound("dice");
}

/**
 * @param {HTMLElement} die
 * @param {Spin} spin
 * @param {number} gone milliseconds in the air already
 * @param {number} place
 */
function fall(die, spin, gone, place) {
  const rest = getComputedStyle(die).transform;
  const [x, y] = [spin.x + spin.byX * gone, spin.y + spin.byY * gone];
  const duration = Math.max(LEAST, FLIGHT - gone) + place * BETWEEN;
  const [lastX, lastY] = [whole(x, spin.byX, duration), whole(y, spin.byY, duration)];
  const settled = rest === "none" ? "" : rest;
  const cube = raise(die);
  const motion = cube.animate([
    { transform: turned(x, y, UP), easing: "cubic-bezier(.2, .6, .4, 1)" },
    { transform: turned(x + (lastX - x) * 0.86, y + (lastY - y) * 0.86, UP * 0.6, settled), offset: 0.62, easing: "ease-in" },
    { transform: turned(lastX, lastY, 0, settled), offset: 0.86, easing: "ease-out" },
    { transform: turned(lastX, lastY, -3, settled), offset: 0.93, easing: "ease-in" },
    { transform: turned(lastX, lastY, 0, settled) },
  ], { duration });
  motion.finished.then(() => lower(die), () => lower(die));
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
    const die = dieIn(slot);
    const id = (one("[id^=die-]", HTMLElement, slot) ?? slot).id;
    if (!die || !id) continue;
    const now = slot.getBoundingClientRect();
    const was = before.get(id);
    places.set(id, now);
    const [x, y] = was ? [was.left - now.left, was.top - now.top] : [0, 0];
    if ((x || y) && !STILL.matches) slot.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: 200, easing: "cubic-bezier(.3, 1.2, .5, 1)" });
  }
  if (before.size) sound("hold");
}
