// What was done here and has not arrived yet: operations, in their order. They are kept in the browser's storage, so that
// a reload, an empty battery or a dead spot on the lawn lose nothing. A sheet that no server knows is nothing but this.

import { ask, isUnwell } from "../core/page.js";

/**
 * What a person did, as the server takes it: the name of a command with its fields, and a key of its own.
 * @typedef {{ command: string, key: string, [field: string]: unknown }} Op
 */
/**
 * An operation on its way: `tried` once it may have arrived, `version` once it has, `refused` where it was not taken.
 * @typedef {{ op: Op, tried?: boolean, version?: number, refused?: { code: string, message: string } }} Sent
 */

const PREFIX = "fivedice-pad";
/** @type {Map<string, string>} */
const memory = new Map(); // what the browser's storage did not take: newer than what is there, until the page is closed

/**
 * @param {string} sheet
 * @param {string} part
 */
const nameOf = (sheet, part) => `${PREFIX}/${sheet}/${part}`;

/**
 * @template T
 * @param {string} sheet
 * @param {string} part
 * @param {T} otherwise
 * @returns {T}
 */
export function kept(sheet, part, otherwise) {
  const text = stored(sheet, part);
  try { return text ? JSON.parse(text) : otherwise; } catch { return otherwise; }
}

/**
 * @param {string} sheet
 * @param {string} part
 */
function stored(sheet, part) {
  const name = nameOf(sheet, part);
  try { return memory.get(name) ?? localStorage.getItem(name); } catch { return null; } // not allowed here
}

/**
 * Whether it will be there after a reload.
 * @param {string} sheet
 * @param {string} part
 * @param {unknown} value
 */
export function keep(sheet, part, value) {
  const [name, text] = [nameOf(sheet, part), JSON.stringify(value)];
  memory.set(name, text);
  try { localStorage.setItem(name, text); return memory.delete(name); } catch { return false; } // full, or not allowed here
}

/**
 * Whether what waits would be lost with the page.
 * @param {string} sheet
 */
export const isOnlyHere = (sheet) => memory.has(nameOf(sheet, "queue"));

/**
 * Everything of one sheet, or one part of it.
 * @param {string} sheet
 * @param {string} [part]
 */
export function forget(sheet, part = "") {
  const start = nameOf(sheet, part);
  for (const name of [...memory.keys()]) if (name.startsWith(start)) memory.delete(name);
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith(start)) localStorage.removeItem(name);
  } catch { /* not allowed here */ }
}

/** @type {{ text: string | null, list: Sent[] }} */
let parsed = { text: null, list: [] }; // they are asked for many times a tap, and another window may have added some

/**
 * To be read only.
 * @param {string} sheet
 * @returns {Sent[]}
 */
export function entries(sheet) {
  const text = stored(sheet, "queue");
  if (text === null) return [];
  if (parsed.text !== text) parsed = { text, list: kept(sheet, "queue", []) ?? [] };
  return parsed.list;
}

/**
 * @param {string} sheet
 * @param {Sent[]} list
 */
const save = (sheet, list) => keep(sheet, "queue", list);

// Also without https, where the shorter ways are missing.
export const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Put an operation behind those that count. Those that were not taken, or wait for one before them, stay behind it.
 * One that replaces a refused operation takes it out in the same step, and the rest is tried again.
 * @param {string} sheet
 * @param {{ command: string, [field: string]: unknown }} op
 * @param {(key: string) => boolean} [counts] whether an operation in the queue took effect
 * @param {string | null} [instead] the key of the operation that it replaces
 */
export function add(sheet, op, counts = () => true, instead = null) {
  const list = instead ? entries(sheet).filter((each) => each.op.key !== instead).map(unrefused) : entries(sheet);
  const idle = list.findIndex((each) => each.version === undefined && !counts(each.op.key));
  const key = newKey();
  save(sheet, list.toSpliced(idle < 0 ? list.length : idle, 0, { op: { ...op, key } }));
  return key;
}

/** @param {Sent} sent @returns {Sent} */
const unrefused = ({ refused: _, ...sent }) => sent;

/**
 * @param {string} sheet
 * @param {string} key
 * @param {Partial<Sent>} changes
 */
function change(sheet, key, changes) {
  save(sheet, entries(sheet).map((each) => (each.op.key === key ? { ...each, ...changes } : each)));
}

/**
 * @param {string} sheet
 * @param {string[]} keys
 */
export function drop(sheet, ...keys) {
  save(sheet, entries(sheet).filter((each) => !keys.includes(each.op.key)));
}

/**
 * What was refused is tried again: something before it has been settled.
 * @param {string} sheet
 */
export function retry(sheet) {
  save(sheet, entries(sheet).map(unrefused));
}

/**
 * Whether the page shows the version that an operation led to: then it has arrived for good.
 * @param {Sent} sent
 * @param {number} version
 */
export const isShown = (sent, version) => sent.version !== undefined && sent.version <= version;

/**
 * @param {string} sheet
 * @param {number} version
 */
export function prune(sheet, version) {
  const list = entries(sheet);
  const left = list.filter((each) => !isShown(each, version));
  if (left.length < list.length) save(sheet, left);
}

/** @param {string} sheet */
export const unsent = (sheet) => entries(sheet).filter((each) => each.version === undefined);

/**
 * Whether a refusal only says that something before this is missing. A turn can always be written yet; a game may be over
 * for good, unless something here holds it up.
 * @param {string} code
 * @param {boolean} isHeldUp
 */
const isTooEarly = (code, isHeldUp) => code === "turn-missing" || (isHeldUp && code === "wrong-phase");

/**
 * Send one after the other, in order, until nothing is left that could be sent. One that is refused stays, with the
 * reason, and holds up those that need it until it is replaced or discarded; the others go on.
 * @param {{ id: string, links: { commands: string } }} pad
 */
export async function flush({ id, links }) {
  const early = new Set();
  for (;;) {
    const found = unsent(id).find((each) => !each.refused && !early.has(each.op.key));
    if (!found) return;
    const { key } = found.op;
    const isHeldUp = early.size > 0 || unsent(id).some((each) => each.refused);
    change(id, key, { tried: true });
    const answer = await ask(links.commands, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(found.op) });
    if (isUnwell(answer)) throw new Error("the server is not well, or busy");
    /** @type {{ version: number, error: string, message: string }} */
    const told = await answer.json();
    if (answer.ok) {
      change(id, key, { version: told.version });
      early.clear(); // one of them may have waited for this
    } else if (isTooEarly(told.error, isHeldUp)) early.add(key);
    else change(id, key, { refused: { code: told.error, message: told.message } });
  }
}
