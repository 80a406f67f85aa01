// What the coach on this phone says, best first, in the words of the server's coach (coaching/hint_messages.py); and
// the way to fetch it. Until it is here the server's own coach is asked, as long as there is a connection.

import { button, byId, filled, formatDecimal, make, say } from "../core/page.js";
import { BadValues, bestKeeps, prepareValues } from "./advise.js";
import { totals } from "./judge.js";

/** @import { Option, Values } from "./advise.js" */
/** @import { Card, Rules } from "./judge.js" */
/**
 * A question, and what to do with its answer.
 * @typedef {object} Question
 * @property {Rules} rules
 * @property {string[]} boxes the names of all boxes, in the order of the sheet
 * @property {Card} card
 * @property {string} dice as they lie on the table
 * @property {number | null} rollsLeft null where only the person knows
 * @property {{ about: string | null, hint: string | null }} links where the coach for these rules is, or nothing where
 *   they are too large for a phone; and where the server's is asked
 * @property {(face: string) => Node} die draws one
 * @property {(box: string | null) => void} advise marks the box that is meant
 * @property {((dice: string) => void) | null} keep holds these dice, where the page can
 * @property {() => void} close
 */

const SHOWN = 5; // choices
const NAMED = 6; // faces that have a name of their own
const TINY_COST = 0.05; // points
const MEGABYTE = 1e6;

/** How many rolls the person said were left, for the turn that is being played. */
let saidLeft = 0;

/** Show what the coach says, or how to get it. @param {HTMLElement} holder @param {Question} question */
export async function showCoach(holder, question) {
  const about = { id: "coach-panel", tabindex: "-1", "aria-labelledby": "coach-title" };
  const panel = make("section", "coach-panel", [], about);
  holder.replaceChildren(panel);
  const coach = await loadCoach(question.rules);
  if (coach) paintAdvice(panel, question, coach);
  else await paintOnline(panel, question);
  panel.focus({ preventScroll: true });
}

// --- advice ---

/** @param {HTMLElement} panel @param {Question} question @param {Coach} coach @param {string} [notice] */
function paintAdvice(panel, question, coach, notice) {
  const { rules, card, dice } = question;
  const options = bestKeeps(rules, coach.values, card, dice, countRollsLeft(question));
  const best = options[0];
  const lines = [
    title(headline(question, coach, best)), sayTotal(best),
    ...chooseLeft(question, () => paintAdvice(panel, question, coach, notice)),
    ...(notice ? [alert(notice)] : []),
    listChoices(
      options.slice(0, SHOWN).map((option, place) => makeChoice(question, coach, option, !place)),
      [button("coach-remove", say("coach-remove"), () => remove(panel, question))],
    ),
    makeButtons(question, best.keep),
  ];
  panel.replaceChildren(...lines);
  question.advise(best.box);
}

/**
 * What can be done now: hold the dice that are meant, or close.
 * @param {Question} question @param {string | null} best @param {HTMLElement[]} [more]
 */
function makeButtons({ keep, close }, best, more = []) {
  if (!keep || best === null) return make("div", "buttons", [...more, button("primary", say("coach-close"), close)]);
  const what = say(best ? "coach-keep-these" : "coach-keep-none");
  const held = button("primary", what, () => keep(best), { id: "coach-hold" });
  return make("div", "buttons", [...more, button("", say("coach-close"), close), held]);
}

/**
 * Where there is little room, the list alone is scrolled.
 * @param {HTMLElement[]} choices @param {HTMLElement[]} [below]
 */
function listChoices(choices, below = []) {
  const lines = [make("ol", "coach-choices", choices), make("p", "coach-note", say("coach-note")), ...below];
  return make("div", "coach-list", lines, { tabindex: "0", role: "group", "aria-label": say("coach-choices") });
}

/** @param {{ total: number }} best */
const sayTotal = (best) => make("p", "coach-total", say("coach-total", { total: formatDecimal(best.total) }));

