// The coach: the key H or a tap asks, a tap holds the dice. And the chances under the sheet, fetched after the moves.
// Without this file the links lead to pages that say the same.

const HEADER = { "Fivedice-Fragment": "1" };
const AGAIN = 700; // milliseconds until what is being worked out is asked for again
const LATER = 3000; // and after an answer that did not come
const QUIET = 250; // and until the chances are asked for: the moves of a bot come in a row
const byId = (id) => document.getElementById(id);
let asked = 0; // the newest question: an answer to an older one comes too late
let coachTimer = 0;
let oddsTimer = 0;
let lastOdds = null;

async function fetchPart(address) {
  const answer = await fetch(address, { headers: HEADER, credentials: "same-origin", cache: "no-store" });
  const holder = document.createElement("template");
  holder.innerHTML = (await answer.text()).trim();
  return holder.content;
}

async function ask(address, again = false) {
  clearTimeout(coachTimer);
  const number = ++asked;
  let panel;
  try {
    panel = (await fetchPart(address)).getElementById("coach-panel");
  } catch {
    return; // no connection: the table says so
  }
  const slot = byId("coach");
  if (number !== asked || !slot || !panel) return;
  slot.replaceChildren(panel);
  if (!again) panel.focus({ preventScroll: true });
  if (!again) bringIntoSight(panel);
  if (panel.hasAttribute("data-wait")) coachTimer = setTimeout(() => ask(address, true), AGAIN);
}

// The dice may stay in sight while the page scrolls, so the panel begins below them.
function bringIntoSight(panel) {
  const play = document.querySelector(".play");
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

// Hold just these dice; what happens next is still the player's to do.
function hold(slots) {
  const wanted = new Set(slots.split(" "));
  for (const box of document.querySelectorAll("#table input[type=checkbox][name=hold]")) box.checked = wanted.has(box.value);
  byId("roll")?.scrollIntoView({ block: "nearest" });
  byId("roll")?.focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  const on = (what) => event.target.closest(what);
  const link = on("[data-coach]");
  const box = on("[data-box]") && byId(on("[data-box]").dataset.box);
  if (link || box) event.preventDefault();
  if (link) ask(link.getAttribute("href"));
  else if (box) box.focus();
  else if (on("[data-hold]")) hold(on("[data-hold]").dataset.hold);
  else if (on("[data-close]")) close();
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && byId("coach-panel")) close();
});

async function fetchOdds() {
  const address = byId("odds")?.dataset.odds;
  if (!address) return;
  const fresh = await fetchPart(address).then((part) => part.getElementById("odds"), () => null);
  if (!byId("odds")) return;
  if (!fresh) return wantOdds(LATER); // no connection, or no time just now
  lastOdds = fresh.innerHTML;
  byId("odds").replaceWith(fresh);
  if (fresh.hasAttribute("data-wait")) wantOdds(AGAIN);
}

function wantOdds(after) {
  clearTimeout(oddsTimer);
  oddsTimer = setTimeout(fetchOdds, after);
}

// A new table fragment has come: keep what is still true, and ask for the rest.
document.addEventListener("fivedice:table", (event) => {
  const { old, moved } = event.detail;
  const panel = old.querySelector("#coach-panel");
  if (moved) forget();
  else if (panel && !byId("coach-panel")) byId("coach")?.replaceChildren(panel);
  const odds = byId("odds");
  if (!odds) return;
  if (lastOdds) odds.innerHTML = lastOdds;
  wantOdds(QUIET);
});

// A page that was asked for without us has what only we can do, hidden.
for (const part of document.querySelectorAll("#coach-panel [hidden]")) part.hidden = false;
if (byId("odds")) wantOdds(0);
