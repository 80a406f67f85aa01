// What is heard, felt and celebrated. Sound is made here, without a file, and is off until it is wanted.

import { afterPaint, all, around, make, one } from "../core/page.js";

const STORE = "fivedice:settings";
const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const CHEER = 1100; // milliseconds

// --- settings ---

/** @type {Record<string, boolean>} */
let settings = read();

function read() {
  try {
    const found = JSON.parse(localStorage.getItem(STORE) ?? "{}");
    return typeof found === "object" && found ? found : {};
  } catch {
    return {}; // a browser that keeps nothing
  }
}

/** @param {string} name */
export const isOn = (name) => Boolean(settings[name]);

/** Show the settings as they are; they are buttons of the menu. */
export function remember() {
  document.body.classList.toggle("digits", Boolean(settings.digits));
  for (const group of all("[data-settings]", HTMLElement)) group.hidden = false;
  for (const key of all("[data-setting]", HTMLElement))
    key.setAttribute("aria-pressed", String(Boolean(settings[key.dataset.setting ?? ""])));
  const buzz = one("[data-setting=buzz]", HTMLElement);
  if (buzz && !("vibrate" in navigator)) buzz.hidden = true;
}

document.addEventListener("click", (event) => {
  const name = around(event, "[data-setting]")?.dataset.setting;
  if (!name) return;
  settings = { ...settings, [name]: !settings[name] };
  try { localStorage.setItem(STORE, JSON.stringify(settings)); } catch { /* as above */ }
  remember();
  if (name === "sound") sound("score");
  if (name === "buzz") buzz(40);
});

/** @param {number | number[]} pattern */
function buzz(pattern) {
  if (settings.buzz && "vibrate" in navigator) navigator.vibrate(pattern);
}

// --- sound ---

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

/**
 * @param {AudioContext} on
 * @param {number} at
 * @param {number} pitch
 */
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
  hold: (on) => knock(on, 0, 1300, 0.3),
  score: (on) => chime(on, 0, 660),
  cheer: (on) => [523, 659, 784, 1047].forEach((pitch, place) => chime(on, place * 0.09, pitch)),
};

/** @param {string} name */
export function sound(name) {
  if (name === "dice") buzz([12, 30, 12]);
  if (!settings.sound || !(name in SOUNDS)) return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
  SOUNDS[name](audio);
}

// --- what happens on the sheet ---

/** A box was tapped. */
export function scored() {
  sound("score");
  buzz(20);
}

/**
 * @param {import("../core/live.js").Change} change
 */
export function shown({ old, fresh, news }) {
  remember();
  if (!news) return;
  const latest = one("td.latest", HTMLElement, fresh);
  // The sheet first.
  if (latest && placeOf(latest) !== placeOf(one("td.latest", HTMLElement, old))) afterPaint(() => fly(latest));
  const { celebrate, cheer: text } = fresh.dataset;
  if (celebrate) cheer(text ?? "");
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
  motion.finished.finally(() => points.remove());
}

/**
 * Something to be glad of owns the felt for a second.
 * @param {string} text
 */
function cheer(text) {
  const felt = one(one("#ending", HTMLElement) ? ".paper" : ".play", HTMLElement); // the end lies over the felt
  if (!felt) return;
  const shown = make("div", "cheer", [make("span", "", text)]);
  shown.setAttribute("aria-hidden", "true"); // what happened is announced anyway
  felt.append(shown);
  sound("cheer");
  buzz([30, 60, 30, 60, 60]);
  const frames = STILL.matches
    ? [{ opacity: 0 }, { opacity: 1, offset: 0.2 }, { opacity: 1, offset: 0.8 }, { opacity: 0 }]
    : [
        { opacity: 0, transform: "scale(.4)" }, { opacity: 1, transform: "scale(1.06)", offset: 0.2 },
        { opacity: 1, transform: "scale(1)", offset: 0.75 }, { opacity: 0, transform: "scale(1.15)" },
      ];
  shown.animate(frames, { duration: CHEER }).finished.finally(() => shown.remove());
}