/** @param {Question} question */
const countRollsLeft = ({ rules, rollsLeft }) => rollsLeft ?? Math.min(saidLeft, rules.rolls - 1);

/**
 * Ask which roll of the turn this is, if only the last dice were entered.
 * @param {Question} question @param {() => void | Promise<void>} changed
 */
function chooseLeft(question, changed) {
  if (question.rollsLeft !== null || question.rules.rolls < 2) return [];
  const buttons = Array.from({ length: question.rules.rolls }, (_, count) => {
    const id = `rolls-left-${count}`;
    const choose = async () => {
      saidLeft = count;
      await changed();
      byId(id)?.focus({ preventScroll: true });
    };
    return button("", String(count), choose, { id, "aria-pressed": String(count === countRollsLeft(question)) });
  });
  const label = say("coach-rolls-left");
  const lines = [make("span", "", label), ...buttons];
  return [make("div", "coach-left", lines, { role: "group", "aria-label": label })];
}

/** @param {Question} question @param {Coach} coach @param {Option} option @param {boolean} first */
const makeChoice = (question, coach, option, first) =>
  line(question, option, label(question, coach, option), price(coach, option, first));

/**
 * @param {Question} question @param {{ keep: string | null, total: number, best: boolean }} option
 * @param {string} words @param {string} [cost]
 */
function line(question, { keep, total, best }, words, cost = "") {
  return make("li", best ? "best" : "", [
    make("span", "coach-dice", minis(question, keep ?? question.dice), { "aria-hidden": "true" }),
    make("span", "coach-do", words), make("strong", "coach-cost", cost),
    make("span", "coach-expected", formatDecimal(total)),
  ]);
}

/** Draw the dice as they lie, and faintly those to be rolled again. @param {Question} question @param {string} keep */
function minis({ dice, die }, keep) {
  const rest = [...keep];
  return [...dice].map((face) => {
    const place = rest.indexOf(face);
    if (place >= 0) rest.splice(place, 1);
    const shown = make("span", "die mini", [die(face)]);
    shown.classList.toggle("rolled", place < 0);
    return shown;
  });
}

/** @param {Coach} coach @param {string} kind @param {Record<string, string | number>} [values] */
const sayOf = ({ sentences }, kind, values) => filled(sentences[kind] ?? kind, values);

/** What a box is called and scores. @param {Question} question @param {Option} option */
function describeScore({ rules, boxes }, { box, entry }) {
  const name = boxes[rules.index.get(box ?? "") ?? -1] ?? "";
  const kind = `${entry?.extra ? "-bonus" : ""}${entry?.joker ? "-joker" : ""}`;
  return { kind, values: { box: name, points: entry?.points ?? 0, bonus: entry?.extra ?? 0 } };
}

/** What to do, as the first thing to read. @param {Question} question @param {Coach} coach @param {Option} best */
function headline(question, coach, best) {
  const faces = best.keep;
  if (faces === null) {
    const { kind, values } = describeScore(question, best);
    return sayOf(coach, `coach.do-score${kind}`, values);
  }
  const kinds = new Set(faces);
  if (!faces) return sayOf(coach, "coach.do-roll-all");
  if (kinds.size === 1 && Number(faces[0]) <= NAMED)
    return sayOf(coach, `coach.do-keep-${faces[0]}`, { count: faces.length, number: number(coach, faces.length) });
  if (faces.length === 4 && kinds.size === 2 && faces[0] === faces[1] && faces[2] === faces[3])
    return sayOf(coach, "coach.do-keep-pairs");
  return sayOf(coach, "coach.do-keep", { dice: [...faces].join("-") });
}

/** @param {Coach} coach @param {number} count */
const number = (coach, count) =>
  coach.sentences[`coach.number-${count}`] ? sayOf(coach, `coach.number-${count}`) : count;

