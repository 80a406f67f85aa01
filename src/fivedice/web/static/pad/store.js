// Where this phone keeps its sheets: IndexedDB, shared by all windows. This module alone writes there. Every change
// reads the sheet, applies a pure function and writes the result in one transaction, so that two windows never
// overwrite each other. What cannot be written stays in memory, and is tried again with the next change.

import { append, blank, isLocal, listUnsent, move, newKey } from "./state.js";

/** @import { Act, RulesData, SetUp, Sheet } from "./state.js" */
/**
 * A change of sheets, in the order of their ids; null stands for no sheet.
 * @typedef {(sheets: (Sheet | null)[]) => (Sheet | null)[]} Change
 */
/** @typedef {{ sheets: (Sheet | null)[], isKept: boolean }} Done */
/**
 * `must`: not at all, if it cannot be kept. `durability`: whether it has to survive a power cut too. `quiet`: no other
 * window needs to know.
 * @typedef {{ must?: boolean, durability?: IDBTransactionDurability, quiet?: boolean }} How
 */

const NAME = "fivedice-pad"; // worker.js looks into it as well
const [SHEETS, RULES, DEVICE] = ["sheets", "rules", "device"];
const PATIENCE = 5000; // milliseconds: some browsers never answer
/** @type {Promise<IDBDatabase | null> | undefined} */
let opening;
/** @type {Map<string, Sheet>} */
const memory = new Map(); // where there is no database
/** @type {Map<string, RulesData>} */
const books = new Map(); // rules that were used on this page
/** @type {{ ids: string[], change: Change }[]} */
let unsaved = []; // changes that the database did not take
/** @type {Map<string, unknown>} */
const chosen = new Map(); // what the device remembers

const windows = "BroadcastChannel" in globalThis ? new BroadcastChannel(NAME) : null;

/** @returns {Promise<IDBDatabase | null>} null where the browser allows none */
const open = () => (opening ??= openDatabase().then(bringOver));

/** @returns {Promise<IDBDatabase | null>} */
function openDatabase() {
  return new Promise((done) => {
    let isLate = false;
    const giveUp = setTimeout(() => { isLate = true; done(null); }, PATIENCE);
    const end = (/** @type {IDBDatabase | null} */ found) => { clearTimeout(giveUp); done(found); };
    try {
      const request = indexedDB.open(NAME, 1);
      request.onupgradeneeded = () => prepare(request.result);
      request.onsuccess = () => {
        const database = watchConnection(request.result);
        if (isLate) leaveMemory(database);
        else end(database);
      };
      request.onerror = () => end(null);
    } catch { end(null); }
  });
}

/** Use a database that has answered after all: what was done meanwhile is kept there. @param {IDBDatabase} database */
function leaveMemory(database) {
  opening = bringOver(database);
  for (const [id, sheet] of memory) unsaved.push({ ids: [id], change: ([kept]) => [move([sheet, kept], id)[1]] });
  memory.clear();
}

/** @param {IDBDatabase} database */
function prepare(database) {
  database.createObjectStore(SHEETS, { keyPath: "id" }).createIndex(RULES, "rules");
  database.createObjectStore(RULES, { keyPath: "link" });
  database.createObjectStore(DEVICE);
}

