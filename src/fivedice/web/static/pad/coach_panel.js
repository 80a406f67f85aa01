// What the coach on this phone says, best first, in the words of the server's coach (coaching/hint_messages.py); and the
// way to fetch it. Online and without it, the server's coach is asked as ever.

import { button, make } from "../core/page.js";
import { filled, say } from "../core/words.js";
import { bestKeeps } from "./advise.js";
import { aboutCoach, fetchCoach, forgetCoach, keptCoach, Trouble } from "./kept_coach.js";

/** @typedef {import("./advise.js").Option} Option */
/** @typedef {import("./judge.js").Card} Card */
/** @typedef {import("./judge.js").Rules} Rules */
/** @typedef {import("./kept_coach.js").About} About */
/** @typedef {import("./kept_coach.js").Coach} Coach */
/**
 * What is asked, and where the answer leads.
 * @typedef {object} Question
 * @property {Rules} rules
 * @property {string[]} boxes the names of all boxes, in the order of the sheet
 * @property {Card} card
 * @property {string} dice as they lie on the table
 * @property {number | null} rollsLeft null where only the person knows
 * @property {string | null} link where the coach for these rules is; null where they are too large for a phone
 * @property {(face: string) => Node} die draws one
 * @property {(box: string | null) => void} advise marks the box that is meant
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
  else await paintOffer(panel, question);
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
  const most = rules.rolls - 1;
  const left = question.rollsLeft ?? Math.min(saidLeft, most);
  const options = bestKeeps(rules, coach.values, card, dice, left);
  const best = options[0];
  question.advise(best.box);
  const lines = [
    title(headline(question, coach, best)),
    make("p", "coach-total", say("coach-total", { total: best.total.toFixed(1) })),
    ...(question.rollsLeft === null && most ? [chooseLeft(most, left, () => paintAdvice(panel, question, coach, notice))] : []),
    make("ol", "coach-choices", options.slice(0, SHOWN).map((option, place) => choice(question, coach, option, !place))),
    ...(notice ? [alert(notice)] : []),
    make("p", "coach-note", say("coach-note")),
    make("div", "buttons", [button("primary", say("coach-close"), question.close), button("quiet-button", say("coach-remove"), () => remove(panel, question))]),
  ];
  panel.replaceChildren(...lines);
}

/**
 * Which of the rolls lies on the table, where the page was told the last dice alone.
 * @param {number} most
 * @param {number} left
 * @param {() => void} changed
 */
function chooseLeft(most, left, changed) {
  const buttons = Array.from({ length: most + 1 }, (_, count) => {
    const element = button("", String(count), () => { saidLeft = count; changed(); });
    element.id = `rolls-left-${count}`;
    element.setAttribute("aria-pressed", String(count === left));
    return element;
  });
  const group = make("div", "coach-left", [make("span", "", say("coach-rolls-left")), ...buttons]);
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", say("coach-rolls-left"));
  return group;
}

/**
 * @param {Question} question
 * @param {Coach} coach
 * @param {Option} option
 * @param {boolean} first
 */
function choice(question, coach, option, first) {
  const dice = make("span", "coach-dice", minis(question, option.keep ?? question.dice));
  dice.setAttribute("aria-hidden", "true");
  const cost = make("strong", "coach-cost", price(coach, option, first));
  const total = make("span", "coach-expected", option.total.toFixed(1));
  return make("li", option.best ? "best" : "", [dice, make("span", "coach-do", label(question, coach, option)), cost, total]);
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
    return make("span", place < 0 ? "die mini rolled" : "die mini", [die(face)]);
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
  await paintOffer(panel, question);
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
 * @param {HTMLElement} panel
 * @param {Question} question
 */
async function paintOffer(panel, question) {
  const { link } = question;
  if (!link) return paintTrouble(panel, question, say("coach-too-large"));
  try {
    paintFetch(panel, question, await aboutCoach(link));
  } catch (error) {
    paintTrouble(panel, question, why(error), () => paintOffer(panel, question));
  }
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
function paintFetch(panel, question, about) {
  const size = megabytes(about.bytes);
  const start = button("primary", say("coach-fetch", { size }), () => fetchNow(panel, question, about));
  start.id = "coach-fetch";
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
    else paintTrouble(panel, question, why(error), () => paintOffer(panel, question));
  }
  panel.focus({ preventScroll: true });
}
