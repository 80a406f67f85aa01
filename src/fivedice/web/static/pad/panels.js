// Panels that an empty sheet does not need: who plays, a correction before it is saved, what waits to be sent, and what
// the server refused. Fetched once the sheet has an entry, or when a person opens one of them.

import { all, button, byId, make, one, say } from "../core/page.js";
import { judge, sayReason } from "./judge.js";
import { cardBefore, consequences, isName, isOver, lastTurn, LONGEST_NAME, next, quoteName } from "./sheet.js";
import { copyTurns, listUnsent } from "./state.js";

/** @import { Change, State } from "./sheet.js" */
/** @typedef {(op: { command: string, [field: string]: unknown }, said?: string) => void} Act */

// --- who plays ---

// Other names, one player more, someone who skips or leaves, and the end of the sheet before its time.

let painted = ""; // what it shows: it is painted anew only where that changes
/** @type {HTMLElement | null} */
let last = null; // where it was painted

/** @param {{ state: State, most: number, act: Act }} people */
export function paintPeople({ state, most, act }) {
  const place = byId("people-now");
  if (!place) { painted = ""; return; }
  const typed = all("input", HTMLInputElement, last ?? place).filter(
    ({ value, defaultValue }) => value !== defaultValue,
  );
  const at = next(state);
  const shows = JSON.stringify([state.names, [...state.out], at, isOver(state)]);
  if (shows === painted && place.children.length) return;
  painted = shows;
  const lines = state.names.map((name, seat) => makePerson(state, name, seat, act));
  const more = state.names.length < most && at ? [makeJoinForm(act)] : [];
  place.replaceChildren(
    make("ul", "people-list", lines), ...more,
    ...(at ? [makeSkipButton(state, at, act), makeEndPanel(state, act)] : []),
  );
  last = place;
  for (const { id, value } of typed) { // names that are being typed
    const field = one(`#${id}`, HTMLInputElement, place);
    if (field) field.value = value;
  }
}

/** @param {State} state @param {string} name @param {number} seat @param {Act} act */
function makePerson(state, name, seat, act) {
  const form = makeNameForm(
    `name-${seat}`, say("name-of-player", { number: seat + 1 }), name, say("rename"),
    (text) => {
      if (text !== name) act({ command: "rename", seat, name: text }, say("renamed", { name: text }));
    },
  );
  if (isOver(state)) return make("li", "", [form]);
  const isOut = state.out.has(seat);
  const [command, said] = isOut ? ["rejoin", "came-back"] : ["retire", "has-left"];
  const about = { id: `leave-${seat}`, "aria-label": say(isOut ? "rejoin-name" : "leave-name", { name }) };
  const leave = button("", say(isOut ? "rejoin" : "leave"), () => act({ command, seat }, say(said, { name })), about);
  const others = state.names.length - state.out.size;
  return make("li", isOut ? "gone" : "", [form, ...(isOut || others > 1 ? [leave] : [])]);
}

/**
 * A field with its button.
 * @param {string} id @param {string} label @param {string} value @param {string} verb
 * @param {(text: string) => void} done
 */
function makeNameForm(id, label, value, verb, done) {
  const field = document.createElement("input");
  Object.assign(field, {
    id, value, defaultValue: value, maxLength: LONGEST_NAME, autocomplete: "off", required: true,
  });
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
    if (text && !isName(text)) return refuseName(field, text);
    form.reset();
    if (text) done(text);
  });
  field.addEventListener("input", () => field.setCustomValidity(""));
  return form;
}

/** Say at once what a server would say for ever. @param {HTMLInputElement} field @param {string} name */
function refuseName(field, name) {
  field.setCustomValidity(say("name-refused", { name: quoteName(name), most: LONGEST_NAME }));
  field.reportValidity();
}

/** @param {Act} act */
const makeJoinForm = (act) =>
  makeNameForm("join-name", say("join-label"), "", say("join"), (name) =>
    act({ command: "join", name }, say("has-joined", { name })),
  );

/** @param {State} state @param {{ game: number, turn: number, seat: number }} at @param {Act} act */
function makeSkipButton(state, { game, turn, seat }, act) {
  const name = state.names[seat];
  const pass = () => act({ command: "pass", game, turn, seat }, say("skipped", { name }));
  const skip = button("", say("skip", { name }), pass, { id: "skip" });
  return make("p", "", [skip, " ", make("span", "quiet", say("skip-why"))]);
}

