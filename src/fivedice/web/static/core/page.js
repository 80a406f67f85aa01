// Small things that every script needs of its page.

/**
 * The first element that fits and is of this kind.
 * @template {Element} T
 * @param {string} selector
 * @param {new () => T} kind
 * @param {ParentNode} [root]
 * @returns {T | null}
 */
export function one(selector, kind, root = document) {
  const found = root.querySelector(selector);
  return found instanceof kind ? found : null;
}

/**
 * All elements that fit and are of this kind.
 * @template {Element} T
 * @param {string} selector
 * @param {new () => T} kind
 * @param {ParentNode} [root]
 * @returns {T[]}
 */
export const all = (selector, kind, root = document) =>
  [...root.querySelectorAll(selector)].flatMap((found) => (found instanceof kind ? [found] : []));

/** @param {string | null | undefined} id */
export const byId = (id) => (id ? document.getElementById(id) : null);

/**
 * What an event happened in: the nearest element around it that fits.
 * @param {Event} event
 * @param {string} selector
 */
export function around(event, selector) {
  const found = event.target instanceof Element ? event.target.closest(selector) : null;
  return found instanceof HTMLElement ? found : null;
}

/**
 * @param {string} tag
 * @param {string} [className]
 * @param {string | (string | Node)[]} [content]
 * @param {Record<string, string>} [attributes]
 */
export function make(tag, className = "", content = [], attributes = {}) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...[content].flat());
  return element;
}

/**
 * @param {string} className
 * @param {string} text
 * @param {() => void} action
 * @param {Record<string, string>} [attributes]
 */
export function button(className, text, action, attributes = {}) {
  const element = make("button", className, text, { type: "button", ...attributes });
  element.addEventListener("click", action);
  return element;
}

/**
 * Say something to those who listen. Emptied first, so that the same words said twice are heard twice.
 * @param {string | undefined} text
 */
export function announce(text) {
  const live = byId("live");
  if (!live || !text) return;
  live.textContent = "";
  requestAnimationFrame(() => { live.textContent = text; });
}

/** Many players are wider than a phone: bring the column on turn into sight, without moving the page. */
export function showColumn() {
  const sheet = one(".sheet-scroll", HTMLElement);
  const column = sheet && one("thead .on-turn", HTMLElement, sheet);
  const fixed = (sheet && one("thead th", HTMLElement, sheet)?.offsetWidth) ?? 0;
  if (sheet && column && sheet.scrollWidth > sheet.clientWidth) sheet.scrollLeft = column.offsetLeft - fixed - 8;
}

/**
 * Whether a key was meant for the page, and not for a field or for the browser.
 * @param {KeyboardEvent} event
 */
export function isForPage(event) {
  return !(
    event.ctrlKey || event.metaKey || event.altKey || around(event, "input:not([type=checkbox]), textarea, select")
  );
}

const LONGEST_PRESS = 10_000; // milliseconds: a button that is let go outside the window may say nothing
const CLICK_DELAY = 500; // milliseconds: the click of a finger that is lifted comes later, on a busy phone much later
let isPressed = false;
let pressTimer = 0;
/** @type {(() => void)[]} */
let patient = [];

/** @param {number} delay in milliseconds, unless something else happens before */
function releaseIn(delay) {
  clearTimeout(pressTimer);
  pressTimer = setTimeout(() => {
    isPressed = false;
    for (const go of patient.splice(0)) go();
  }, delay);
}

addEventListener("pointerdown", ({ button: which }) => {
  if (which) return; // it opens a menu, and no click follows
  isPressed = true;
  releaseIn(LONGEST_PRESS);
}, { capture: true, passive: true });
addEventListener("pointerup", () => releaseIn(CLICK_DELAY), { capture: true, passive: true });
addEventListener("pointercancel", () => releaseIn(0), { capture: true, passive: true });
addEventListener("pointermove", ({ pointerType, buttons }) => { // a scroll bar does not say that it is let go
  if (isPressed && pointerType === "mouse" && !buttons) releaseIn(0);
}, { passive: true });
// What a click leads to by itself comes after all who hear of it: a form that is replaced before is not submitted.
addEventListener("click", () => { if (isPressed) releaseIn(0); }, { capture: true });

