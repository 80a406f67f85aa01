// The live part of a table: forms are sent in the background, and every other screen's move is fetched as it comes.
// Without this file the page still works: forms post and the answer is a page.

const HEADER = { "Fivedice-Fragment": "1" };
const table = () => document.getElementById("table");
let sending = false;

function announce(text) {
  const live = document.getElementById("live");
  if (live && text && live.textContent !== text) live.textContent = text;
}

function show(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html.trim();
  const fresh = holder.content.getElementById("table");
  if (!fresh) return false;
  if (Number(fresh.dataset.version) < Number(table().dataset.version)) return true;
  const focused = document.activeElement?.id;
  const aroundOpen = document.getElementById("around")?.open;
  keepHolds(fresh);
  table().replaceWith(fresh);
  if (aroundOpen) document.getElementById("around")?.setAttribute("open", "");
  document.title = fresh.dataset.title;
  announce(fresh.dataset.announce);
  restoreFocus(focused);
  return true;
}

// Another screen's event (somebody joined, left, asked) must not undo the dice a player is just choosing.
function keepHolds(fresh) {
  const old = table();
  if (old.dataset.turn !== "yours" || fresh.dataset.turn !== "yours") return;
  if (["Rolled", "Scored", "Undone", "Started"].includes(fresh.dataset.event) && old.dataset.version !== fresh.dataset.version) return;
  for (const box of old.querySelectorAll("input[name=hold]")) {
    const same = fresh.querySelector(`#${box.id}`);
    if (same) same.checked = box.checked;
  }
}

// A question comes first; else stay where the hand was; else go to the one obvious next action.
function restoreFocus(id) {
  const next = document.getElementById("confirm-yes") ?? document.getElementById(id) ?? (id ? document.getElementById("roll") ?? document.querySelector("button.box") : null);
  next?.focus({ preventScroll: next.id !== "confirm-yes" });
}

async function fetchTable(address, options = {}) {
  const answer = await fetch(address, { ...options, headers: HEADER, credentials: "same-origin" });
  if (answer.redirected) return location.assign(answer.url);
  if (!show(await answer.text())) location.reload();
}

async function send(form, submitter) {
  if (sending) return;
  sending = true;
  const fields = new FormData(form);
  if (submitter?.name) fields.append(submitter.name, submitter.value);
  try {
    await fetchTable(form.action, { method: "POST", body: new URLSearchParams(fields) });
  } catch {
    announce("No connection. Your move was not lost: try again.");
    showOffline(true);
  } finally {
    sending = false;
  }
}

function showOffline(offline) {
  document.body.classList.toggle("offline", offline);
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.closest("#table") || form.action.endsWith("/rematch")) return;
  event.preventDefault();
  send(form, event.submitter);
});

document.addEventListener("click", (event) => {
  const cancel = event.target.closest("[data-cancel]");
  if (!cancel) return;
  event.preventDefault();
  fetchTable(`/t/${table().dataset.id}`);
});

function listen() {
  const { id, version } = table().dataset;
  const stream = new EventSource(`/t/${id}/live?after=${version}`);
  stream.addEventListener("open", () => showOffline(false));
  stream.addEventListener("error", () => showOffline(true));
  stream.addEventListener("version", (event) => {
    if (!sending && Number(event.data) > Number(table().dataset.version)) fetchTable(`/t/${id}`).catch(() => showOffline(true));
  });
  addEventListener("pagehide", () => stream.close());
}

// A page from the back button may be old: look at once.
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

const press = (id) => { const button = document.getElementById(id); button?.click(); return Boolean(button); };

function moveInSheet(step) {
  const boxes = [...document.querySelectorAll("button.box")];
  if (!boxes.length) return false;
  const at = boxes.indexOf(document.activeElement);
  boxes[(at + step + boxes.length) % boxes.length]?.focus();
  return true;
}

function act(key) {
  if (/^[1-9]$/.test(key)) return press(`die-${Number(key) - 1}`);
  switch (key) {
    case "r": case "R": return press("roll");
    case "u": case "U": return press("undo");
    case "ArrowDown": return moveInSheet(1);
    case "ArrowUp": return moveInSheet(-1);
    case "?": location.assign("/help"); return true;
  }
  return false;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target;
  if (target.matches("input:not([type=checkbox]), textarea, select")) return;
  const onControl = target.matches("button, a, summary, input");
  if (event.key === " " && !onControl) { if (press("roll")) event.preventDefault(); return; }
  if (act(event.key)) event.preventDefault();
});

listen();