/** @param {State} state @param {Act} act */
function makeEndPanel(state, act) {
  const done = state.played.length > 1 ? "end-why-games" : "end-why";
  const why = make("p", "", say(lastTurn(state) ? done : "end-why-empty"));
  const end = button("", say("end-now"), () => act({ command: "end" }, say("ended")), { id: "end-now" });
  return make("details", "", [make("summary", "", say("end-sheet")), why, end], { id: "end-early" });
}

// --- corrections ---

// A correction before it is saved: what it changes, and which later entries cannot stand with it.

/** @import { Draft, Pad, Sent } from "./state.js" */
/**
 * @typedef {object} Fixing
 * @property {import("./sheet.js").State} state
 * @property {import("./judge.js").Rules} rules
 * @property {import("./judge.js").Words} words
 * @property {Draft} draft
 * @property {(changes: Partial<Draft>) => void} type
 * @property {() => void} save
 */

/** @param {Fixing} fixing */
export function makeEffectPanel(fixing) {
  const { state, draft: { change, along, instead }, type, save } = fixing;
  if (!change) return [];
  const effect = consequences(state, [change, ...along]);
  const body = effect.problems.length
    ? effect.problems.map((problem) => makeProblem(fixing, problem))
    : [listChanges(fixing, effect.lines)];
  const yes = button("primary", say("save-correction"), save, { id: "save-fix" });
  const again = instead.length
    ? button("", say("change"), () => type({ change: null, faces: change.dice ?? "" })) // with its dice
    : button("", say("change-again"), () => type({ change: null, along: [], faces: "" }));
  return [make("div", "effect", body), make("div", "buttons", [...(effect.problems.length ? [] : [yes]), again])];
}

/** @param {Fixing} fixing @param {import("./sheet.js").Difference[]} lines */
function listChanges({ state, words }, lines) {
  if (!lines.length) return make("p", "", say("no-score-changes"));
  const rows = lines.map(({ seat, game, line, before, after }) => {
    const label = line === null ? say(game === null ? "match-total" : "saved-rolls") : words.names.lines[line];
    const name = say(state.games > 1 && game !== null ? "line-of-game" : "line-of", {
      name: state.names[seat], line: label, number: (game ?? 0) + 1,
    });
    return make("tr", "", [
      make("th", "", name, { scope: "row" }), make("td", "num", sayValue(before)), make("td", "arrow", "→"),
      make("td", "num", [make("strong", "", sayValue(after))]),
    ]);
  });
  return make("table", "changes", [make("tbody", "", rows)]);
}

/** @param {number | null} value */
const sayValue = (value) => (value === null ? say("open") : String(value));

/**
 * A written turn that the rules would forbid now, and where its dice could go instead.
 * @param {Fixing} fixing @param {import("./sheet.js").Problem} problem
 */
function makeProblem({ state, rules, words, draft, type }, { game, turn, seat, box, why, boxes }) {
  const { change, along, was } = draft;
  /** @param {string} key */
  const label = (key) => words.names.boxes[rules.index.get(key) ?? 0];
  const own = change?.game === game && change.turn === turn;
  const reason = sayReason(rules, words, why);
  const text = own ? reason : say("later-entry", { name: state.names[seat], box: label(box), reason });
  const line = make("p", "problem", text, { role: "alert" });
  const isIt = (/** @type {Change} */ other) => other.game === game && other.turn === turn;
  const ways = boxes.map((each) => {
    const way = say(each.free ? "box-points" : "box-points-later", { box: label(each.box), points: each.points });
    const moved = { ...along.find(isIt), game, turn, box: each.box };
    const others = along.filter((other) => !isIt(other));
    const aside = { along: [...others, moved], was: [...was, ...copyTurns([moved])] };
    return button("", way, () => type(own && change ? { change: { ...change, box: each.box } } : aside));
  });
  return make("div", "", [line, make("div", "ways", ways)]);
}

// --- what waits ---

// What was done here and is not at the server yet, and what it did not take: a person sees both and chooses.

/**
 * @typedef {{ game: number, turn: number, seat: number, dice: string | null, points: number, box: string,
 *   saved?: number, rolls?: import("./state.js").Rolled[] }} Written
 */
/**
 * @typedef {object} Waiting
 * @property {Pad} pad
 * @property {import("./state.js").Sheet} sheet
 * @property {import("./sheet.js").State} state
 * @property {import("./judge.js").Rules} rules
 * @property {import("./judge.js").Words} words
 */
/**
 * @typedef {Waiting & Pick<import("./painting.js").Hands, "discard" | "rewrite" | "takeMine" |
 *   "type">} Asking with what a tap leads to
 */

