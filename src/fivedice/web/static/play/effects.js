// Settings, what is felt, and what fetches joy.js, which a first roll does not need.

import { addStyle, all, around, one } from "../core/page.js";

const STORE = "fivedice:settings";

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
  for (const name of ["digits", "calm"]) document.body.classList.toggle(name, Boolean(settings[name]));
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
export function buzz(pattern) {
  if (settings.buzz && "vibrate" in navigator) navigator.vibrate(pattern);
}

// --- sound ---

const fetchJoy = () =>
  Promise.all([import("./joy.js"), addStyle("play/joy.css").catch(() => {})]).then(([joy]) => joy);

/** @param {string} name */
export function sound(name) {
  if (name === "dice" || name === "land") buzz([12, 30, 12]);
  if (settings.sound) fetchJoy().then(({ play }) => play(name), () => {});
}

/** A box was tapped. */
export function scored() {
  sound("score");
  buzz(20);
}

/**
 * A fresh table is there: what happens on it is shown by joy.js, which is fetched before the connection may be lost.
 * @param {import("../core/live.js").Change} change
 * @param {Promise<void>} rest
 */
export function shown(change, rest) {
  remember();
  const joy = fetchJoy();
  if (!change.news) return void joy.catch(() => {});
  endMoment();
  joy.then(({ shown: show }) => show(change, rest), () => {});
}

/** How to end what is celebrated. @type {{ stop?: () => void }} */
export const moment = {};

/** Whoever goes on has seen enough. */
export function endMoment() {
  moment.stop?.();
}
for (const name of ["pointerdown", "keydown"]) document.addEventListener(name, endMoment, { capture: true, passive: true });

/** @param {MessageEvent} event */
export function reaction(event) {
  if (!settings.calm) fetchJoy().then(({ react }) => react(event.data), () => {});
}
