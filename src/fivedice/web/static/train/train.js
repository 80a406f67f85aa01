// A decision: a tapped box is chosen first and scored by the large button, because an answer cannot be taken back.
// Without this file a tapped box is the answer.

import { all, announce, around, one } from "../core/page.js";

const roll = one("#roll", HTMLButtonElement);
const says = roll && one("[data-says]", HTMLElement, roll);
const before = says?.textContent ?? "";
const scoreless = roll?.disabled ?? true;
/** @type {HTMLButtonElement | null} */
let chosen = null;

/** @param {HTMLButtonElement | null} box */
function choose(box) {
  chosen?.classList.remove("chosen");
  chosen?.removeAttribute("aria-pressed");
  chosen = box;
  if (!roll || !says) return;
  box?.classList.add("chosen");
  box?.setAttribute("aria-pressed", "true");
  roll.disabled = scoreless && !box;
  says.textContent = box?.ariaLabel ?? before;
  if (box) {
    for (const die of all("input[name=hold]", HTMLInputElement)) die.checked = false;
    announce(box.ariaLabel ?? "");
  }
}

/** Send the form once: a second tap of the same button must not answer the next decision. */
let sent = false;
document.addEventListener("submit", (event) => {
  if (sent) event.preventDefault();
  sent = true;
});
window.addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload(); // from the back button: what is stored may be shown now
});

document.addEventListener("click", (event) => {
  const box = around(event, "#score-form .box");
  if (box instanceof HTMLButtonElement && box !== chosen) {
    event.preventDefault();
    choose(box);
  } else if (chosen && around(event, "#roll")) {
    event.preventDefault();
    one("#score-form", HTMLFormElement)?.requestSubmit(chosen);
  }
});
document.addEventListener("change", (event) => {
  if (around(event, ".die-slot")) choose(null);
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const die = /^[1-8]$/.test(event.key) ? one(`#die-${Number(event.key) - 1}`, HTMLInputElement) : null;
  if (die) die.click();
  else if (event.key === "r") roll?.click();
  else if (event.key === "n") one("#next", HTMLElement)?.click();
  else if (event.key === "h") one("#hint", HTMLButtonElement)?.click();
});
one(".verdict", HTMLElement)?.focus({ preventScroll: true });
