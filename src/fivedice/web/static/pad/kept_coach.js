// The coach on this phone: fetched once, checked, and kept in a database of the browser; there is one over plain http too.
// Nothing is kept that could not be used, and what can no longer be used is dropped.

import { prepareValues } from "./advise.js";
import { totals } from "./judge.js";
import { BadValues } from "./values.js";

/** @typedef {import("./judge.js").Card} Card */
/** @typedef {import("./judge.js").Rules} Rules */
/** @typedef {import("./values.js").Values} Values */
/** @typedef {import("../core/words.js").Words} Words */
/**
 * What there is to fetch: `coach_data` in web/pad/phone_coach.py.
 * @typedef {{ link: string, bytes: number, sentences: Record<string, Words> }} About
 */
/**
 * What the server's own coach answers: `HintShape` in web/api/api_coach.py. Without choices, how far it is.
 * @typedef {{ message: string, sentence: string | null, choices: { keep: string | null, box: string | null, words: string, value: number, best: boolean }[] }} Hint
 */
/** @typedef {{ values: Values, sentences: Record<string, Words> }} Coach */
/** @typedef {{ file: Uint8Array<ArrayBuffer>, sentences: Record<string, Words>, when: number }} Kept */

const NAME = "fivedice-coach";
const STORE = "values";
const MOST_BOOKS = 6; // those that were used last

/** @type {Map<string, Coach>} */
const ready = new Map(); // by fingerprint

/** What went wrong, as the name of a sentence of the page or as a sentence of the server's. */
export class Trouble extends Error {
  /**
   * @param {"coach-offline" | "coach-damaged" | "coach-browser" | "coach-no-room" | null} key
   * @param {string} [sentence]
   */
  constructor(key, sentence = "") {
    super(sentence || String(key));
    this.key = key;
  }
}

/**
 * The coach for these rules, if this phone has it.
 * @param {Rules} rules
 * @returns {Promise<Coach | null>}
 */
export async function keptCoach(rules) {
  const name = rules.fingerprint;
  const known = ready.get(name);
  if (known) return known;
  try {
    /** @type {Kept | undefined} */
    const found = await inStore("readonly", (store) => store.get(name));
    if (!found) return null;
    const coach = await prepared(rules, found);
    await inStore("readwrite", (store) => store.put({ ...found, when: Date.now() }, name));
    return coach;
  } catch (error) {
    if (error instanceof BadValues && error.kind === "damaged") await forgetCoach(rules);
    return null;
  }
}

/**
 * Where the coach can be fetched and how large it is, or `Trouble`.
 * @param {string} link
 * @returns {Promise<About>}
 */
export const aboutCoach = async (link) => (await answered(link)).json();

/**
 * What the server's coach says, or `Trouble`.
 * @param {string} link with the book
 * @param {Rules} rules
 * @param {Card} card
 * @param {string} dice
 * @param {number} left
 * @returns {Promise<Hint>}
 */
export async function serverHint(link, rules, card, dice, left) {
  const asked = new URLSearchParams({ dice, rolls_left: String(left), card: cardText(rules, card) });
  return (await answered(`${link}&${asked}`)).json();
}

/**
 * A card as the server reads it: notation/cards.py.
 * @param {Rules} rules
 * @param {Card} card
 */
export function cardText(rules, card) {
  const held = rules.boxes.flatMap(([, code], place) => (card.marks[place] === null ? [] : [`${code}:${card.marks[place]}`]));
  const times = card.extra === null ? "" : `/${card.bonuses}`;
  if (card.bonuses) held.push(`${rules.tally}:${totals(rules, card).extra}${times}`);
  return (held.join(",") || "-") + (card.saved ? `+${card.saved}` : "");
}

/**
 * Fetch the coach and keep it; `progress` is told how many bytes have come. `Trouble` leaves everything as it was.
 * @param {Rules} rules
 * @param {About} about
 * @param {(bytes: number) => void} progress
 * @returns {Promise<Coach>}
 */
export async function fetchCoach(rules, { link, sentences }, progress) {
  const file = await downloaded(await answered(link), progress);
  const kept = { file, sentences, when: Date.now() };
  const coach = await prepared(rules, kept).catch((error) => {
    throw new Trouble(error instanceof BadValues && error.kind === "browser" ? "coach-browser" : "coach-damaged");
  });
  await keep(rules.fingerprint, kept).catch(() => { throw new Trouble("coach-no-room"); });
  return coach;
}

/** @param {Rules} rules */
export async function forgetCoach(rules) {
  ready.delete(rules.fingerprint);
  await inStore("readwrite", (store) => store.delete(rules.fingerprint)).catch(() => {});
}

/**
 * @param {Rules} rules
 * @param {Kept} kept
 */
async function prepared(rules, { file, sentences }) {
  const coach = { values: await prepareValues(rules, file), sentences };
  ready.set(rules.fingerprint, coach);
  return coach;
}

/**
 * An answer that can be used. The browser keeps none: the file is kept here.
 * @param {string} link
 */
async function answered(link) {
  const answer = await fetch(link, { credentials: "same-origin", cache: "no-store" }).catch(() => { throw new Trouble("coach-offline"); });
  if (answer.ok) return answer;
  const told = await answer.json().catch(() => ({}));
  throw told.message ? new Trouble(null, told.message) : new Trouble("coach-offline");
}

/**
 * @param {Response} answer
 * @param {(bytes: number) => void} progress
 */
async function downloaded(answer, progress) {
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const parts = [];
  let bytes = 0;
  const reader = answer.body?.getReader();
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      parts.push(part.value);
      bytes += part.value.length;
      progress(bytes);
    }
  } catch {
    throw new Trouble("coach-offline");
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/**
 * Beside the others, of which those that were not used for longest go.
 * @param {string} name
 * @param {Kept} kept
 */
async function keep(name, kept) {
  await inStore("readwrite", (store) => store.put(kept, name));
  /** @type {IDBValidKey[]} */
  const names = await inStore("readonly", (store) => store.getAllKeys());
  /** @type {Kept[]} */
  const all = await inStore("readonly", (store) => store.getAll());
  const oldest = names.map((key, place) => ({ key, when: all[place].when })).sort((one, other) => other.when - one.when).slice(MOST_BOOKS);
  for (const { key } of oldest) await inStore("readwrite", (store) => store.delete(key));
}

/**
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<T>} act
 * @returns {Promise<T>}
 */
async function inStore(mode, act) {
  const database = await opened();
  try {
    return await new Promise((done, failed) => {
      const transaction = database.transaction(STORE, mode);
      const request = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => done(request.result);
      transaction.onabort = () => failed(transaction.error);
    });
  } finally {
    database.close();
  }
}

/** @returns {Promise<IDBDatabase>} */
const opened = () => new Promise((done, failed) => {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  request.onsuccess = () => done(request.result);
  request.onerror = () => failed(request.error);
});