/** What to do, in a few words. @param {Question} question @param {Coach} coach @param {Option} option */
function label(question, coach, option) {
  if (option.keep) return sayOf(coach, "coach.keep", { dice: [...option.keep].join("-") });
  if (option.keep === "") return sayOf(coach, "coach.roll-all", { count: question.rules.dice });
  const { kind, values } = describeScore(question, option);
  return sayOf(coach, `coach.entry${kind}`, values);
}

/** @param {Coach} coach @param {Option} option @param {boolean} first */
function price(coach, { best, cost }, first) {
  if (best) return sayOf(coach, first ? "coach.choice-best" : "coach.choice-as-good");
  if (cost < TINY_COST) return sayOf(coach, "coach.choice-costs-little");
  return sayOf(coach, "coach.choice-costs-all", {
    cost: sayOf(coach, "coach.points", { points: formatDecimal(cost), count: cost.toFixed(1) === "1.0" ? 1 : 2 }),
  });
}

/** @param {HTMLElement} panel @param {Question} question */
async function remove(panel, question) {
  await forgetCoach(question.rules);
  question.advise(null);
  await paintOnline(panel, question);
  panel.focus({ preventScroll: true });
}

// --- fetching ---

/** @param {string} text */
const title = (text) => make("h2", "", text, { id: "coach-title" });
/** @param {string} text */
const alert = (text) => make("p", "notice", text, { role: "alert" });

/** @param {number} bytes */
const megabytes = (bytes) => formatDecimal(Math.max(0.1, bytes / MEGABYTE));

/** @param {unknown} error */
function explainTrouble(error) {
  if (!(error instanceof Trouble)) return say("coach-damaged");
  return error.key ? say(error.key) : error.message;
}

/**
 * What the server says, while this phone has no coach; and the way to get one.
 * @param {HTMLElement} panel @param {Question} question
 */
async function paintOnline(panel, question) {
  const { links, rules, card, dice } = question;
  const again = () => paintOnline(panel, question);
  panel.replaceChildren(title(say("coach-title")), make("p", "", say("coach-moment"), { role: "status" }));
  const offer = links.about
    ? fetchAbout(links.about).then((about) => makeFetchButton(panel, question, about))
    : Promise.resolve(null);
  offer.catch(() => {}); // reported below, unless the server reports something better
  /** @type {unknown} */
  let trouble = null;
  try {
    const hint = links.hint ? await fetchHint(links.hint, rules, card, dice, countRollsLeft(question)) : null;
    const buttons = hint && paintHint(panel, question, hint, again);
    const offerLate = (/** @type {HTMLElement | null} */ start) => { if (start) buttons?.prepend(start); };
    if (buttons) return void offer.then(offerLate, () => {}); // packing takes a second
  } catch (error) { trouble = error; }
  try {
    const start = await offer;
    if (start) return paintFetch(panel, question, start);
  } catch (error) { trouble = error; }
  if (trouble) paintTrouble(panel, question, explainTrouble(trouble), again);
  else paintTrouble(panel, question, say("coach-too-large"));
}

/** @param {HTMLElement} panel @param {Question} question @param {Hint} hint @param {() => Promise<void>} again */
function paintHint(panel, question, hint, again) {
  const { grand } = totals(question.rules, question.card);
  const options = hint.choices.map(({ keep, value, best, words }) => ({
    keep: keep && keep.replaceAll("-", ""), best, words, total: grand + value,
  }));
  const lines = options.map((option) => line(question, option, option.words));
  const [best] = options;
  const buttons = makeButtons(question, best?.keep ?? null, best ? [] : [button("", say("coach-again"), again)]);
  const total = best ? [sayTotal(best)] : [];
  const left = chooseLeft(question, again);
  panel.replaceChildren(title(hint.sentence ?? hint.message), ...total, ...left, listChoices(lines), buttons);
  question.advise(hint.choices[0]?.box ?? null);
  return buttons;
}

/** @param {HTMLElement} panel @param {Question} question @param {string} text @param {() => void} [again] */
function paintTrouble(panel, question, text, again) {
  const buttons = [
    ...(again ? [button("primary", say("coach-again"), again)] : []),
    button(again ? "" : "primary", say("coach-close"), question.close),
  ];
  panel.replaceChildren(title(say("coach-title")), alert(text), make("div", "buttons", buttons));
}

