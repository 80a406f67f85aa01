// A link on its way to a friend: by what the phone shares with, or by the clipboard. Without this file the link can be
// selected, and the code scanned; the buttons stay hidden then.

import { all, announce, around, byId } from "../core/page.js";

const SHOWN = 2000; // milliseconds that a button says what it has done

/** @param {string | undefined} id */
function field(id) {
  const found = byId(id);
  return found instanceof HTMLInputElement || found instanceof HTMLTextAreaElement ? found : null;
}

/**
 * Pages that did not come securely have no clipboard, but what is selected can be copied there too.
 * @param {HTMLInputElement | HTMLTextAreaElement} link
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

/**
 * Return the picture as the page shows it, with the letters of this device; nothing if there is none to share.
 * @param {string | undefined} id
 */
async function pictured(id) {
  const image = byId(id);
  if (!(image instanceof HTMLImageElement)) return {};
  const [wide, high] = [image.naturalWidth, image.naturalHeight]; // not as small as a phone shows it
  const canvas = new OffscreenCanvas(wide, high);
  canvas.getContext("2d")?.drawImage(image, 0, 0, wide, high);
  const files = [new File([await canvas.convertToBlob()], "fivedice.png", { type: "image/png" })];
  return navigator.canShare?.({ files }) ? { files } : {};
}

/** @param {HTMLElement} button */
async function share(button) {
  const link = field(button.dataset.share);
  const { title, text, picture } = button.dataset;
  if (!link) return;
  const files = await pictured(picture).catch(() => ({}));
  // Whoever thinks better of it closes the sheet, which is no mistake.
  await navigator.share({ title, text, url: link.value, ...files }).catch(() => {});
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
// A name counts without its button: the friend may join while it is being typed.
document.addEventListener("change", (event) => around(event, "#own-name")?.closest("form")?.requestSubmit());
document.addEventListener("fivedice:shown", offer);
offer();
