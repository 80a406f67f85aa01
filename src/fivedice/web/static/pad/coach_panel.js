// What the coach on this phone says, best first, in the words of the server's coach (coaching/hint_messages.py); and the
// way to fetch it. Until it is here the server's own coach is asked, as long as there is a connection.

import { button, byId, make } from "../core/page.js";
import { filled, say } from "../core/words.js";
import { bestKeeps } from "./advise.js";
import { totals } from "./judge.js";
import { aboutCoach, fetchCoach, forgetCoach, keptCoach, serverHint, Trouble } from "./kept_coach.js";

/** @typedef {import("./advise.js").Option} Option */
/** @typedef {import("./judge.js").Card} Card */
/** @typedef {import("./judge.js").Rules} Rules */
/** @typedef {import("./kept_coach.js").About} About */
/** @typedef {import("./kept_coach.js").Coach} Coach */
/** @typedef {import("./kept_coach.js").Hint} Hint */
/**
 * What is asked, and where the answer leads.
 * @typedef {object} Question
 * @property {Rules} rules
 * @property {string[]} boxes the names of all boxes, in the order of the sheet
 * @property {Card} card
 * @property {string} dice as they lie on the table
 * @property {number | null} rollsLeft null where only the person knows
 * @property {{ about: string | null, hint: string | null }} links where the coach for these rules is, or nothing where they
 *   are too large for a phone; and where the server's is asked
 * @property {(face: string) => Node} die draws one
 * @property {(box: string | null) => void} advise marks the box that is meant
 * @property {((dice: string) => void) | null} keep holds these dice, where the page can
 * @property {() => void} close
 */

const SHOWN = 5; // choices
const KEEPS = ["", "coach.do-keep-1", "coach.do-keep-2", "coach.do-keep-3", "coach.do-keep-4", "coach.do-keep-5", "coach.do-keep-6"];
const MEGABYTE = 1e6;

/** How many rolls the person said were left, for the turn that is being played. */
let saidLeft = 0;

/**
 * Show what the coach says, or how to get it.
 * @param {HTMLElement} holder
 * @param {Question} question
 */
export async function showCoach(holder, question) {
  const panel = make("section", "coach-panel");
  panel.id = "coach-panel";
  panel.tabIndex = -1;
  panel.setAttribute("aria-labelledby", "coach-title");
  holder.replaceChildren(panel);
  const coach = await keptCoach(question.rules);
  if (coach) paintAdvice(panel, question, coach);
  else await paintOnline(panel, question);
  panel.focus({ preventScroll: true });
}

// --- advice ---

/**
 * @param {HTMLElement} panel
 * @param {Question} question
 * @param {Coach} coach
 * @param {string} [notice]
 */
function paintAdvice(panel, question, coach, notice) {
  const { rules, card, dice } = question;
  const options = bestKeeps(rules, coach.values, card, dice, leftOf(question));
  const best = options[0];
  const lines = [
    title(headline(question, coach, best)),
    make("p", "coach-total", say("coach-total", { total: best.total.toFixed(1) })),
    ...chooseLeft(question, () => paintAdvice(panel, question, coach, notice)),
    ...(notice ? [alert(notice)] : []),
    listed(options.slice(0, SHOWN).map((option, place) => choice(question, coach, option, !place)), [button("coach-remove", say("coach-remove"), () => remove(panel, question))]),
    ways(question, best.keep),
  ];
  panel.replaceChildren(...lines);
  question.advise(best.box);
}

/**
 * What can be done now: hold the dice that are meant, or close.
 * @param {Question} question
 * @param {string | null} best
 * @param {HTMLElement[]} [more]
 */
function ways({ keep, close }, best, more = []) {
  if (!keep || best === null) return make("div", "buttons", [...more, button("primary", say("coach-close"), close)]);
  const held = button("primary", say(best ? "coach-keep-these" : "coach-keep-none"), () => keep(best));
  held.id = "coach-hold";
  return make("div", "buttons", [...more, button("", say("coach-close"), close), held]);
}

/**
 * Where there is little room, the list alone is scrolled.
 * @param {HTMLElement[]} choices
 * @param {HTMLElement[]} [below]
 */
function listed(choices, below = []) {
  const list = make("div", "coach-list", [make("ol", "coach-choices", choices), make("p", "coach-note", say("coach-note")), ...below]);
  list.tabIndex = 0;
  list.setAttribute("role", "group");
  list.setAttribute("aria-label", say("coach-choices"));
  return list;
}

/** @param {Question} question */
const leftOf = ({ rules, rollsLeft }) => rollsLeft ?? Math.min(saidLeft, rules.rolls - 1);

/**
 * Which of the rolls lies on the table, where the page was told the last dice alone.
 * @param {Question} question
 * @param {() => void | Promise<void>} changed
 */