/** @param {HTMLElement} panel @param {Question} question @param {About} about */
function makeFetchButton(panel, question, about) {
  const text = say("coach-fetch", { size: megabytes(about.bytes) });
  return button("", text, () => fetchNow(panel, question, about), { id: "coach-fetch" });
}

/** @param {HTMLElement} panel @param {Question} question @param {HTMLElement} start */
function paintFetch(panel, question, start) {
  start.className = "primary";
  panel.replaceChildren(
    title(say("coach-title")), make("p", "", say("coach-about")),
    make("div", "buttons", [start, button("", say("coach-close"), question.close)]),
  );
}

/** @param {HTMLElement} panel @param {Question} question @param {About} about */
async function fetchNow(panel, question, about) {
  const bar = document.createElement("progress");
  const line = make("p", "", "", { role: "status" });
  bar.max = about.bytes;
  bar.setAttribute("aria-label", say("coach-fetching"));
  /** @param {number} bytes */
  const progress = (bytes) => {
    bar.value = bytes;
    line.textContent = say("coach-progress", { done: formatDecimal(bytes / MEGABYTE), size: megabytes(about.bytes) });
  };
  progress(0);
  panel.replaceChildren(title(say("coach-fetching")), bar, line);
  try {
    paintAdvice(panel, question, await fetchCoach(question.rules, about, progress));
  } catch (error) {
    const coach = error instanceof Trouble && error.key === "coach-no-room" ? await loadCoach(question.rules) : null;
    if (coach) paintAdvice(panel, question, coach, explainTrouble(error));
    else paintTrouble(panel, question, explainTrouble(error), () => paintOnline(panel, question));
  }
  panel.focus({ preventScroll: true });
}

// --- fetching and keeping it ---

// The coach on this phone: fetched once, checked, and kept in a database of the browser; there is one over plain http
// too. Nothing is kept that could not be used, and what can no longer be used is dropped.

/** @typedef {import("../core/page.js").Words} Words */
/**
 * What there is to fetch: `coach_data` in web/pages/pad/rule_data.py.
 * @typedef {{ link: string, bytes: number, sentences: Record<string, Words> }} About
 */
/**
 * What the server's own coach answers: `HintShape` in web/api/api_coach.py. Without choices, how far it is.
 * @typedef {{ message: string, sentence: string | null, choices: { keep: string | null, box: string | null,
 *   words: string, value: number, best: boolean }[] }} Hint
 */
/** @typedef {{ values: Values, sentences: Record<string, Words> }} Coach */
/** @typedef {{ file: Uint8Array<ArrayBuffer>, sentences: Record<string, Words>, when: number }} Kept */

const NAME = "fivedice-coach";
const STORE = "values";
const MOST_BOOKS = 6; // the last that were used

/** @type {Map<string, Coach>} */
const ready = new Map(); // by fingerprint

/** What went wrong, as the name of a sentence of the page or as a sentence of the server's. */
class Trouble extends Error {
  /**
   * @param {"coach-offline" | "coach-damaged" | "coach-browser" | "coach-no-room" | null} key
   * @param {string} [sentence]
   */
  constructor(key, sentence = "") {
    super(sentence || String(key));
    this.key = key;
  }
}

/** The coach for these rules, if this phone has it. @param {Rules} rules @returns {Promise<Coach | null>} */
async function loadCoach(rules) {
  const name = rules.fingerprint;
  const known = ready.get(name);
  if (known) return known;
  try {
    /** @type {Kept | undefined} */
    const found = await inStore("readonly", (store) => store.get(name));
    if (!found) return null;
    const coach = await prepareCoach(rules, found);
    await inStore("readwrite", (store) => store.put({ ...found, when: Date.now() }, name));
    return coach;
  } catch (error) {
    if (error instanceof BadValues && error.kind === "damaged") await forgetCoach(rules);
    return null;
  }
}

