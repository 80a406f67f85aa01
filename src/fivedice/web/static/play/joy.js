// What is heard and celebrated at the table, and what flies over the sheet. Sound is made here, without a file, and is off until it is wanted.

import { all, announce, make, one } from "../core/page.js";
import { buzz, isOn, moment } from "./effects.js";

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const LONG = 2000; // milliseconds of a great moment,
const SHORT = 1300; // and of a smaller one
const LOOKED_AT = 1200; // milliseconds that the dice of others stay with the box they scored
const GLOW = [{ filter: "none" }, { filter: "brightness(1.25) saturate(3)", scale: "1.04", offset: 0.15 }, { filter: "none" }];
const PIECES = 80; // of confetti
const SEEN = 2000; // milliseconds that a picture is shown
const TALL = 92; // pixels for the letters of a moment: more than a phone has above its dice

/** @type {AudioContext | undefined} */
let audio;

/**
 * A knock of wood on felt: a short burst of noise through a filter.
 * @param {AudioContext} on
 * @param {number} at seconds from now
 * @param {number} pitch
 * @param {number} loud
 */
function knock(on, at, pitch, loud) {
  const length = Math.floor(on.sampleRate * 0.05);
  const noise = on.createBuffer(1, length, on.sampleRate);
  const data = noise.getChannelData(0);
  for (let place = 0; place < length; place += 1) data[place] = (2 * Math.random() - 1) * (1 - place / length) ** 6;
  const source = on.createBufferSource();
  source.buffer = noise;
  const filter = on.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = pitch;
  const gain = on.createGain();
  gain.gain.value = loud;
  source.connect(filter).connect(gain).connect(on.destination);
  source.start(on.currentTime + at);
}

/** @param {AudioContext} on @param {number} at @param {number} pitch */
function chime(on, at, pitch) {
  const tone = on.createOscillator();
  tone.frequency.value = pitch;
  const gain = on.createGain();
  const begin = on.currentTime + at;
  gain.gain.setValueAtTime(0.0001, begin);
  gain.gain.exponentialRampToValueAtTime(0.12, begin + 0.01);
  gain.gain.exponentialRampToValueAtTime(0.0001, begin + 0.35);
  tone.connect(gain).connect(on.destination);
  tone.start(begin);
  tone.stop(begin + 0.4);
}

/** @type {Record<string, (on: AudioContext) => void>} */
const SOUNDS = {
  shake: (on) => {
    for (let hit = 0; hit < 4; hit += 1) knock(on, hit * 0.05 + Math.random() * 0.03, 1800 + Math.random() * 900, 0.35);
  },
  dice: (on) => {
    for (let hit = 0; hit < 9; hit += 1)
      knock(on, 0.12 + hit * 0.04 + Math.random() * 0.04, 700 + Math.random() * 900, 0.9 - hit * 0.08);
  },
  rest: (on) => {
    knock(on, 0, 900 + Math.random() * 500, 0.8);
    knock(on, 0.09, 1500, 0.25);
  },
  hold: (on) => knock(on, 0, 1300, 0.3),
  score: (on) => chime(on, 0, 660),
  cheer: (on) => [523, 659, 784, 1047].forEach((pitch, place) => chime(on, place * 0.09, pitch)),
};

/** @param {string} name */
export function play(name) {
  if (!(name in SOUNDS)) return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
  SOUNDS[name](audio);
}

/**
 * A fresh table is there. What is worth a moment has it as soon as the dice lie; the result and the flying points wait.
 * @param {import("../core/live.js").Change} change
 * @param {Promise<void>} rest
 */
export function shown({ old, fresh }, rest) {
  const found = one("td.latest", HTMLElement, fresh);
  const latest = found && placeOf(found) !== placeOf(one("td.latest", HTMLElement, old)) ? found : null;
  if (latest) requestAnimationFrame(() => requestAnimationFrame(() => fly(latest))); // the sheet is painted first
  const { celebrate, cheer: text } = fresh.dataset;
  const ending = one("#ending", HTMLElement, old) ? null : one("#ending", HTMLElement, fresh);
  ending?.classList.add("later");
  const putBack = latest && (celebrate || ending || !one(".play.mine", HTMLElement, old)) ? keepDice(old, fresh) : () => {};
  const after = () => {
    putBack();
    ending?.classList.remove("later");
    if (ending && document.activeElement === document.body) one("#ending [data-focus=next]", HTMLElement)?.focus();
  };
  if (!celebrate) return void setTimeout(after, LOOKED_AT); // at the dice that someone scored, with their box
  rest.then(() => {
    if (!fresh.isConnected) return;
    const isSmall = celebrate === "bonus" || celebrate === "straight";
    if (celebrate === "bonus") one(".row-bonus", HTMLElement, fresh)?.animate(GLOW, { duration: SHORT });
    const how = { duration: isSmall || celebrate === "played" ? SHORT : LONG, isSmall, calm: celebrate === "played" };
    cheer(text ?? "", how, after);
  });
}

