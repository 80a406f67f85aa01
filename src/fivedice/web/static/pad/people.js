// Who plays: other names, somebody more, somebody who skips or leaves, and the end of the sheet before its time.

import { all, button, byId, make, one } from "../core/page.js";
import { say } from "../core/words.js";
import { lastTurn, next } from "./sheet.js";
import { isOver } from "./status.js";

/** @typedef {import("./sheet.js").State} State */
/** @typedef {(op: { command: string, [field: string]: unknown }, said?: string) => void} Act */

let painted = ""; // what it shows: it is painted anew only where that changes
/** @type {HTMLElement | null} */
let last = null; // where it was painted

/** @param {{ state: State, most: number, act: Act }} people */
export function paintPeople({ state, most, act }) {
  const place = byId("people-now");
  if (!place) { painted = ""; return; }
  const typed = all("input", HTMLInputElement, last ?? place).filter(({ value, defaultValue }) => value !== defaultValue);
  const at = next(state);
  const shows = JSON.stringify([state.names, [...state.out], at, isOver(state)]);
  if (shows === painted && place.children.length) return;
  painted = shows;
  const lines = state.names.map((name, seat) => person(state, name, seat, act));
  const more = state.names.length < most && at ? [joining(act)] : [];
  place.replaceChildren(make("ul", "people-list", lines), ...more, ...(at ? [skipping(state, at, act), ending(state, act)] : []));
  last = place;
  for (const { id, value } of typed) { // names that are being typed
    const field = one(`#${id}`, HTMLInputElement, place);
    if (field) field.value = value;
  }
}

/**
 * @param {State} state
 * @param {string} name
 * @param {number} seat
 * @param {Act} act
 */
function person(state, name, seat, act) {
  const form = naming(`name-${seat}`, say("name-of-player", { number: seat + 1 }), name, say("rename"), (text) => { if (text !== name) act({ command: "rename", seat, name: text }, say("renamed", { name: text })); });
  if (isOver(state)) return make("li", "", [form]);
  const isOut = state.out.has(seat);
  const leave = button("", say(isOut ? "rejoin" : "leave"), () => act({ command: isOut ? "rejoin" : "retire", seat }, say(isOut ? "came-back" : "has-left", { name })));
  leave.id = `leave-${seat}`;
  leave.setAttribute("aria-label", say(isOut ? "rejoin-name" : "leave-name", { name }));
  const others = state.names.length - state.out.size;
  return make("li", isOut ? "gone" : "", [form, ...(isOut || others > 1 ? [leave] : [])]);
}

/**
 * A field with its button.
 * @param {string} id
 * @param {string} label
 * @param {string} value
 * @param {string} verb
 * @param {(text: string) => void} done
 */
function naming(id, label, value, verb, done) {
  const field = document.createElement("input");
  Object.assign(field, { id, value, defaultValue: value, maxLength: 60, autocomplete: "off", required: true });
  field.setAttribute("aria-label", label);
  field.autocapitalize = "words";
  field.placeholder = value ? "" : label;
  const form = document.createElement("form");
  form.className = "naming";
  form.dataset.here = ""; // needs no server
  form.append(field, Object.assign(make("button", "", verb), { type: "submit" }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    event.stopPropagation();
    const text = field.value.trim();
    form.reset();
    if (text) done(text);
  });
  return form;
}

/** @param {Act} act */
const joining = (act) => naming("join-name", say("join-label"), "", say("join"), (name) => act({ command: "join", name }, say("has-joined", { name })));

/**
 * @param {State} state
 * @param {{ game: number, turn: number, seat: number }} at
 * @param {Act} act
 */
function skipping(state, { game, turn, seat }, act) {
  const name = state.names[seat];
  const skip = button("", say("skip", { name }), () => act({ command: "pass", game, turn, seat }, say("skipped", { name })));
  skip.id = "skip";
  return make("p", "", [skip, " ", make("span", "quiet", say("skip-why"))]);
}

/**
 * @param {State} state
 * @param {Act} act
 */
function ending(state, act) {
  const fold = document.createElement("details");
  fold.id = "end-early";
  const summary = make("summary", "", say("end-sheet"));
  const done = state.played.length > 1 ? "end-why-games" : "end-why";
  const end = button("", say("end-now"), () => act({ command: "end" }, say("ended")));
  end.id = "end-now";
  fold.append(summary, make("p", "", say(lastTurn(state) ? done : "end-why-empty")), end);
  return fold;
}
