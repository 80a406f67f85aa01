// The live part of a table: forms are sent in the background, and every other screen's move is fetched as it comes.
// Without this file the page still works: forms post and the answer is a page.

import { listen } from "../core/live.js";

const HEADER = { "Fivedice-Fragment": "1" };
const GAME_EVENTS = ["Rolled", "Scored", "Undone", "Started"];
const SETTLE = 350; // milliseconds in which a second press of Roll is taken for the tail of a double click
const table = () => document.getElementById("table");
const byId = (id) => (id ? document.getElementById(id) : null);
const versionOf = (element) => Number(element.dataset.version);
let sending = false;
let newest = 0; // the highest version that the stream has spoken of

// Emptied first, so that the same words said twice are heard twice.
function announce(text) {
  const live = byId("live");
  if (!live || !text) return;
  live.textContent = "";
  requestAnimationFrame(() => { live.textContent = text; });
}

function show(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html.trim();
  const fresh = holder.content.getElementById("table");
  if (!fresh) return false;
  const old = table();
  if (versionOf(fresh) < versionOf(old)) return true;
  const focused = document.activeElement?.id;
  const news = versionOf(fresh) > versionOf(old);
  if (!news) fresh.querySelector(".just-rolled")?.classList.remove("just-rolled");
  keepHolds(old, fresh, news);
  keepWriting(old, fresh);
  old.replaceWith(fresh);
  document.title = fresh.dataset.title;
  if (news) announce(fresh.dataset.announce);
  restoreFocus(focused);
  showColumn();
  const moved = news && GAME_EVENTS.includes(fresh.dataset.event);
  document.dispatchEvent(new CustomEvent("fivedice:table", { detail: { old, moved } }));
  fetchCoach();
  return true;
}

// Another screen's event (somebody joined, left, asked) must not undo the dice a player is just choosing.
function keepHolds(old, fresh, news) {
  if (old.dataset.turn !== "yours" || fresh.dataset.turn !== "yours") return;
  if (news && GAME_EVENTS.includes(fresh.dataset.event)) return;
  for (const box of old.querySelectorAll("input[type=checkbox][name=hold]")) {
    const same = fresh.querySelector(`#${box.id}`);
    if (same) same.checked = box.checked;
  }
}

// Nor may it fold up what is open, or wipe out a name that is just being typed.
function keepWriting(old, fresh) {
  for (const part of old.querySelectorAll("details[id][open]")) fresh.querySelector(`#${part.id}`)?.setAttribute("open", "");
  const seats = (part) => part.querySelectorAll(".people-list li").length;
  const written = old.querySelector("#sit-name");
  const name = fresh.querySelector("#sit-name");
  if (written && name && (document.activeElement === written || seats(old) === seats(fresh))) name.value = written.value;
}

// A question comes first; else stay where the hand was; else go to the one obvious next action.
function restoreFocus(id) {
  const next = byId("confirm-yes") ?? byId("confirm-first") ?? byId(id) ?? (id ? byId("roll") ?? document.querySelector("button.box") : null);
  next?.focus({ preventScroll: !next.closest(".confirm") });
}

// Many players are wider than a phone: bring the column on turn into sight, without moving the page.
function showColumn() {
  const sheet = document.querySelector(".sheet-scroll");
  const column = sheet?.querySelector("thead .on-turn");
  const fixed = sheet?.querySelector("thead th")?.offsetWidth ?? 0;
  if (column && sheet.scrollWidth > sheet.clientWidth) sheet.scrollLeft = column.offsetLeft - fixed - 8;
}

async function fetchTable(address, options = {}) {
  const answer = await fetch(address, { ...options, headers: HEADER, credentials: "same-origin", cache: "no-store" });
  if (answer.redirected) return location.assign(answer.url);
  if (show(await answer.text())) return;
  if (answer.status >= 500) throw new Error("the server is not well"); // a balancer may say so in a page of its own
  location.reload();
}

const look = () => fetchTable(table().dataset.here).catch(() => showOffline(true));

async function send(form, submitter) {
  if (sending) return;
  sending = true;
  const rolling = submitter?.id === "roll";
  addLuck(form);
  const fields = new FormData(form);
  if (submitter?.name) fields.append(submitter.name, submitter.value);
  if (form.classList.contains("sit")) byId("sit-name")?.blur();
  try {
    await fetchTable(form.action, { method: "POST", body: new URLSearchParams(fields) });
    if (rolling) settle();
  } catch {
    announce("No connection. Your move was not lost: try again.");
    showOffline(true);
  } finally {
    sending = false;
  }
  if (newest > versionOf(table())) look();
}

// A text of one's own for the dice, drawn in the browser if nobody thought of one: see fairness/luck.js.
function addLuck(form) {
  const field = form.querySelector("[data-luck]");
  if (field && !field.value) field.value = crypto.getRandomValues(new Uint32Array(2)).join("-");
}

// The answer is often quicker than the second half of a double click.
function settle() {
  const roll = byId("roll");
  if (!roll) return;
  roll.setAttribute("aria-disabled", "true");
  setTimeout(() => roll.removeAttribute("aria-disabled"), SETTLE);
}

function showOffline(offline) {
  document.body.classList.toggle("offline", offline);
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.closest("#table") || form.action.endsWith("/rematch")) return;
  event.preventDefault();
  if (event.submitter?.getAttribute("aria-disabled") !== "true") send(form, event.submitter);
});

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-cancel]")) return;
  event.preventDefault();
  look();
});

// A link is there to be copied.
document.addEventListener("focusin", (event) => { if (event.target.matches("#table input[readonly], #table textarea")) event.target.select(); });

const streamAddress = () => `/t/${table().dataset.id}/live?after=${versionOf(table())}`;
const heard = {
  open: () => showOffline(false),
  error: () => showOffline(true),
  people: () => { if (!sending) look(); },
  version: (event) => {
    newest = Math.max(newest, Number(event.data));
    if (!sending && newest > versionOf(table())) look();
  },
};

// A page from the back button may be old: look at once.
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

const press = (id) => { const button = byId(id); button?.click(); return Boolean(button); };

function moveInSheet(step) {
  const boxes = [...document.querySelectorAll("button.box")];
  const at = boxes.indexOf(document.activeElement);
  const next = at < 0 ? (step > 0 ? 0 : boxes.length - 1) : (at + step + boxes.length) % boxes.length;
  boxes[next]?.focus();
  return boxes.length > 0;
}

function act(key) {
  if (/^[1-9]$/.test(key)) return press(`die-${Number(key) - 1}`);
  switch (key) {
    case "r": case "R": return press("roll");
    case "u": case "U": return press("undo");
    case "h": case "H": return press("ask-coach");
    case "ArrowDown": return moveInSheet(1);
    case "ArrowUp": return moveInSheet(-1);
    case "?": location.assign("/help"); return true;
  }
  return false;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.repeat && !event.key.startsWith("Arrow")) return;
  const target = event.target;
  if (target.matches("input:not([type=checkbox]), textarea, select")) return;
  const onControl = target.matches("button, a, summary, input");
  if (event.key === " " && !onControl) { if (press("roll")) event.preventDefault(); return; }
  if (act(event.key)) event.preventDefault();
});

// The coach's part comes when there is something to ask, or chances to show.
function fetchCoach() {
  if (document.querySelector("#ask-coach, #odds")) import("../coach/coach.js").catch(() => {});
}

showColumn();
fetchCoach();
listen(streamAddress, heard);
