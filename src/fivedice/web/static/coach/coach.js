// The coach: the key H or a tap asks, a tap keeps the dice. And the odds under the sheet, fetched after the moves.
// Without this file the links lead to pages that say the same.

import { all, around, ask as fetchText, byId, one, parsed } from "../core/page.js";

const AGAIN = 700; // milliseconds until what is being worked out is asked for again
const LATER = 3000; // and after an answer that did not come
const QUIET = 250; // and until the odds are asked for: the moves of a bot come in a row
let asked = 0; // the newest question: an answer to an older one comes too late
let coachTimer = 0;
let oddsTimer = 0;
/** @type {string | null} */
let lastOdds = null;

/**
 * @param {string} address
 * @param {string} id of the part that is wanted
 */
const fetchPart = async (address, id) => one(`#${id}`, HTMLElement, parsed(await (await fetchText(address)).text()));

/**
 * @param {string} address
 * @param {boolean} [again]
 */
async function ask(address, again = false) {
  clearTimeout(coachTimer);
  const number = ++asked;
  const panel = await fetchPart(address, "coach-panel").catch(() => null); // no connection: the table says so
  const slot = byId("coach");
  if (number !== asked || !slot || !panel) return;
  slot.replaceChildren(panel);
  if (!again) {
    panel.focus({ preventScroll: true });
    bringIntoSight(panel);
  }
  if (panel.hasAttribute("data-wait")) coachTimer = setTimeout(() => ask(address, true), AGAIN);
}

/**
 * The dice may stay in sight while the page scrolls, so the panel begins below them.
 * @param {HTMLElement} panel
 */
function bringIntoSight(panel) {
  const play = one(".play", HTMLElement);
  if (!play) return;
  const top = panel.getBoundingClientRect().top;
  const hidden = play.getBoundingClientRect().bottom - top;
  if (hidden > 0) scrollBy(0, -hidden - 12);
  else if (top > innerHeight - 160 && getComputedStyle(play).position !== "sticky") panel.scrollIntoView();
}

function forget() {
  clearTimeout(coachTimer);
  asked += 1;
}

function close() {
  forget();
  byId("coach")?.replaceChildren();
  (byId("ask-coach") ?? byId("roll"))?.focus({ preventScroll: true });
}

/**
 * Keep just these dice; what happens next is still the player's to do.
 * @param {string} slots
 */
function hold(slots) {
  const wanted = new Set(slots.split(" "));
  for (const box of all("#table input[type=checkbox][name=hold]", HTMLInputElement)) box.checked = wanted.has(box.value);
  byId("roll")?.scrollIntoView({ block: "nearest" });
  byId("roll")?.focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  const link = around(event, "[data-coach]");
  const box = byId(around(event, "[data-box]")?.dataset.box);
  const held = around(event, "[data-hold]");
  if (link || box) event.preventDefault();
  if (link) ask(link.getAttribute("href") ?? "");
  else if (box) box.focus();
  else if (held) hold(held.dataset.hold ?? "");
  else if (around(event, "[data-close]")) close();
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && byId("coach-panel")) close();
});

async function fetchOdds() {
  const address = byId("odds")?.dataset.odds;
  if (!address) return;
  const fresh = await fetchPart(address, "odds").catch(() => null);
  if (!byId("odds")) return;
  if (!fresh) return wantOdds(LATER); // no connection, or no time just now
  lastOdds = fresh.innerHTML;
  byId("odds")?.replaceWith(fresh);
  if (fresh.hasAttribute("data-wait")) wantOdds(AGAIN);
}

/** @param {number} after */
function wantOdds(after) {
  clearTimeout(oddsTimer);
  oddsTimer = setTimeout(fetchOdds, after);
}

/**
 * A fresh table is there: keep what is still true, and ask for the rest.
 * @param {import("../core/live.js").Change} change
 */
function shown({ old, moved }) {
  const panel = one("#coach-panel", HTMLElement, old);
  if (moved) forget();
  else if (panel && !byId("coach-panel")) byId("coach")?.replaceChildren(panel);
  const odds = byId("odds");
  if (!odds) return;
  if (lastOdds) odds.innerHTML = lastOdds;
  wantOdds(QUIET);
}

document.addEventListener("fivedice:shown", (event) => { if (event instanceof CustomEvent) shown(event.detail); });

// A page that was asked for without us has what only we can do, hidden.
for (const element of all("#coach-panel [hidden]", HTMLElement)) element.hidden = false;
if (byId("odds")) wantOdds(0);
