// Dice in the air. They rise at the tap, before the server has answered, tumble, and come down on what it says.
// Each is a solid on a canvas over its own slot for as long as it flies: a fresh table takes the place of the old one
// below them, and nothing is drawn twice. While they fly, body.tumbling hides what the dice are worth.
// Less motion, or forced colours: a short fade.

import { all, around as aroundEvent, one } from "../core/page.js";
import { angleOf, around, draw, inverse, lying, paint, partOf, times } from "./cube.js";
import { sound } from "./effects.js";

/** @typedef {import("./cube.js").Turn} Turn */
/** @typedef {import("./cube.js").Vector} Vector */

const FLIGHT = 560; // milliseconds from the tap to the first die at rest, if the answer is in time
const LEAST = 400; // and at least so long from the answer on
const BETWEEN = 34; // from one die to the next
const RISE = 120; // milliseconds until a die is at its highest,
const SHRINK = 50; // and until it is as small as it has to be in order to keep to its slot
const SPEED = 0.0155; // of a turning die, in radians per millisecond
const TOUCH = 0.6; // when a falling die meets the felt, in parts of its fall,
const FLAT = 0.84; // and when it lies flat; then comes a last small bounce
const WIDEST = 1.42; // a die that stands on a corner, in parts of its size
const ROOM = 1.9; // the canvas around it
const STILL = matchMedia("(prefers-reduced-motion: reduce), (forced-colors: active)");

/**
 * How a die comes down: over `turned`, less and less, to `end`; `aside` is how far off that way it was at the beginning.
 * @typedef {{ clock: Animation, end: Turn, turned: number, aside: Turn, duration: number, x: number,
 *   y: number, touched: boolean }} Fall
 */
/**
 * A die in the air.
 * @typedef {object} Flight
 * @property {HTMLCanvasElement} cube
 * @property {CanvasRenderingContext2D} pen
 * @property {Animation} clock
 * @property {number} size
 * @property {number} small its size in the air, in parts of that at rest, so that it keeps to its slot
 * @property {number} up how far it rises, in pixels
 * @property {Vector} axis
 * @property {number} speed
 * @property {Turn} begin
 * @property {boolean} isNew whether the slot was empty
 * @property {number} low how far below its slot it begins, in pixels: where there is room it is thrown across the felt
 * @property {Fall} [fall]
 */
/** @type {Map<number, Flight>} */
const flying = new Map();
/** @type {(() => void)[]} */
let waiting = []; // for all dice to be at rest
let density = 1;
let colours = paint();

const slots = () => all(".dice > .die-slot", HTMLElement);
/** @param {HTMLElement} slot */
const dieIn = (slot) => one(".die", HTMLElement, slot);
/** @param {HTMLElement} slot */
const isHeld = (slot) => Boolean(one("input:checked", HTMLInputElement, slot));
/** @param {HTMLElement} slot */
const faceIn = (slot) => Number(dieIn(slot)?.dataset.face ?? 0);
/** @param {number} part */
const smooth = (part) => { const t = Math.min(1, Math.max(0, part)); return t * t * (3 - 2 * t); };
/** @param {Animation} clock */
const timeOf = (clock) => Number(clock.currentTime ?? 0);

/** @param {HTMLElement} slot */
function restOf(slot) {
  const style = getComputedStyle(slot);
  return {
    tilt: ((parseFloat(style.getPropertyValue("--turn-by")) || 0) * Math.PI) / 180,
    y: parseFloat(style.getPropertyValue("--fall-by")) || 0,
  };
}

/** Wait until all dice lie. */
export const whenAtRest = () =>
  /** @type {Promise<void>} */ (new Promise((done) => { if (flying.size) waiting.push(done); else done(); }));

/** Tell those who wait, as soon as no die is in the air. */
function rest() {
  if (flying.size) return;
  document.body.classList.remove("tumbling");
  for (const done of waiting.splice(0)) done();
}

/**
 * Let dice fly.
 * @param {[HTMLElement, number][]} thrown slots and their places
 * @param {number[]} faces what they showed before, 0 for nothing
 */
