// A table whose dice the server throws: keys, the double click, the columns of others, and what is loaded for it.

import { addStyle, all, around, ask, byId, isForPage, one } from "../core/page.js";
import { fetchPart, part, start } from "../core/live.js";
import { answered, closeRanks, glide, land, lift, settle as lower, whenAtRest } from "./dice.js";
import { endMoment, reaction, remember, scored, shown as showEffects, sound } from "./effects.js";
import * as holds from "./holds.js";
import "../fairness/luck.js";
import { keep as keepReceipt } from "../fairness/receipt.js";

const SETTLE = 350; // milliseconds in which a second press of Roll is taken for the tail of a double click
const SWIPE = 50; // pixels
const LATER = 20_000; // milliseconds: until then no one needs to know of other games that wait

/** The answer is often quicker than the second half of a double click. */
function settle() {
  const roll = byId("roll");
  roll?.setAttribute("aria-disabled", "true");
  setTimeout(() => roll?.removeAttribute("aria-disabled"), SETTLE);
}

// --- keys ---

/** @param {string} id */
const press = (id) => click(byId(id));

/** @param {HTMLElement | null} found */
function click(found) {
  found?.click();
  return Boolean(found);
}

/** @param {number} step */
function moveInSheet(step) {
  const boxes = all("button.box", HTMLButtonElement);
  const at = boxes.findIndex((box) => box === document.activeElement);
  const next = at < 0 ? (step > 0 ? 0 : boxes.length - 1) : (at + step + boxes.length) % boxes.length;
  boxes[next]?.focus();
  return boxes.length > 0;
}

function closeDrawer() {
  const open = one(".more[open]", HTMLDetailsElement) ?? all(".drawer[open]", HTMLDetailsElement).at(-1);
  if (!open) return false;
  const cancel = one("[data-cancel]:not([data-coach])", HTMLElement, open);
  if (cancel) cancel.click();
  else open.open = false;
  return true;
}

/** @type {Record<string, () => boolean>} */
const KEYS = {
  r: () => press("roll"),
  u: () => press("undo"),
  h: () => press("ask-coach"),
  ArrowDown: () => moveInSheet(1),
  ArrowUp: () => moveInSheet(-1),
  Escape: closeDrawer,
  "?": () => click(one('a[rel="help"]', HTMLElement)),
};

/**
 * Whether Space belongs to the dice: everywhere but in what lies over the table. It never scores.
 * @param {Event} event
 */
const spaceRolls = (event) => Boolean(byId("roll-form")) && !around(event, ".drawer, .more, #seating");

/** @param {KeyboardEvent} event */
function act(event) {
  const { key } = event;
  if (/^[1-9]$/.test(key)) return press(`die-${Number(key) - 1}`);
  if (key === " ") return spaceRolls(event) && (press("roll"), true);
  // Enter on a die would send the form, which is what Roll is for.
  if (key === "Enter" && around(event, "input[name=hold]")) return press(around(event, "input[name=hold]")?.id ?? "");
  return Boolean((KEYS[key] ?? KEYS[key.toLowerCase()])?.());
}

document.addEventListener("keydown", (event) => {
  if (!isForPage(event) || (event.repeat && !event.key.startsWith("Arrow"))) return;
  if (act(event)) event.preventDefault();
});
// Some browsers press what has the focus when Space comes up.
document.addEventListener("keyup", (event) => {
  if (event.key === " " && isForPage(event) && spaceRolls(event)) event.preventDefault();
});

// --- the columns of others, where not all have room ---

/** @type {number | null} */
let seen = null;

/** @param {number | null} seat */
function see(seat) {
  seen = seat;
  for (const cell of all(".scores [data-seat]", HTMLElement))
    cell.classList.toggle("seen", Number(cell.dataset.seat) === seat);
  for (const chip of all("[data-see]", HTMLElement))
    chip.toggleAttribute("aria-current", Number(chip.dataset.see) === seat);
}

/** @param {number} step */
function seeNext(step) {
  const others = all("[data-see]", HTMLElement).map((chip) => Number(chip.dataset.see));
  if (!others.length) return;
  const at = seen === null ? (step > 0 ? -1 : others.length) : others.indexOf(seen);
  see(others[(at + step + others.length) % others.length]);
}