/** Where the coach can be fetched and how large it is, or `Trouble`. @param {string} link @returns {Promise<About>} */
const fetchAbout = async (link) => (await fetchAnswer(link)).json();

/**
 * What the server's coach says, or `Trouble`.
 * @param {string} link with the book @param {Rules} rules @param {Card} card @param {string} dice @param {number} left
 * @returns {Promise<Hint>}
 */
async function fetchHint(link, rules, card, dice, left) {
  const query = new URLSearchParams({ dice, rolls_left: String(left), card: cardText(rules, card) });
  return (await fetchAnswer(`${link}&${query}`)).json();
}

/** A card as the server reads it: core/notation/cards.py. @param {Rules} rules @param {Card} card */
export function cardText(rules, card) {
  const held = rules.boxes.flatMap(([, code], place) =>
    card.marks[place] === null ? [] : [`${code}:${card.marks[place]}`],
  );
  const times = card.extra === null ? "" : `/${card.bonuses}`;
  if (card.bonuses) held.push(`${rules.tally}:${totals(rules, card).extra}${times}`);
  return (held.join(",") || "-") + (card.saved ? `+${card.saved}` : "");
}

/**
 * Fetch the coach and keep it; call `progress` with the bytes so far. Throw `Trouble`, and change nothing, on failure.
 * @param {Rules} rules @param {About} about @param {(bytes: number) => void} progress @returns {Promise<Coach>}
 */
export async function fetchCoach(rules, { link, sentences }, progress) {
  const file = await download(await fetchAnswer(link), progress);
  const kept = { file, sentences, when: Date.now() };
  const coach = await prepareCoach(rules, kept).catch((error) => {
    throw new Trouble(error instanceof BadValues && error.kind === "browser" ? "coach-browser" : "coach-damaged");
  });
  await storeCoach(rules.fingerprint, kept).catch(() => { throw new Trouble("coach-no-room"); });
  return coach;
}

/** @param {Rules} rules */
async function forgetCoach(rules) {
  ready.delete(rules.fingerprint);
  await inStore("readwrite", (store) => store.delete(rules.fingerprint)).catch(() => {});
}

/** @param {Rules} rules @param {Kept} kept */
async function prepareCoach(rules, { file, sentences }) {
  const coach = { values: await prepareValues(rules, file), sentences };
  ready.set(rules.fingerprint, coach);
  return coach;
}

/** An answer that can be used. The browser keeps none: the file is kept here. @param {string} link */
async function fetchAnswer(link) {
  const answer = await fetch(link, { credentials: "same-origin", cache: "no-store" }).catch(() => {
    throw new Trouble("coach-offline");
  });
  if (answer.ok) return answer;
  const reply = await answer.json().catch(() => ({}));
  throw reply.message ? new Trouble(null, reply.message) : new Trouble("coach-offline");
}

/** @param {Response} answer @param {(bytes: number) => void} progress */
async function download(answer, progress) {
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
 * Store the values of a book, and drop the books that were used longest ago.
 * @param {string} name @param {Kept} kept
 */
async function storeCoach(name, kept) {
  await inStore("readwrite", (store) => store.put(kept, name));
  /** @type {IDBValidKey[]} */
  const names = await inStore("readonly", (store) => store.getAllKeys());
  /** @type {Kept[]} */
  const all = await inStore("readonly", (store) => store.getAll());
  const oldest = names
    .map((key, place) => ({ key, when: all[place].when }))
    .sort((one, other) => other.when - one.when)
    .slice(MOST_BOOKS);
  for (const { key } of oldest) await inStore("readwrite", (store) => store.delete(key));
}

/**
 * @template T @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest<T>} act
 * @returns {Promise<T>}
 */
async function inStore(mode, act) {
  const database = await openDatabase();
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
const openDatabase = () => new Promise((done, failed) => {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  request.onsuccess = () => done(request.result);
  request.onerror = () => failed(request.error);
});