function raise(thrown, faces) {
  const status = one(".status", HTMLElement)?.getBoundingClientRect().bottom ?? 0;
  const rects = slots().map((slot) => slot.getBoundingClientRect());
  const gap = parseFloat(getComputedStyle(one(".dice", HTMLElement) ?? document.body).columnGap) || 0;
  density = Math.min(1.5, devicePixelRatio || 1); // in motion no eye sees more
  colours = paint();
  for (const [slot, place] of thrown) {
    const rect = rects[place];
    const size = (dieIn(slot)?.offsetWidth || rect.width);
    const wide = Math.round(size * ROOM);
    const cube = document.createElement("canvas");
    const pen = cube.getContext("2d");
    if (!pen || !size) continue;
    cube.className = "cube";
    cube.dataset.place = String(place);
    cube.setAttribute("aria-hidden", "true");
    cube.width = cube.height = wide * density;
    Object.assign(cube.style, {
      left: `${rect.left + (rect.width - wide) / 2}px`, top: `${rect.top + (rect.height - wide) / 2}px`,
      width: `${wide}px`, height: `${wide}px`,
    });
    const isNew = !faces[place];
    const small = Math.min(0.9, (rect.width + gap) / (WIDEST * size));
    const angle = Math.random() * 2 * Math.PI;
    const { tilt, y } = restOf(slot);
    const low = isNew ? Math.min(size, Math.max(0, rect.top - status - size)) : y;
    document.getElementById("main")?.append(cube);
    flying.set(place, {
      cube, pen, size, small, isNew, low,
      up: Math.max(2, Math.min(size * 0.3, rect.top - status - size * (WIDEST * small - 1) / 2)),
      axis: [Math.cos(angle) * 0.94, Math.sin(angle) * 0.94, 0.34],
      speed: SPEED * (0.85 + 0.3 * Math.random()),
      begin: lying(faces[place] || 1 + Math.floor(Math.random() * 6), isNew ? 6 * Math.random() : tilt),
      clock: cube.animate([{ opacity: isNew ? 0.3 : 1 }, { opacity: 1 }], { duration: 80, fill: "both" }),
    });
    // It goes on as the clock of this die: a clock that is at its end stands still.
    flying.get(place)?.clock.effect?.updateTiming({ endDelay: 1e9 });
    mark(slot);
  }
  if (!flying.size) return;
  document.body.classList.add("tumbling");
  drawAll();
}

/** @param {HTMLElement} slot */
const mark = (slot) => { if (!slot.classList.contains("empty")) dieIn(slot)?.classList.add("in-air"); };

function drawAll() {
  for (const flight of flying.values()) drawOne(flight);
}

function drawFrames() {
  drawAll();
  if (flying.size) requestAnimationFrame(drawFrames);
}

/**
 * How high a falling die is: it drops, bounces, and bounces once more, hardly.
 * @param {number} part of its fall
 * @param {number} from how high it would be if it did not fall
 */
function heightOf(part, from) {
  if (part < TOUCH) return from * (1 - (part / TOUCH) ** 2.4);
  const [begin, end, high] = part < FLAT ? [TOUCH, FLAT, 0.3] : [FLAT, 1, 0.07];
  const at = (part - begin) / (end - begin);
  return high * 4 * at * (1 - at);
}

/** @param {Flight} flight @param {number} time @returns {number} */
const risen = ({ isNew }, time) => (isNew ? 1 : 1 - (1 - Math.min(1, time / RISE)) ** 2) - 0.06 * (1 - Math.cos(time / 90));

/** @param {Flight} flight @param {number} time */
const tumbled = ({ axis, speed, begin }, time) => times(around(axis, speed * time), begin);

/** @param {Flight} flight */
function drawOne(flight) {
  const { cube, pen, size, small, up, fall, axis, low } = flight;
  const time = timeOf(flight.clock);
  const middle = (size * ROOM) / 2;
  let [height, turn, x, y, away] = [risen(flight, time), tumbled(flight, time), 0, 0, smooth(time / SHRINK)];
  if (flight.isNew) away = 1;
  if (fall) {
    const part = Math.min(1, timeOf(fall.clock) / fall.duration);
    const left = part < FLAT ? (1 - part / FLAT) ** 1.6 : 0;
    const off = partOf(fall.aside, 1 - smooth(part / 0.74));
    height = heightOf(part, height);
    turn = times(off, times(around(axis, -fall.turned * left), fall.end));
    [x, y] = [fall.x * smooth(part), fall.y * smooth(part)];
    away = Math.min(away, 1 - smooth((part - TOUCH) / (FLAT - TOUCH)));
    if (part > TOUCH && !fall.touched) {
      fall.touched = true;
      sound("rest");
    }
  }
  cube.style.transform = `translate(${x}px, ${low + y}px)`;
  draw(pen, density, {
    turn, height: Math.max(0, height), size: size * (1 + (small - 1) * away),
    x: middle, y: middle - up * height, ground: middle,
  }, colours);
}

/** All dice that are not held go up and spin until it is known how they fall. */
export function lift() {
  settle();
  sound("shake");
  const thrown = slots().flatMap((slot, place) =>
    isHeld(slot) ? [] : [/** @type {[HTMLElement, number]} */ ([slot, place])],
  );
  if (!STILL.matches) {
    raise(thrown, slots().map(faceIn));
    requestAnimationFrame(drawFrames);
    return;
  }
  for (const [slot] of thrown)
    dieIn(slot)?.animate([{ opacity: 1 }, { opacity: 0.3 }], { duration: 120, fill: "forwards" });
}

