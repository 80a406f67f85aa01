// What was typed here and has not arrived yet. It is kept in the browser's storage, so that a reload, an empty
// battery or a dead spot on the lawn lose nothing.

const PREFIX = "fivedice-pad";
const memory = new Map(); // where the browser allows no storage, at least until the page is closed

const nameOf = (table, part) => `${PREFIX}/${table}/${part}`;

export function kept(table, part, otherwise) {
  let text = memory.get(nameOf(table, part));
  try { text = localStorage.getItem(nameOf(table, part)) ?? text; } catch { /* not allowed here */ }
  try { return text ? JSON.parse(text) : otherwise; } catch { return otherwise; }
}

export function keep(table, part, value) {
  const text = JSON.stringify(value);
  memory.set(nameOf(table, part), text);
  try { localStorage.setItem(nameOf(table, part), text); } catch { /* full, or not allowed here */ }
}

// The answers for other tables can be asked for again, unlike what was written there.
export function forgetAnswers(table) {
  try {
    for (const name of Object.keys(localStorage)) {
      if (name.startsWith(`${PREFIX}/`) && name.endsWith("/answers") && name !== nameOf(table, "answers")) localStorage.removeItem(name);
    }
  } catch { /* not allowed here */ }
}

export const entries = (table) => kept(table, "queue", []);

function save(table, list) {
  keep(table, "queue", list.sort((one, other) => one.game - other.game || one.turn - other.turn));
}

// Also without https, where the shorter ways are missing.
const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");

export function add(table, entry) {
  const others = entries(table).filter((other) => other.game !== entry.game || other.turn !== entry.turn);
  save(table, [...others, { ...entry, key: newKey() }]);
}

export function change(table, key, changes) {
  save(table, entries(table).map((entry) => (entry.key === key ? { ...entry, ...changes } : entry)));
}

export function drop(table, key) {
  save(table, entries(table).filter((entry) => entry.key !== key));
}

// An entry has arrived for good when the page shows the version that it led to.
export function prune(table, version) {
  const list = entries(table);
  const left = list.filter((entry) => !(entry.version <= version));
  if (left.length < list.length) save(table, left);
}

export const unsent = (table) => entries(table).filter((entry) => entry.version === undefined);

// The turn to be written next: the first that neither the sheet nor the queue has; null when the game is full.
export function nextTurn(pad, list) {
  if (!pad.playing) return null;
  const taken = new Set(list.filter((entry) => entry.game === pad.game).map((entry) => entry.turn));
  let turn = pad.turn;
  while (taken.has(turn)) turn += 1;
  if (turn > pad.lastTurn) return null;
  return { game: pad.game, turn, seat: (pad.seat + turn - pad.turn) % pad.seats.length };
}

// Send one after the other, in order. True when nothing is left that could be sent.
export async function flush(table) {
  for (;;) {
    const entry = unsent(table)[0];
    if (!entry || entry.refused) return true;
    const { key, game, turn, dice, box } = entry;
    const answer = await fetch(`/api/tables/${table}/commands`, {
      method: "POST", credentials: "same-origin", cache: "no-store",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ command: "write", key, game, turn, dice, box }),
    });
    if (answer.status >= 500 || answer.status === 429) throw new Error("the server is not well, or busy");
    const told = await answer.json();
    change(table, key, answer.ok ? { version: told.version } : { refused: told.message });
  }
}
