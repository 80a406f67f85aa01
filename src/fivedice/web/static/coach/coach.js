// The coach: the key H or a tap asks, a drawer answers, a tap keeps the dice. What is meant is ringed on the table
// until somebody moves. And the odds below the dice, fetched after the moves. Without this file the links lead to
// pages that say the same.

import { all, announce, around, ask as fetchText, byId, make, one, parsed, say, whenStill } from "../core/page.js";

const AGAIN = 700; // milliseconds until what is being worked out is asked for again
const SLOW = 500; // milliseconds after which one wants to know why nothing happens
const LATER = 3000; // and after an answer that did not come
const QUIET = 250; // and until the odds are asked for: the moves of a bot come in a row
let asked = 0; // the newest question: an answer to an older one comes too late
let coachTimer = 0;
let oddsTimer = 0;
let oddsAsked = 0; // as above, for the odds
/** @type {string | null} */
let lastOdds = null;
/** @type {string[]} */
let advised = []; // the ids of what the coach means

/**
 * @param {string} address
 * @param {string} id of the part that is wanted
 */
async function fetchPart(address, id) {
  const html = await (await fetchText(address)).text();
  await whenStill();
  return one(`#${id}`, HTMLElement, parsed(html));
}

/**
 * @param {string} address
 * @param {boolean} [again]
 */
async function ask(address, again = false) {
  clearTimeout(coachTimer);
  const number = ++asked;
  const slow = setTimeout(() => { if (!again && number === asked) showWork(); }, SLOW);
  const panel = await fetchPart(address, "coach-panel").catch(() => null); // no connection: the table says so
  clearTimeout(slow);
  if (number !== asked) return;
  one("#coach > .working", HTMLElement)?.remove();
  if (!panel && again) coachTimer = setTimeout(() => ask(address, true), LATER);
  if (!panel) return;
  put(panel);
  if (!again) panel.focus({ preventScroll: true });
  if (panel.hasAttribute("data-wait")) coachTimer = setTimeout(() => ask(address, true), AGAIN);
}

/** Say that the coach was asked, while the answer lets one wait. */
function showWork() {
  byId("coach")?.replaceChildren(make("p", "drawer working", say("coach-works")));
  announce(say("coach-works"));
}

/**
 * Show what the coach says, above the dice, which are free to be touched.
 * @param {HTMLElement} panel
 */
function put(panel) {
  const why = byId("coach-why");
  if (why instanceof HTMLDetailsElement && why.open) one("#coach-why", HTMLElement, panel)?.setAttribute("open", "");
  byId("coach")?.replaceChildren(panel);
  advised = (panel.dataset.advised ?? "").split(" ").filter(Boolean);
  ring();
}

/** Mark the dice or the box that the coach means. */
function ring() {
  for (const element of all(".advised", HTMLElement)) element.classList.remove("advised");
  for (const found of advised.map(byId)) {
    found?.classList.add("advised");
    found?.closest(".die-slot")?.classList.add("advised");
  }
}

function forget() {
  clearTimeout(coachTimer);
  asked += 1;
}

/** @param {HTMLElement | null} next where to go on */
function close(next = byId("ask-coach") ?? byId("roll")) {
  forget();
  byId("coach")?.replaceChildren();
  next?.focus({ preventScroll: true });
}

/**
 * Keep just these dice, as taps would; what happens next is still the player's to do.
 * @param {string} slots
 */
function hold(slots) {
  const wanted = new Set(slots.split(" "));
  for (const box of all("#table input[type=checkbox][name=hold]", HTMLInputElement))
    if (box.checked !== wanted.has(box.value)) box.click();
  advised = []; // what is kept is marked as such
  ring();
  close(byId("roll"));
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.hasAttribute("data-coach-form")) return;
  event.preventDefault();
  ask(`${form.action}?aim=${encodeURIComponent(String(new FormData(form).get("aim")))}`);
});

document.addEventListener("click", (event) => {
  const link = around(event, "[data-coach]");
  const box = byId(around(event, "[data-box]")?.dataset.box);
  const held = around(event, "[data-hold]");
  if (link || box) event.preventDefault();
  if (link) ask(link.getAttribute("href") ?? "");
  else if (box) close(box);
  else if (held) hold(held.dataset.hold ?? "");
  else if (around(event, "#coach [data-close]")) close();
});

/** Whether the drawer lies over the sheet, so that a tap beside it could meet a box that nobody aimed at. */
function overSheet() {
  const [panel, sheet] = ["#coach-panel", ".paper"].map((selector) =>
    one(selector, HTMLElement)?.getBoundingClientRect(),
  );
  return panel && sheet && panel.left < sheet.right && panel.top < sheet.bottom && panel.bottom > sheet.top;
}

document.addEventListener("click", (event) => {
  if (!around(event, ".paper, .bar") || !overSheet()) return;
  event.preventDefault();
  event.stopPropagation();
  close();
}, true);

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !event.defaultPrevented && byId("coach-panel")) close();
});

// Folded up by its handle, it is done with.
document.addEventListener("toggle", (event) => {
  if (event.target instanceof HTMLDetailsElement && event.target.id === "coach-panel" && !event.target.open) close();
}, true);

async function fetchOdds() {
  const address = byId("odds")?.dataset.odds;
  if (!address) return;
  const number = oddsAsked;
  const fresh = await fetchPart(address, "odds").catch(() => null);
  if (number !== oddsAsked || !byId("odds")) return;
  if (!fresh) return wantOdds(LATER); // no connection, or no time just now
  lastOdds = fresh.innerHTML;
  byId("odds")?.replaceWith(fresh);
  if (fresh.hasAttribute("data-wait")) wantOdds(AGAIN);
}

/** @param {number} after */
function wantOdds(after) {
  clearTimeout(oddsTimer);
  oddsAsked += 1;
  oddsTimer = setTimeout(fetchOdds, after);
}

/**
 * A fresh table is there: keep what is still true, and ask for the rest.
 * @param {import("../core/live.js").Change} change
 */
function shown({ old, moved }) {
  const panel = one("#coach-panel", HTMLElement, old);
  if (moved) {
    forget();
    advised = [];
  } else if (panel && !byId("coach-panel")) put(panel);
  else ring();
  announce(one("[data-say]", HTMLElement)?.textContent ?? "");
  const odds = byId("odds");
  if (!odds) return;
  if (lastOdds) odds.innerHTML = lastOdds;
  wantOdds(QUIET);
}

document.addEventListener("fivedice:shown", (event) => { if (event instanceof CustomEvent) shown(event.detail); });

// A page that was asked for without us has what only we can do, hidden.
for (const element of all("#coach-panel [hidden]", HTMLElement)) element.hidden = false;
const first = byId("coach-panel");
if (first) {
  put(first);
  first.focus({ preventScroll: true });
}
if (byId("odds")) wantOdds(0);