document.addEventListener("click", (event) => {
  const chip = around(event, "[data-see]");
  if (chip) {
    event.preventDefault();
    see(Number(chip.dataset.see) === seen ? null : Number(chip.dataset.see));
  } else if (!around(event, ".more")) one(".more[open]", HTMLDetailsElement)?.removeAttribute("open");
});

let touched = 0;
document.addEventListener(
  "touchstart",
  (event) => {
    touched = around(event, ".scores") ? event.touches[0].clientX : NaN;
  },
  { passive: true },
);
document.addEventListener("touchend", (event) => {
  const by = event.changedTouches[0].clientX - touched;
  if (Math.abs(by) > SWIPE) seeNext(by < 0 ? 1 : -1);
}, { passive: true });

/** Bring the seat on turn into sight among many. */
function showTurn() {
  const chip = one(".chip.on-turn:not(.main)", HTMLElement); // the own one is always in sight
  const row = chip?.parentElement;
  if (chip && row && row.scrollWidth > row.clientWidth) row.scrollLeft = chip.offsetLeft - row.offsetLeft - 8;
}

// --- the game ---

/** What a first roll does not need is fetched when it is wanted. Without a connection the next look tries again. */
function fetchCoach() {
  if (one(".box", HTMLElement)) import("./explain.js").catch(() => {});
  const isRolled = one("#ask-coach", HTMLElement) && one(".dice [data-face]", HTMLElement); // before, there is no hint
  if (!isRolled && !one("#odds, #coach-panel, #around[open]", HTMLElement)) return;
  addStyle("coach/coach.css").catch(() => {});
  import("../coach/coach.js").catch(() => {});
}

/** @param {import("../core/live.js").Change} [change] */
function fetchEnd(change) {
  if (!byId("ending")) return;
  addStyle("play/end.css").catch(() => {});
  import("./end.js").then((end) => { if (change) end.shown(change); }).catch(() => {});
}

const fetchShare = () => { if (one(".seated [data-copy], #around[open] [data-copy]", HTMLElement)) import("../home/share.js").catch(() => {}); };

document.addEventListener("toggle", () => { fetchShare(); fetchCoach(); }, true); // the menu was opened

/**
 * Tell the server something that is no move, and need not arrive.
 * @param {string} action
 * @param {Record<string, string>} [fields]
 */
function tell(action, fields) {
  const address = new URL(action, new URL(part().dataset.live ?? "", location.href)).href;
  ask(address, { method: "POST", body: new URLSearchParams(fields) }).catch(() => {});
}

document.addEventListener("click", (event) => {
  const box = around(event, ".scores .name a");
  if (box instanceof HTMLAnchorElement) {
    event.preventDefault();
    fetchPart(box.href).catch(() => {});
  }
  const picture = around(event, "[data-react]")?.dataset.react;
  if (picture) {
    tell("react", { picture });
    one(".more[open]", HTMLDetailsElement)?.removeAttribute("open");
  } else if (around(event, "[data-hurry]") || (one("[data-hurry]", HTMLElement) && around(event, ".play") && !around(event, "button, a, summary")))
    tell("hurry"); // a tap hurries a bot
});

document.addEventListener("change", (event) => { if (around(event, "input[name=hold]")) glide(); });

start({
  pressed: (_, submitter) => {
    document.body.classList.toggle("rolling", submitter?.id === "roll");
    endMoment();
    holds.stop();
    if (submitter?.id === "roll") lift();
    else if (submitter?.classList.contains("box")) scored();
  },
  shown: (change) => {
    document.body.classList.remove("rolling");
    land(change);
    showEffects(change, whenAtRest());
    see(seen);
    showTurn();
    fetchCoach();
    holds.shown();
    closeRanks();
    fetchEnd(change);
    keepReceipt();
  },
  heard: { ...holds.heard, reaction },
  failed: () => { document.body.classList.remove("rolling"); lower(); },
  slow: (slow) => document.body.classList.toggle("waits", slow),
  sent: (_, submitter) => { if (submitter?.id === "roll") { answered(); settle(); } },
});
remember();
showTurn();
fetchCoach();
fetchEnd();
fetchShare();
glide();
sound("ready");
const countTurns = () => import("../devices/turns.js").catch(() => {});
document.addEventListener("visibilitychange", countTurns, { once: true });
setTimeout(countTurns, LATER);