/** Nothing came of it: put them down as they were. */
export function settle() {
  for (const place of [...flying.keys()]) lower(place);
  for (const slot of slots())
    for (const motion of dieIn(slot)?.getAnimations() ?? []) if (!(motion instanceof CSSTransition)) motion.cancel();
}

/** The answer is here: dice that still do not know how to fall were not rolled. */
export function answered() {
  if ([...flying.values()].every(({ fall }) => !fall)) settle();
}

/** Let all dice that are coming down lie at once. */
export function finish() {
  for (const [place, { fall }] of [...flying]) if (fall) lower(place);
}

/** @param {number} place */
function lower(place) {
  const flight = flying.get(place);
  flying.delete(place);
  flight?.cube.remove();
  const slot = slots()[place];
  if (slot) dieIn(slot)?.classList.remove("in-air");
  rest();
}

/**
 * A fresh table is there. What was rolled comes down, whoever rolled it; what is in the air stays there.
 * @param {import("../core/live.js").Change} change
 */
export function land({ old, fresh, moved }) {
  if (!moved) {
    slots().forEach((slot, place) => { if (flying.has(place)) mark(slot); });
    return;
  }
  const rolled = one(".just-rolled", HTMLElement, fresh);
  if (!rolled) return settle();
  rolled.classList.remove("just-rolled");
  const fallen = slots().flatMap((slot, place) =>
    slot.classList.contains("fell") ? [/** @type {[HTMLElement, number]} */ ([slot, place])] : [],
  );
  if (STILL.matches) {
    sound("dice");
    for (const [slot] of fallen) dieIn(slot)?.animate([{ opacity: 0.3 }, { opacity: 1 }], { duration: 180 });
    return;
  }
  sound("land");
  const places = new Set(fallen.map(([, place]) => place));
  const isNew = !flying.size;
  for (const [place, { fall: falls }] of [...flying]) if (falls || !places.has(place)) lower(place);
  raise(
    fallen.filter(([, place]) => !flying.has(place)),
    all(".dice > .die-slot", HTMLElement, old).map(faceIn),
  );
  const last = Math.floor(Math.random() * fallen.length); // not always from left to right
  fallen.forEach(([slot, place], order) => fall(slot, place, (order * 2 + last) % fallen.length));
  if (isNew) requestAnimationFrame(drawFrames);
}

/** @param {HTMLElement} slot @param {number} place @param {number} order */
function fall(slot, place, order) {
  const flight = flying.get(place);
  const face = faceIn(slot);
  if (!flight || face < 1 || face > 6) return lower(place);
  mark(slot);
  const gone = timeOf(flight.clock);
  const duration = Math.max(LEAST, FLIGHT - gone) + order * BETWEEN;
  const { tilt, y } = restOf(slot);
  const now = tumbled(flight, gone);
  // It goes on about the same axis, and a little aside. Of all ways to end there, take the one that turns aside least;
  // half a turn on the felt makes no difference to a face.
  const wanted = (flight.speed * duration * FLAT) / 1.6;
  const ends = [lying(face, tilt), lying(face, tilt + Math.PI)];
  const ways = [...Array(48).keys()].map((step) => {
    const [end, turned] = [ends[step % 2], wanted * (0.75 + step / 50)];
    return { end, turned, aside: times(now, inverse(times(around(flight.axis, -turned), end))) };
  });
  const best = ways.reduce((a, b) => (angleOf(b.aside) < angleOf(a.aside) ? b : a));
  // The fresh table may lie elsewhere: a die that is let go comes out of its tray.
  const [was, is] = [flight.cube.getBoundingClientRect(), slot.getBoundingClientRect()];
  const clock = flight.cube.animate([{ opacity: 1 }, { opacity: 1 }], { duration });
  flight.fall = {
    ...best, clock, duration, touched: false,
    x: is.left + is.width / 2 - was.left - was.width / 2, y: y + is.top + is.height / 2 - was.top - was.height / 2,
  };
  const done = () => { if (flying.get(place) === flight) lower(place); };
  clock.finished.then(done, done);
}

// Who touches a die or a box, or presses a key, has seen enough.
document.addEventListener("pointerdown", (event) => { if (aroundEvent(event, ".die-slot, .box")) finish(); }, true);
document.addEventListener("keydown", (event) => { if (!event.repeat) finish(); }, true);

// --- holding ---

/** @type {Map<string, DOMRect>} */
let places = new Map();

/** On a desk the dice in the tray stand around its middle. */
export function closeRanks() {
  const held = slots().filter((slot) => isHeld(slot) || slot.classList.contains("held"));
  one(".dice", HTMLElement)?.style.setProperty("--held", String(held.length));
}

/** A die that was held or let go travels to its place: from where it was seen last. */
export function glide() {
  closeRanks();
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
