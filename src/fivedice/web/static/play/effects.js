// What is felt, and what flies over the sheet. What is heard and celebrated is in joy.js, which a first roll does not need.

import { all, around, make, one } from "../core/page.js";

const STORE = "fivedice:settings";
const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const LONG = 2000; // milliseconds of a great moment,
const SHORT = 1300; // and of a smaller one
const LOOKED_AT = 1200; // milliseconds that the dice of others stay with the box they scored
const GLOW = [{ filter: "none" }, { filter: "brightness(1.25) saturate(3)", scale: "1.04", offset: 0.15 }, { filter: "none" }];

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

const fetchJoy = () => import("./joy.js");

/** @param {string} name */
export function sound(name) {
  if (name === "dice" || name === "land") buzz([12, 30, 12]);
  if (settings.sound) fetchJoy().then(({ play }) => play(name), () => {});
}

// --- what happens on the sheet ---

/** A box was tapped. */
export function scored() {
  sound("score");
  buzz(20);
}

/**
 * A fresh table is there. What is worth a moment has it as soon as the dice lie; the result and the flying points wait.
 * @param {import("../core/live.js").Change} change
 * @param {Promise<void>} rest
 */
export function shown({ old, fresh, news }, rest) {
  remember();
  if (!news) return;
  const joy = fetchJoy(); // before the connection may be lost
  endMoment();
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
    joy.then(({ cheer }) => cheer(text ?? "", how, after), after);
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