/**
 * Leave the dice that were scored on the felt. Returns how to take them away.
 * @param {HTMLElement} old
 * @param {HTMLElement} fresh
 */
function keepDice(old, fresh) {
  const [before, after] = [old, fresh].map((table) => all(".dice > .die-slot", HTMLElement, table));
  const kept = after.flatMap((slot, place) => {
    const [die, empty] = [before[place], slot].map((found) => found && one(".die", HTMLElement, found));
    if (!die?.dataset.face || !empty || !slot.classList.contains("empty")) return [];
    const stays = /** @type {HTMLElement} */ (die.cloneNode(true));
    stays.classList.remove("in-air");
    slot.classList.remove("empty");
    empty.replaceWith(stays);
    return [() => { slot.classList.add("empty"); stays.replaceWith(empty); }];
  });
  return () => kept.forEach((undo) => undo());
}

/** @param {HTMLElement | null} cell */
const placeOf = (cell) => (cell ? `${cell.dataset.seat}/${cell.closest("tr")?.rowIndex}` : "");

/**
 * The points fly from the dice to their box.
 * @param {HTMLElement} cell
 */
function fly(cell) {
  const from = one(".dice", HTMLElement)?.getBoundingClientRect();
  const to = cell.getBoundingClientRect();
  if (STILL.matches || !from || !to.width) return;
  const points = make("span", "flown", cell.textContent?.trim() ?? "");
  document.body.append(points);
  cell.classList.add("to-come");
  const [x, y] = [to.left + to.width / 2, to.top + to.height / 2];
  const motion = points.animate(
    [
      {
        transform: `translate(${from.left + from.width / 2}px, ${from.top}px) translate(-50%, -50%) scale(1.6)`,
        opacity: 0.2,
      },
      { opacity: 1, offset: 0.3 },
      { transform: `translate(${x}px, ${y}px) translate(-50%, -50%)`, opacity: 1 },
    ],
    { duration: 380, easing: "cubic-bezier(.5, 0, .2, 1)" },
  );
  const landed = () => {
    points.remove();
    cell.classList.remove("to-come");
    cell.animate([{ scale: "1.35" }, { scale: "1" }], { duration: 220, easing: "ease-out" });
  };
  motion.finished.then(landed, landed);
}

/**
 * Something to be glad of owns the felt for a while: large letters above the dice, which hop, and confetti.
 * @param {string} text
 * @param {{ duration: number, isSmall: boolean, calm: boolean }} how small letters leave the sheet free; calm ones stand alone
 * @param {() => void} after
 */
function cheer(text, { duration, isSmall, calm }, after) {
  const felt = one(".play", HTMLElement);
  const dice = one(".play .dice", HTMLElement);
  if (!felt || !dice) return after();
  const letters = make("div", `cheer${isSmall || text.length > 14 ? " long" : ""}`, [make("span", "", text)]);
  letters.setAttribute("aria-hidden", "true"); // what happened is announced anyway
  const slots = all(".die-slot", HTMLElement, dice);
  const above = Math.min(...slots.map((slot) => slot.getBoundingClientRect().top), innerHeight) - 14; // they hop
  const room = above - felt.getBoundingClientRect().top;
  const tall = isSmall ? room : Math.max(TALL, room);
  letters.classList.toggle("banner", room < tall);
  Object.assign(letters.style, { top: `${room - tall}px`, height: `${tall}px` });
  felt.append(letters);
  document.body.classList.add("cheering");
  const motions = STILL.matches || calm ? [] : [...slots.map(hop), ...throwConfetti(felt.getBoundingClientRect(), duration)];
  const frames = STILL.matches
    ? [{ opacity: 0 }, { opacity: 1, offset: 0.1 }, { opacity: 1, offset: 0.9 }, { opacity: 0 }]
    : [
        { opacity: 0, transform: "scale(.4)" }, { opacity: 1, transform: "scale(1.1)", offset: 0.1 },
        { opacity: 1, transform: "scale(1)", offset: 0.16 }, { opacity: 1, transform: "scale(1)", offset: 0.92 },
        { opacity: 0, transform: "scale(1)" },
      ];
  const motion = letters.animate(frames, { duration });
  const stop = () => {
    moment.stop = undefined;
    for (const part of [motion, ...motions]) part.cancel();
    letters.remove();
    one(".confetti", HTMLElement)?.remove();
    document.body.classList.remove("cheering");
    after();
  };
  moment.stop = stop;
  motion.finished.then(() => { if (moment.stop === stop) stop(); }, () => {});
  if (calm) return;
  if (isOn("sound")) play("cheer");
  buzz([30, 60, 30, 60, 60]);
}

