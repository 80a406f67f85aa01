// Small things that every part of the pad needs of its page.

export const byId = (id) => document.getElementById(id);

export function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

export function button(className, text, action) {
  const element = make("button", className, text);
  element.type = "button";
  element.addEventListener("click", action);
  return element;
}

// Emptied first, so that the same words said twice are heard twice.
export function announce(text) {
  const live = byId("live");
  if (!live || !text) return;
  live.textContent = "";
  requestAnimationFrame(() => { live.textContent = text; });
}

// Many players are wider than a phone: bring the column on turn into sight, without moving the page.
export function showColumn() {
  const sheet = document.querySelector(".sheet-scroll");
  const column = sheet?.querySelector("thead .on-turn");
  const fixed = sheet?.querySelector("thead th")?.offsetWidth ?? 0;
  if (column && sheet.scrollWidth > sheet.clientWidth) sheet.scrollLeft = column.offsetLeft - fixed - 8;
}