/** A connection that the browser closes is opened again. @param {IDBDatabase} database */
function watchConnection(database) {
  const forget = () => { database.close(); opening = undefined; };
  database.onclose = forget;
  database.onversionchange = forget;
  return database;
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const waitFor = (request) => new Promise((done, failed) => {
  request.onsuccess = () => done(request.result);
  request.onerror = () => failed(request.error);
});

/** @param {IDBTransaction} transaction @returns {Promise<void>} */
const waitForEnd = (transaction) => new Promise((done, failed) => {
  transaction.oncomplete = () => done();
  transaction.onabort = () => failed(transaction.error ?? new Error("the browser keeps nothing"));
});

/**
 * Do something with the object stores; it counts when the transaction is complete, and not at all where it fails.
 * @template T @param {IDBDatabase} database @param {string[]} names @param {IDBTransactionMode} mode
 * @param {(store: (name: string) => IDBObjectStore) => Promise<T>} work @param {IDBTransactionDurability} [durability]
 */
async function transact(database, names, mode, work, durability = "strict") {
  const transaction = database.transaction(names, mode, { durability });
  const end = waitForEnd(transaction);
  end.catch(() => {});
  try {
    const result = await work((name) => transaction.objectStore(name));
    await end;
    return result;
  } catch (error) {
    try { transaction.abort(); } catch { /* it is over */ }
    throw error;
  }
}

// --- sheets ---

/**
 * Change sheets, all of them or none. `isKept` says whether they will be there after a reload.
 * @param {string[]} ids @param {Change} change @param {How} [how] @returns {Promise<Done>}
 */
export async function changeAll(ids, change, { must = false, durability = "strict", quiet = false } = {}) {
  const database = await open();
  if (!database) return must ? readUnkept(ids) : changeInMemory(ids, change);
  const all = [...unsaved, { ids, change }];
  const names = listIds(all);
  try {
    const stores = [SHEETS, RULES];
    const found = await transact(database, stores, "readwrite", (store) => rewrite(store, names, all), durability);
    unsaved = unsaved.filter((each) => !all.includes(each));
    if (!quiet) tellWindows(names);
    if (unsaved.length) return readUnkept(ids); // one of them found no room while this was written
    return { sheets: ids.map((id) => found.get(id) ?? null), isKept: true };
  } catch (error) {
    if (error instanceof OwnError) throw error.cause;
    if (!must) unsaved.push({ ids, change });
    return readUnkept(ids);
  }
}

/** @param {string[]} ids @returns {Promise<Done>} */
const readUnkept = async (ids) => ({ sheets: await Promise.all(ids.map(load)), isKept: false });

/** @param {{ ids: string[] }[]} changes */
const listIds = (changes) => [...new Set(changes.flatMap(({ ids }) => ids))];

/** @param {string[]} ids @param {Change} change @returns {Done} */
function changeInMemory(ids, change) {
  const sheets = change(ids.map((id) => memory.get(id) ?? null));
  for (const [place, id] of ids.entries()) {
    const sheet = sheets[place];
    if (sheet) memory.set(id, sheet);
    else memory.delete(id);
  }
  return { sheets, isKept: false };
}

/** An error of the change itself: the storage is well. */
class OwnError extends Error {}

/**
 * @param {(name: string) => IDBObjectStore} store @param {string[]} ids
 * @param {{ ids: string[], change: Change }[]} changes
 */
async function rewrite(store, ids, changes) {
  const sheets = store(SHEETS);
  const before = await Promise.all(ids.map((id) => waitFor(sheets.get(id))));
  /** @type {[string, Sheet | null][]} */
  const stored = ids.map((id, place) => [id, before[place] ?? null]);
  const after = applyChanges(new Map(stored), changes);
  for (const [place, id] of ids.entries()) {
    const sheet = after.get(id) ?? null;
    if (sheet) sheets.put(sheet);
    else sheets.delete(id);
    const link = before[place]?.rules;
    if (link && link !== sheet?.rules && !(await waitFor(sheets.index(RULES).count(link)))) store(RULES).delete(link);
  }
  return after;
}

/** @param {Map<string, Sheet | null>} sheets @param {{ ids: string[], change: Change }[]} changes */
function applyChanges(sheets, changes) {
  const found = new Map(sheets);
  for (const { ids, change } of changes) {
    try {
      const after = change(ids.map((id) => found.get(id) ?? null));
      for (const [place, id] of ids.entries()) found.set(id, after[place]);
    } catch (error) { throw new OwnError("", { cause: error }); }
  }
  return found;
}

/** @param {string} id @param {(sheet: Sheet | null) => Sheet | null} change @param {How} [how] */
export async function change(id, change, how) {
  const { sheets: [sheet], isKept } = await changeAll([id], ([before]) => [change(before)], how);
  return { sheet, isKept };
}

/** As it stands, with what could not be written. @param {string} id @returns {Promise<Sheet | null>} */
export async function load(id) {
  const ids = listIds([{ ids: [id] }, ...unsaved]);
  const found = await readonly(SHEETS, (sheets) => Promise.all(ids.map((each) => waitFor(sheets.get(each)))));
  /** @type {[string, Sheet | null][]} */
  const stored = ids.map((each, place) => [each, found?.[place] ?? memory.get(each) ?? null]);
  return applyChanges(new Map(stored), unsaved).get(id) ?? null;
}

/** Every sheet of this phone. @returns {Promise<Sheet[]>} */
export async function loadAll() {
  /** @type {Sheet[]} */
  const found = await readonly(SHEETS, (sheets) => waitFor(sheets.getAll())) ?? [...memory.values()];
  const all = applyChanges(new Map(found.map((sheet) => [sheet.id, sheet])), unsaved);
  return [...all.values()].filter((sheet) => sheet !== null);
}

/**
 * @template T @param {string} name @param {(store: IDBObjectStore) => Promise<T>} read
 * @returns {Promise<T | undefined>} nothing where the browser has none
 */
async function readonly(name, read) {
  try {
    const database = await open();
    return database ? await transact(database, [name], "readonly", (store) => read(store(name))) : undefined;
  } catch { return undefined; }
}

/** @param {string} name @param {(store: IDBObjectStore) => void} write what the page has in memory as well */
async function writeInBackground(name, write) {
  try {
    const database = await open();
    if (database) await transact(database, [name], "readwrite", async (store) => write(store(name)), "relaxed");
  } catch { /* it is remembered until the page is closed */ }
}

// --- rules ---

/** Rules never change: another text has another link. @param {string} link @returns {Promise<RulesData | null>} */
export async function loadRules(link) {
  const found = books.get(link) ?? await readonly(RULES, (rules) => waitFor(rules.get(link)));
  if (found) books.set(link, found);
  return found ?? null;
}

/** Keep rules as long as a sheet uses them. @param {RulesData} data */
export async function keepRules(data) {
  books.set(data.link, data);
  await writeInBackground(RULES, (rules) => rules.put(data));
}

// --- what the device remembers ---

/** @param {string} name @returns {Promise<unknown>} */
export async function recall(name) {
  return chosen.has(name) ? chosen.get(name) : readonly(DEVICE, (device) => waitFor(device.get(name)));
}

/** @param {string} name @param {unknown} value */
export async function remember(name, value) {
  chosen.set(name, value);
  await writeInBackground(DEVICE, (device) => device.put(value, name));
}

/** Ask the browser, once, not to clear away what waits here when it needs room. */
export async function askToStay() {
  if (!navigator.storage?.persist || await recall("asked-to-stay")) return;
  await remember("asked-to-stay", true);
  await navigator.storage.persist().catch(() => false);
}

// --- other windows ---

/** @param {string[]} ids */
const tellWindows = (ids) => windows?.postMessage(ids);

/** @param {(ids: string[]) => void} hear what another window has changed */
export function listen(hear) {
  windows?.addEventListener("message", ({ data }) => hear(data));
}

// --- entries that version 0.1.0 left in localStorage ---

const OLD = /^fivedice-pad\/(.+)\/queue$/;

/** What waits is brought over, and removed there once it is kept here. @param {IDBDatabase | null} database */
async function bringOver(database) {
  const old = listOld();
  /** @type {{ ids: string[], change: Change }[]} */
  const changes = old.map(({ id, ops }) => ({ ids: [id], change: ([sheet]) => [append(sheet ?? blank(id), ops)] }));
  if (!database) for (const { ids, change } of changes) changeInMemory(ids, change);
  if (!database || !old.length) return database;
  try {
    await transact(database, [SHEETS, RULES], "readwrite", (store) => rewrite(store, listIds(changes), changes));
    for (const { name } of old) localStorage.removeItem(name);
  } catch { unsaved.push(...changes); }
  return database;
}

/** The queues of tables, without what had arrived. */
function listOld() {
  try {
    return Object.keys(localStorage).flatMap((name) => {
      const [, id] = OLD.exec(name) ?? [];
      const ops = id ? readOld(JSON.parse(localStorage.getItem(name) ?? "[]")) : [];
      return ops.length ? [{ name, id, ops }] : [];
    });
  } catch { return []; } // none is allowed, or it is not ours
}

/** @param {import("./state.js").Op[]} entries with the version of the sheet that has them */
const readOld = (entries) => entries.filter(({ version }) => version === undefined)
  .map(({ key, game, turn, seat, dice, box, points }) =>
    ({ command: "write", key, game, turn, seat, dice, box, ...(points !== null && { points }) }));

// --- the list of sheets, set up here or at servers ---

/** @typedef {Sheet & { setUp: SetUp, opened: string }} Local */

const MOST = 40; // sheets that were set up here
const MOST_OF_SERVERS = 24;

/** List the sheets that were set up here, the newest first. @returns {Promise<Local[]>} */
export async function listLocal() {
  const all = (await loadAll()).filter((sheet) => isLocal(sheet.id) && sheet.setUp);
  return /** @type {Local[]} */ (all).sort((one, other) => madeAt(other) - madeAt(one));
}

/** @param {Local} sheet */
const madeAt = ({ made, opened }) => made ?? Date.parse(opened);

/**
 * Keep a new sheet with the others, empty or brought from elsewhere.
 * @param {SetUp} setUp @param {Act[]} [ops] @param {string} [opened]
 * @returns {Promise<string>} its id, or "" where there is no room; the others stay
 */
export async function newSheet(setUp, ops = [], opened = new Date().toISOString()) {
  if ((await listLocal()).length >= MOST) return "";
  const id = `l-${newKey()}`;
  const queue = ops.map((op) => ({ op: { ...op, key: newKey() } }));
  const made = performance.timeOrigin + performance.now();
  const sheet = { id, base: null, queue, typed: null, rules: setUp.rules, setUp, opened, made };
  const { isKept } = await change(id, () => sheet, { must: true });
  return isKept ? id : "";
}

/** @param {string} id */
export const remove = (id) => changeAll([id], () => [null]);

/** The sheet of this phone that the address names, or the newest. @param {string} id */
export const findLocal = async (id) => (isLocal(id) ? await load(id) : null) ?? (await listLocal())[0] ?? null;

/** Sheets of servers that were not looked at for long go, unless something waits there. */
export async function tidy() {
  const known = (await loadAll()).filter(({ id, seen }) => !isLocal(id) && seen);
  const old = known.sort((one, other) => ((one.seen ?? "") < (other.seen ?? "") ? 1 : -1)).slice(MOST_OF_SERVERS);
  const unlessWaiting = (/** @type {Sheet | null} */ sheet) => (sheet && listUnsent(sheet).length ? sheet : null);
  for (const { id } of old) await change(id, unlessWaiting, { durability: "relaxed", quiet: true });
}