/** @param {HTMLElement} slot @param {number} place */
const hop = (slot, place) =>
  slot.animate(
    [
      { transform: "none", easing: "cubic-bezier(.2, .7, .5, 1)" },
      { transform: "translateY(-13%)", offset: 0.4, easing: "cubic-bezier(.5, 0, .8, .3)" },
      { transform: "none", offset: 0.8 }, { transform: "none" },
    ],
    { duration: 430, delay: place * 70, iterations: 3 },
  );

/** @param {DOMRect} felt @param {number} duration */
function throwConfetti(felt, duration) {
  const layer = make("div", "confetti");
  layer.setAttribute("aria-hidden", "true");
  document.getElementById("main")?.append(layer);
  const high = Math.max(160, Math.min(innerHeight * 0.75, 620));
  return [...Array(PIECES).keys()].map((number) => {
    const piece = make("i");
    layer.append(piece);
    const side = number % 2 ? 1 : -1; // from both sides of the felt to its middle
    const [x, y] = [felt.left + felt.width * (0.5 + 0.4 * side), Math.min(felt.bottom - 20, innerHeight * 0.9)];
    const [aside, up] = [-side * felt.width * (0.05 + 0.75 * Math.random()), high * (0.45 + 0.55 * Math.random())];
    const turn = side * (300 + 500 * Math.random());
    /** @param {number} part @param {number} rise @param {number} size */
    const at = (part, rise, size) =>
      `translate(${x + aside * part}px, ${y - rise}px) scale(${size}) rotate(${turn * part}deg) rotateX(${2 * turn * part}deg)`;
    return piece.animate(
      [
        { transform: at(0, 0, 0.2), opacity: 0, easing: "cubic-bezier(.1, .7, .4, 1)" },
        { transform: at(0.7, up, 1), opacity: 1, offset: 0.35, easing: "cubic-bezier(.5, 0, .9, .6)" },
        { transform: at(0.9, 0, 1), opacity: 1, offset: 0.85 },
        { transform: at(1, -high / 3, 1), opacity: 0 },
      ],
      { duration: duration * (0.6 + 0.2 * Math.random()), delay: duration * 0.2 * Math.random(), fill: "both" },
    );
  });
}

/**
 * A player shows a picture: it rises from their name.
 * @param {string} data the seat and the number of the picture, as JSON
 */
export function react(data) {
  const [seat, picture] = JSON.parse(data);
  const place = one(`[data-chip="${seat}"]`, HTMLElement)?.getBoundingClientRect();
  const shown = one(`[data-react="${picture}"]`, HTMLElement);
  if (!place || !shown) return;
  const floating = make("span", "reaction", [...shown.cloneNode(true).childNodes]);
  document.body.append(floating);
  const at = `translate(${place.left + place.width / 2 - 22}px, ${place.bottom}px)`;
  const frames = STILL.matches ? [{ transform: at }, { transform: at }] : [
    { transform: `${at} scale(.3)`, opacity: 0 }, { transform: `${at} scale(1.2)`, opacity: 1, offset: 0.15 },
    { transform: `${at} translateY(6px)`, opacity: 1, offset: 0.8 }, { transform: `${at} translateY(40px)`, opacity: 0 },
  ];
  floating.animate(frames, { duration: SEEN }).finished.finally(() => floating.remove());
  announce(`${one(`[data-chip="${seat}"] bdi`, HTMLElement)?.textContent}: ${shown.ariaLabel}`);
}
