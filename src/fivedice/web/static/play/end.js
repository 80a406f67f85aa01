// The end of a game: luck and skill are fetched when they are known, and whoever said yes goes on to the next game.

import { around, ask, byId, one, parsed, whenStill } from "../core/page.js";
import { pause } from "../core/live.js";

/** @typedef {import("../core/live.js").Change} Change */

const QUICKER = 2; // the first looks come sooner than after a failure
const SETTLE = 350; // milliseconds in which a second press is taken for the tail of a double click
let tries = 0;
let timer = 0;

/** Fetch what is still waited for, ever more rarely, while someone looks. The server says when nothing will come. */
async function fetchFacts() {
  clearTimeout(timer);
  const address = byId("end-facts")?.dataset.wait;
  if (!address || document.hidden) return;
  tries += 1;
  const text = await ask(address).then((answer) => (answer.ok ? answer.text() : "")).catch(() => "");
  await whenStill();
  const fresh = one("#end-facts", HTMLElement, parsed(text));
  if (fresh) byId("end-facts")?.replaceWith(fresh);
  if (!fresh || fresh.dataset.wait) timer = setTimeout(fetchFacts, pause(tries - QUICKER));
}

/**
 * What is known of this game is known of the fresh part too, and a sheet that was pushed away stays away, until there
 * is something new to answer.
 * @param {Change} change
 */
function keep({ old, fresh }) {
  const known = one("#end-facts:not([data-wait])", HTMLElement, old);
  if (known && old.dataset.keeps === fresh.dataset.keeps) one("#end-facts", HTMLElement, fresh)?.replaceWith(known);
  const [before, after] = [old, fresh].map((table) => one("#ending", HTMLDetailsElement, table));
  if (!before || !after || before.open) return;
  after.open =
    one("#again-said", HTMLElement, after)?.textContent !== one("#again-said", HTMLElement, before)?.textContent;
}

/**
 * The button stays where it was and means something else now.
 * @param {Change} change
 */
function settle({ old, fresh }) {
  const [before, after] = [old, fresh].map((table) => one("button#again", HTMLButtonElement, table));
  if (!before || !after || after.ariaDisabled || before.textContent === after.textContent) return;
  after.ariaDisabled = "true";
  setTimeout(() => { after.ariaDisabled = null; }, SETTLE);
}

/** @param {Change} change */
export function shown(change) {
  const { old, fresh } = change;
  if (fresh.dataset.next && !old.dataset.next) return location.assign(fresh.dataset.next);
  keep(change);
  settle(change);
  if (old.dataset.keeps !== fresh.dataset.keeps) tries = 0;
  fetchFacts();
}

document.addEventListener("click", (event) => {
  const way = around(event, "#share");
  if (!way || typeof navigator.share !== "function") return; // the link leads to the picture, which can be saved
  event.preventDefault();
  const { link, text } = way.dataset;
  navigator.share({ title: "Fivedice", text, url: link }).catch(() => {});
});

document.addEventListener("visibilitychange", fetchFacts);
fetchFacts();