/** @type {Record<string, string>} */
const SAID = {
  next: "op-next", erase: "op-erase", correct: "op-correct", pass: "op-pass", join: "op-join", retire: "op-retire",
  rejoin: "op-rejoin", rename: "op-rename", end: "op-end",
};

/** @param {Asking} waiting */
export function paintWaiting(waiting) {
  const place = byId("waiting");
  const list = waiting.pad.local ? [] : listUnsent(waiting.sheet);
  if (!place) return;
  place.hidden = !list.length;
  const lines = list.map((sent) => make("li", "", [describe(waiting, sent), ...makeWayOut(waiting, sent)]));
  place.replaceChildren(make("h2", "", say("waiting", { count: list.length })), make("ul", "", lines));
}

/**
 * Why an entry waits that nothing else asks about, and the way out: another player has to write first.
 * @param {Asking} waiting @param {Sent} sent
 */
function makeWayOut(waiting, sent) {
  const { sheet, state, discard } = waiting;
  const isAsked = listUnsent(sheet).some((each) => each.refused && mayAsk(waiting, each));
  if (isAsked || !(sent.refused || state.refused.has(sent.op.key))) return [];
  return [`. ${sent.refused?.message ?? ""} `, button("", say("discard"), () => discard([sent.op.key]))];
}

/**
 * Whether it can be settled now. The turn of another player comes first: until then the keys are for that player.
 * @param {Waiting} waiting @param {Sent} sent
 */
function mayAsk(waiting, sent) {
  const at = next(waiting.state);
  return !at || sent.op.command !== "write" || sent.op.seat === at.seat || standsFor(waiting, sent) !== null;
}

/** @param {Waiting} waiting @param {Sent} sent */
export function describe(waiting, { op }) {
  if (op.command === "write") return describeTurn(waiting, /** @type {Written} */ (/** @type {unknown} */ (op)));
  if (op.command === "correct") return describeCorrection(waiting, /** @type {any} */ (op));
  if (op.command === "erase" && seenOf(op).length)
    return say("undo-entry", { entry: describeTurn(waiting, seenOf(op)[0]) });
  return say(SAID[op.command] ?? "not-taken", {
    name: String(op.name ?? waiting.state.names[Number(op.seat)] ?? ""),
    game: Number(op.game ?? 0) + 1,
  });
}

/** What the person saw where an operation changes something. @param {Sent["op"]} op */
const seenOf = (op) => /** @type {import("./state.js").Seen[]} */ (op.was ?? []);

/** @param {Waiting} waiting @param {{ seat: number, dice: string | null, points: number, box: string }} written */
export function describeTurn({ state, rules, words }, { seat, dice, points, box }) {
  const values = {
    name: state.names[seat] ?? "", points, box: words.names.boxes[rules.index.get(box) ?? 0] ?? box,
    dice: [...(dice ?? "")].join("-"),
  };
  if (!values.name) return say("box-points", values); // the turn was taken back
  return say(dice ? "entry-dice" : "entry-points", values);
}

/**
 * Each entry as it was when it was corrected, and what it should be.
 * @param {Waiting} waiting @param {{ changes: import("./sheet.js").Change[], was?: import("./state.js").Seen[] }} op
 */
function describeCorrection(waiting, { changes, was = [] }) {
  const { state, rules } = waiting;
  return changes.map((change) => {
    const { game, turn } = change;
    const stands = state.played[game]?.turns[turn];
    const seen = was.find((each) => each.game === game && each.turn === turn);
    if (!seen) return say("op-correct");
    const [box, dice] = [change.box ?? seen.box, change.dice ?? (change.points === undefined ? seen.dice : null)];
    const points =
      stands && dice ? judge(rules, cardBefore(state, game, turn), dice).boxes[box]?.points : change.points;
    const { seat } = seen;
    const [before, after] = [
      seen,
      { seat, dice, points: points ?? seen.points, box },
    ].map((each) => describeTurn(waiting, each));
    return say("correct-to", { before, after });
  }).join("; ");
}

/**
 * What stands on the sheet at a place; "" where nothing does.
 * @param {Waiting} waiting @param {import("./state.js").Place} place
 */
function describeStanding(waiting, { game, turn }) {
  const stands = findStanding(waiting, { game, turn });
  return stands ? describeTurn(waiting, { ...stands, dice: stands.told === false ? null : stands.dice }) : "";
}

/** @param {Waiting} waiting @param {import("./state.js").Place} at of a turn that the server has */
const findStanding = ({ pad, state }, { game, turn }) =>
  pad.played[game]?.turns[turn] && (state.played[game]?.turns[turn] ?? pad.played[game].turns[turn]);