/**
 * Wait until no finger is on its way: what is replaced between its coming down and its click never hears of it.
 * @returns {Promise<void>}
 */
export const whenStill = () =>
  new Promise((done) => { if (isPressed) patient.push(done); else done(); });

const FRAGMENT = { "Fivedice-Fragment": "1" }; // asks for the changing part of a page alone
const PATIENCE = 30_000; // milliseconds: a phone in a dead spot may never hear that its request is lost

/**
 * Ask the server; no answer in time is an error.
 * @param {string} address
 * @param {RequestInit} [options]
 */
export const ask = (address, options = {}) =>
  fetch(address, {
    credentials: "same-origin", cache: "no-store", headers: FRAGMENT, signal: AbortSignal.timeout(PATIENCE),
    ...options,
  });

/** @param {Response} answer */
export const isUnwell = (answer) => answer.status >= 500 || answer.status === 429;

/** @param {string} html */
export function parsed(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html.trim();
  return holder.content;
}

/**
 * Import a script. One whose answer broke off in its headers counts as empty, and stays so at its address: then it is
 * imported from another.
 * @template {object} T
 * @param {() => Promise<T>} load
 * @param {() => Promise<T>} again
 */
export async function importWhole(load, again) {
  const found = await load();
  return Object.keys(found).length ? found : again();
}

/**
 * Add a style that only some visits need, once, and wait until it has come. Where it cannot be had, the next call tries
 * again.
 * @param {string} name below the folder of all scripts and styles
 * @param {string} [media]
 */
export async function addStyle(name, media = "all") {
  const { href } = new URL(`../${name}`, import.meta.url);
  if (one(`link[href="${href}"]`, HTMLLinkElement)) return;
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href, media });
  await new Promise((done, failed) => {
    link.addEventListener("load", done);
    link.addEventListener("error", () => { link.remove(); failed(new Error("no style")); });
    document.head.append(link);
  });
}

// --- sentences: the server sends them with the page, in its language (text/page_scripts.toml) ---

/** @typedef {string | Partial<Record<string, string>>} Words */

/** @type {Record<string, Words> | undefined} */
let table;

/**
 * The sentence of this name, filled in. One with several forms is chosen by `count`.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export const say = (key, values = {}) => parts(key, values).join("");

/**
 * The same in pieces, so that a value may be an element.
 * @template {string | number | Node} T
 * @param {string} key
 * @param {Record<string, T>} values
 */
export function parts(key, values) {
  table ??= /** @type {Record<string, Words>} */ (JSON.parse(document.getElementById("words")?.textContent ?? "{}"));
  return pieces(table[key] ?? key, values);
}

/**
 * Words that did not come with the page, filled in.
 * @param {Words} words
 * @param {Record<string, string | number>} [values]
 */
export const filled = (words, values = {}) => pieces(words, values).join("");

/** @param {number} points */
export const formatSigned = (points) => (points < 0 ? `−${-points}` : `+${points}`);

/** With one decimal, as the language writes it. @param {number} number */
export const formatDecimal = (number) =>
  number.toLocaleString(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/**
 * Join items as people say a list: "Ann, Ben and Cleo".
 * @param {string[]} items
 */
export function joinList(items) {
  return new Intl.ListFormat(document.documentElement.lang, { type: "conjunction" }).format(items);
}

/**
 * @template {string | number | Node} T
 * @param {Words} words
 * @param {Record<string, T>} values
 * @returns {(string | T)[]}
 */
function pieces(words, values) {
  const found = form(words, Number(values.count)).split(/\{(\w+)\}/);
  return found.map((piece, place) => (place % 2 ? values[piece] ?? `{${piece}}` : piece));
}

/**
 * @param {Words} words
 * @param {number} count
 */
function form(words, count) {
  if (typeof words === "string") return words;
  const name = new Intl.PluralRules(document.documentElement.lang).select(count);
  return words[name] ?? words.other ?? "";
}