function chooseLeft(question, changed) {
  if (question.rollsLeft !== null || question.rules.rolls < 2) return [];
  const buttons = Array.from({ length: question.rules.rolls }, (_, count) => {
    const element = button("", String(count), async () => {
      saidLeft = count;
      await changed();
      byId(`rolls-left-${count}`)?.focus({ preventScroll: true });
    });
    element.id = `rolls-left-${count}`;
    element.setAttribute("aria-pressed", String(count === leftOf(question)));
    return element;
  });
  const group = make("div", "coach-left", [make("span", "", say("coach-rolls-left")), ...buttons]);
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", say("coach-rolls-left"));
  return [group];
}

/**
 * @param {Question} question
 * @param {Coach} coach
 * @param {Option} option
 * @param {boolean} first
 */
const choice = (question, coach, option, first) => line(question, option, label(question, coach, option), price(coach, option, first));

/**
 * @param {Question} question
 * @param {{ keep: string | null, total: number, best: boolean }} option
 * @param {string} words
 * @param {string} [cost]
 */
function line(question, { keep, total, best }, words, cost = "") {
  const dice = make("span", "coach-dice", minis(question, keep ?? question.dice));
  dice.setAttribute("aria-hidden", "true");
  const parts = [dice, make("span", "coach-do", words), make("strong", "coach-cost", cost), make("span", "coach-expected", total.toFixed(1))];
  return make("li", best ? "best" : "", parts);
}

/**
 * The dice as they lie, those that are rolled again faint.
 * @param {Question} question
 * @param {string} keep
 */
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

/**
 * @param {Coach} coach
 * @param {string} kind
 * @param {Record<string, string | number>} [values]
 */
const told = ({ sentences }, kind, values) => filled(sentences[kind] ?? kind, values);

/**
 * What a box is called and scores.
 * @param {Question} question
 * @param {Option} option
 */
function scored({ rules, boxes }, { box, entry }) {
  const name = boxes[rules.index.get(box ?? "") ?? -1] ?? "";
  const kind = `${entry?.extra ? "-bonus" : ""}${entry?.joker ? "-joker" : ""}`;
  return { kind, values: { box: name, points: entry?.points ?? 0, bonus: entry?.extra ?? 0 } };
}

/**
 * What to do, as the first thing to read.
 * @param {Question} question
 * @param {Coach} coach
 * @param {Option} best
 */
function headline(question, coach, best) {
  const faces = best.keep;
  if (faces === null) {
    const { kind, values } = scored(question, best);
    return told(coach, `coach.do-score${kind}`, values);
  }
  const kinds = new Set(faces);
  const named = KEEPS[Number(faces[0])];
  if (!faces) return told(coach, "coach.do-roll-all");
  if (kinds.size === 1 && named) return told(coach, named, { count: faces.length, number: number(coach, faces.length) });
  if (faces.length === 4 && kinds.size === 2 && faces[0] === faces[1] && faces[2] === faces[3]) return told(coach, "coach.do-keep-pairs");
  return told(coach, "coach.do-keep", { dice: [...faces].join("-") });
}

/**
 * @param {Coach} coach
 * @param {number} count
 */
const number = (coach, count) => (coach.sentences[`coach.number-${count}`] ? told(coach, `coach.number-${count}`) : count);

/**
 * What to do, in a few words.
 * @param {Question} question
 * @param {Coach} coach
 * @param {Option} option
 */
function label(question, coach, option) {
  if (option.keep) return told(coach, "coach.keep", { dice: [...option.keep].join("-") });
  if (option.keep === "") return told(coach, "coach.roll-all", { count: question.rules.dice });
  const { kind, values } = scored(question, option);
  return told(coach, `coach.entry${kind}`, values);
}

/**
 * @param {Coach} coach
 * @param {Option} option
 * @param {boolean} first
 */
function price(coach, { best, cost }, first) {
  if (best) return told(coach, first ? "coach.choice-best" : "coach.choice-as-good");
  const points = cost.toFixed(1);
  return told(coach, "coach.choice-costs-all", { cost: told(coach, "coach.points", { points, count: points === "1.0" ? 1 : 2 }) });
}

/**
 * @param {HTMLElement} panel
 * @param {Question} question
 */
async function remove(panel, question) {
  await forgetCoach(question.rules);
  question.advise(null);
  await paintOnline(panel, question);
  panel.focus({ preventScroll: true });
}

// --- fetching ---

/** @param {string} text */
function title(text) {
  const element = make("h2", "", text);
  element.id = "coach-title";
  return element;
}

/** @param {string} text */
function alert(text) {
  const element = make("p", "notice", text);
  element.setAttribute("role", "alert");
  return element;
}