/**
 * The first thing that was refused, and the ways out of it: each is one tap, and nothing has to be typed again.
 * @param {Asking} waiting
 */
export function makeConflictPanel(waiting) {
  const refused = listUnsent(waiting.sheet).filter((sent) => sent.refused && mayAsk(waiting, sent));
  const [first] = refused;
  if (!first) return null;
  const clash = refused.filter((sent) => standsFor(waiting, sent));
  if (standsFor(waiting, first)) return { clash: true, panel: makeClashPanel(waiting, clash) };
  const stands = describeInstead(waiting, first);
  const theirs = stands ? [make("br"), make("strong", "", `${say("theirs")} `), stands] : [];
  const said = `${describe(waiting, first)}. ${first.refused?.message ?? ""}`;
  const line = make("p", "refused", [said, ...theirs], { role: "alert" });
  return { clash: false, panel: [line, make("div", "buttons", makeWaysOut(waiting, first))] };
}

/**
 * What stands in the way of a correction or an undo: other numbers there, or the entry that came last.
 * @param {Waiting} waiting @param {Sent} sent
 */
function describeInstead(waiting, { op }) {
  const end = op.command === "erase" ? lastTurn(waiting.state) : null;
  const known = seenOf(op).map((seen) => describeTurn(waiting, seen));
  const stands = (end ? [end] : seenOf(op)).map((place) => describeStanding(waiting, place));
  return stands.find((each) => each && !known.includes(each)) ?? "";
}

/** @param {Sent} sent @returns {import("./sheet.js").Change[]} */
const changesOf = ({ op }) => /** @type {any} */ (op).changes ?? [];

/** @param {Asking} waiting @param {Sent} sent */
function makeWaysOut({ pad, state, discard, rewrite, takeMine }, sent) {
  const { op } = sent;
  const changes = changesOf(sent);
  const was = seenOf(op);
  const isThere = changes.length && changes.every(({ game, turn }) => {
    const seen = was.find((each) => each.game === game && each.turn === turn);
    const stands = pad.played[game]?.turns[turn];
    return stands && stands.seat === (seen?.seat ?? stands.seat); // not in the place of another player's entry
  });
  const change =
    op.command === "write" && next(state)
      ? [button("primary", say("change"), () => rewrite(/** @type {any} */ (op), op.key))]
      : [];
  const mine = isThere ? [button("primary", say("take-mine", { count: 1 }), () => takeMine(changes, [op.key]))] : [];
  return [...change, ...mine, button("", say("discard"), () => discard([op.key]))];
}

/**
 * What stands on the sheet where this entry should be. Where it is the turn of another player, the entry cannot
 * replace it.
 * @param {Waiting} waiting @param {Sent} sent
 */
function standsFor(waiting, { op }) {
  const at = { game: Number(op.game), turn: Number(op.turn) };
  const stands = op.command === "write" ? findStanding(waiting, at) : null;
  return stands?.seat === op.seat ? stands ?? null : null;
}

/** @param {Asking} waiting @param {Sent[]} clash */
function makeClashPanel(waiting, clash) {
  const rows = clash.map((sent) => make("li", "", [
    make("p", "", [make("strong", "", `${say("mine")} `), describe(waiting, sent)]),
    make("p", "", [make("strong", "", `${say("theirs")} `), describeStanding(waiting, /** @type {any} */ (sent.op))]),
    ...(clash.length > 1 ? [make("div", "buttons", choices(waiting, [sent]))] : []),
  ]));
  const all = choices(waiting, clash);
  for (const [place, id] of ["take-theirs", "take-mine"].entries()) all[place].id = id;
  return [make("ul", "clash", rows), make("div", "buttons", all)];
}

/** What stands, or what was written here. @param {Asking} waiting @param {Sent[]} clash */
function choices({ discard, takeMine }, clash) {
  const [keys, count] = [clash.map(({ op }) => op.key), clash.length];
  const changes = clash.map(({ op }) => changeOf(/** @type {Written} */ (/** @type {unknown} */ (op))));
  return [
    button("primary", say("take-theirs", { count }), () => discard(keys)),
    button("", say("take-mine", { count }), () => takeMine(changes, keys)),
  ];
}

/** My entry in the place of the one that stands. @param {Written} written @returns {import("./sheet.js").Change} */
const changeOf = ({ game, turn, dice, points, box, saved }) =>
  ({ game, turn, box, ...(dice ? { dice } : { points }), ...(saved === undefined ? {} : { saved }) });
