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
export const all = (selector, kind, root = document) => [...root.querySelectorAll(selector)].flatMap((found) => (found instanceof kind ? [found] : []));

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
 */
export function make(tag, className = "", content = []) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...[content].flat());
  return element;
}

/**
 * @param {string} className
 * @param {string} text
 * @param {() => void} action
 */
export function button(className, text, action) {
  const element = document.createElement("button");
  element.type = "button";
  element.className = className;
  element.textContent = text;
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
 * In the frame after the next one: what is there by now is painted first.
 * @param {() => void} work
 */
export function afterPaint(work) {
  requestAnimationFrame(() => requestAnimationFrame(work));
}

/**
 * Whether a key was meant for the page, and not for a field or for the browser.
 * @param {KeyboardEvent} event
 */
export function isForPage(event) {
  return !(event.ctrlKey || event.metaKey || event.altKey || around(event, "input:not([type=checkbox]), textarea, select"));
}

const FRAGMENT = { "Fivedice-Fragment": "1" }; // asks for the changing part of a page alone
const PATIENCE = 30_000; // milliseconds: a phone in a dead spot may never hear that its request is lost

/**
 * Ask the server; no answer in time is an error.
 * @param {string} address
 * @param {RequestInit} [options]
 */
export const ask = (address, options = {}) => fetch(address, { credentials: "same-origin", cache: "no-store", headers: FRAGMENT, signal: AbortSignal.timeout(PATIENCE), ...options });

/** @param {Response} answer */
export const isUnwell = (answer) => answer.status >= 500 || answer.status === 429;

/** @param {string} html */
export function parsed(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html.trim();
  return holder.content;
}