/** @param {number} bytes */
const megabytes = (bytes) => Math.max(0.1, bytes / MEGABYTE).toFixed(1);

/** @param {unknown} error */
const why = (error) => (error instanceof Trouble && !error.key ? error.message : say(error instanceof Trouble && error.key ? error.key : "coach-damaged"));

/**
 * What the server says, while this phone has no coach; and the way to get one.
 * @param {HTMLElement} panel
 * @param {Question} question
 */
async function paintOnline(panel, question) {
  const { links, rules, card, dice } = question;
  const again = () => paintOnline(panel, question);
  const moment = make("p", "", say("coach-moment"));
  moment.setAttribute("role", "status");
  panel.replaceChildren(title(say("coach-title")), moment);
  const offer = links.about ? aboutCoach(links.about).then((about) => fetchButton(panel, question, about)) : Promise.resolve(null);
  offer.catch(() => {}); // it is told below, where the server has nothing better to say
  /** @type {unknown} */
  let trouble = null;
  try {
    const hint = links.hint ? await serverHint(links.hint, rules, card, dice, leftOf(question)) : null;
    const buttons = hint && paintHint(panel, question, hint, again);
    if (buttons) return void offer.then((start) => { if (start) buttons.prepend(start); }, () => {}); // packing takes a second
  } catch (error) { trouble = error; }
  try {
    const start = await offer;
    if (start) return paintFetch(panel, question, start);
  } catch (error) { trouble = error; }
  paintTrouble(panel, question, trouble ? why(trouble) : say("coach-too-large"), trouble ? again : undefined);
}

/**
 * @param {HTMLElement} panel
 * @param {Question} question
 * @param {Hint} hint
 * @param {() => Promise<void>} again
 */
function paintHint(panel, question, hint, again) {
  const { grand } = totals(question.rules, question.card);
  const options = hint.choices.map(({ keep, value, best, words }) => ({ keep: keep && keep.replaceAll("-", ""), best, words, total: grand + value }));
  const lines = options.map((option) => line(question, option, option.words));
  const buttons = ways(question, options[0]?.keep ?? null, options.length ? [] : [button("", say("coach-again"), again)]);
  panel.replaceChildren(
    title(hint.sentence ?? hint.message),
    ...(options.length ? [make("p", "coach-total", say("coach-total", { total: options[0].total.toFixed(1) }))] : []),
    ...chooseLeft(question, again),
    listed(lines),
    buttons,
  );
  question.advise(hint.choices[0]?.box ?? null);
  return buttons;
}

/**
 * @param {HTMLElement} panel
 * @param {Question} question
 * @param {string} text
 * @param {() => void} [again]
 */
function paintTrouble(panel, question, text, again) {
  const buttons = [...(again ? [button("primary", say("coach-again"), again)] : []), button(again ? "" : "primary", say("coach-close"), question.close)];
  panel.replaceChildren(title(say("coach-title")), alert(text), make("div", "buttons", buttons));
}

/**
 * @param {HTMLElement} panel
 * @param {Question} question
 * @param {About} about
 */
function fetchButton(panel, question, about) {
  const start = button("", say("coach-fetch", { size: megabytes(about.bytes) }), () => fetchNow(panel, question, about));
  start.id = "coach-fetch";
  return start;
}

/**
 * @param {HTMLElement} panel
 * @param {Question} question
 * @param {HTMLElement} start
 */
function paintFetch(panel, question, start) {
  start.className = "primary";
  panel.replaceChildren(title(say("coach-title")), make("p", "", say("coach-about")), make("div", "buttons", [start, button("", say("coach-close"), question.close)]));
}

/**
 * @param {HTMLElement} panel
 * @param {Question} question
 * @param {About} about
 */
async function fetchNow(panel, question, about) {
  const bar = document.createElement("progress");
  const line = make("p", "", "");
  line.setAttribute("role", "status");
  bar.max = about.bytes;
  bar.setAttribute("aria-label", say("coach-fetching"));
  /** @param {number} bytes */
  const progress = (bytes) => {
    bar.value = bytes;
    line.textContent = say("coach-progress", { done: (bytes / MEGABYTE).toFixed(1), size: megabytes(about.bytes) });
  };
  progress(0);
  panel.replaceChildren(title(say("coach-fetching")), bar, line);
  try {
    paintAdvice(panel, question, await fetchCoach(question.rules, about, progress));
  } catch (error) {
    const coach = error instanceof Trouble && error.key === "coach-no-room" ? await keptCoach(question.rules) : null;
    if (coach) paintAdvice(panel, question, coach, why(error));
    else paintTrouble(panel, question, why(error), () => paintOnline(panel, question));
  }
  panel.focus({ preventScroll: true });
}
