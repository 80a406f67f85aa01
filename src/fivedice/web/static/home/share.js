// A link on its way to a friend: by what the phone shares with, or by the clipboard. Without this file the link can be
// selected, and the code scanned; the buttons stay hidden then.

import { all, announce, around, byId } from "../core/page.js";

const SHOWN = 2000; // milliseconds that a button says what it has done

/** @param {string | undefined} id */
function field(id) {
  const found = byId(id);
  return found instanceof HTMLInputElement ? found : null;
}

/**
 * Pages that did not come securely have no clipboard, but what is selected can be copied there too.
 * @param {HTMLInputElement} link
 */
async function copied(link) {
  try {
    await navigator.clipboard.writeText(link.value);
    return true;
  } catch {
    link.select();
    return document.execCommand("copy");
  }
}

/** @param {HTMLElement} button */
async function copy(button) {
  const link = field(button.dataset.copy);
  if (!link || !(await copied(link))) return;
  const { done = "" } = button.dataset;
  const before = button.textContent;
  announce(done);
  if (before === done) return;
  button.textContent = done;
  setTimeout(() => { button.textContent = before; }, SHOWN);
}

/** @param {HTMLElement} button */
async function share(button) {
  const link = field(button.dataset.share);
  const { title, text } = button.dataset;
  // Whoever thinks better of it closes the sheet, which is no mistake.
  if (link) await navigator.share({ title, text, url: link.value }).catch(() => {});
}

function offer() {
  const can = typeof navigator.share === "function";
  for (const button of all("[data-copy], [data-share]", HTMLButtonElement))
    button.hidden = Boolean(button.dataset.share) && !can;
}

document.addEventListener("click", (event) => {
  const button = around(event, "[data-copy], [data-share]");
  if (button) (button.dataset.share ? share : copy)(button);
});
document.addEventListener("fivedice:shown", offer);
offer();
