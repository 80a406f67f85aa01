// The page of a sheet, painted from what is known now: who is on turn, the card, the dock under the thumb, the paper.

import { isOffline, part } from "../core/live.js";
import {
  all, button, byId, formatSigned, importWhole, joinList, make, one, parts, say, whenStill,
} from "../core/page.js";
import { answers, bonusAt, judge, sayReason, totals } from "./judge.js";
import { paintPaper } from "./paper.js";
import { cards, isOver, lastTurn, next, outcome } from "./sheet.js";
import {
  byRolls, cardNow, diceNow, draft, labelOf, listUnsent, mode, mostLeft, mostRolls, now, refusedEntry, rulingOf,
  turnAt, wanted,
} from "./state.js";

/**
 * What a tap leads to: input.js.
 * @typedef {object} Hands
 * @property {(box: string) => void} tap
 * @property {(at: import("./state.js").Place) => void} fix
 * @property {(slot: number) => void} hold
 * @property {(changes: Partial<import("./state.js").Draft>) => void} type
 * @property {() => void} saveFix
 * @property {(box: string) => void} scoreZero
 * @property {(box: string | null) => void} ask
 * @property {(answer: import("./judge.js").Answer) => void} chooseNumber
 * @property {(points: number | null) => void} askDice
 * @property {(op: import("./state.js").Act, said?: string) => void} act
 * @property {(keys: string[]) => void} discard
 * @property {(op: import("./panels.js").Written, key: string) => void} rewrite
 * @property {(changes: import("./sheet.js").Change[], keys: string[]) => void} takeMine
 * @property {() => void} askCoach
 */

/** @type {Hands} */
let hands;
/** @param {Hands} given */
export const useHands = (given) => { hands = given; };

/** @type {unknown[]} */
let onPaper = []; // what the sheet was painted from

/** @type {typeof import("./panels.js") | null} */
let panels = null; // players, corrections, and what waits
let isLoading = false;

/** @param {string} id @param {boolean} isHidden */
const hide = (id, isHidden) => byId(id)?.toggleAttribute("hidden", isHidden);
/** @param {string} id @param {(string | Node)[]} content */
const fill = (id, ...content) => byId(id)?.replaceChildren(...content);

export function paint() {
  if (!now.state) return;
  const { fix: fixing, box, change, instead } = draft();
  const { pad, state, words, rules, sheet, advised } = now;
  const card = pad.keeper ? cardNow() : null;
  const dice = change ? "" : diceNow();
  const waiting = pad.keeper ? listUnsent(sheet) : [];
  const asks = pad.keeper && (Boolean(card) || waiting.some(({ refused }) => refused));
  document.body.classList.add("painted");
  document.body.classList.toggle("fixing", Boolean(fixing));
  document.body.classList.toggle("has-waiting", waiting.length > 0);
  paintStatus(Boolean(fixing) || instead.length > 0, waiting.length);
  hide("card", !card);
  hide("dock", !asks);
  const isFixed = !pad.keeper || state.phase === "ended" || !lastTurn(state); // nothing can be taken back
  hide("undo-place", isFixed || Boolean(card));
  const holder = byId("card");
  const ruling = card && dice ? judge(rules, card, dice) : null;
  if (card && holder) paintCard(holder, { rules, words, card, ruling, chosen: box, advised, tap: hands.tap });
  if (asks) paintEntry();
  paintSheet();
  if (pad.keeper) loadPanels();
  for (const each of all("#modes button", HTMLElement)) {
    each.setAttribute("aria-pressed", String(each.dataset.mode === mode()));
  }
}

/** Fetch the panels, once, after the sheet is painted. Where that fails, the next painting tries it again. */
async function loadPanels() {
  if (panels || isLoading) return;
  isLoading = true;
  try {
    const found = await importWhole(() => import("./panels.js"), () => import(`./panels.js?${Date.now()}`));
    await whenStill();
    panels = found;
    onPaper = [];
    paint();
  } catch { /* no connection */ } finally { isLoading = false; }
}

/** The sheet is large, and most taps do not change it. */
function paintSheet() {
  const { fix: fixing, box, change } = draft();
  const { pad, state, words, column } = now;
  const chosen = fixing ? null : box;
  const dice = fixing || change ? "" : diceNow();
  const shown = [state, part(), column, chosen, dice, JSON.stringify(fixing)];
  if (shown.every((each, place) => each === onPaper[place])) return;
  onPaper = shown;
  const { tap: tapOpen, fix: tapFilled } = hands;
  const waiting = waitingPlaces();
  paintPaper({ state, words, sheet: column, canWrite: pad.keeper, chosen, dice, fixing, waiting, tapOpen, tapFilled });
  if (!pad.keeper) return;
  panels?.paintWaiting({ ...now, ...hands });
  panels?.paintPeople({ state, most: pad.most, act: hands.act });
}

/** The entries that have not arrived, by their places. */
function waitingPlaces() {
  const waiting = now.pad.local || !now.pad.keeper ? [] : listUnsent(now.sheet);
  return new Set(waiting.filter(({ op }) => op.command === "write").map(({ op }) => `${op.game}/${op.turn}`));
}

function paintEntry() {
  const { fix: fixing, box, faces, rolls, change, instead } = draft();
  const dice = diceNow();
  byId("back")?.toggleAttribute("disabled", !faces && !rolls.length);
  byId("undo-last")?.toggleAttribute("disabled", Boolean(fixing) || !lastTurn(now.state));
  hide("cancel-entry", !fixing && !box && !dice && !instead.length);
  fill("cancel-entry", say(fixing || box || !dice ? "cancel" : "clear-dice"));
  for (const key of all("#keypad .key", HTMLElement)) {
    const face = Number(key.dataset.face);
    key.hidden = face > now.rules.faces;
    const ink = now.words.names.inks?.[face - 1]; // rules that were stored earlier have none
    if (ink) one("svg", SVGElement, key)?.setAttribute("class", `pips ink-${ink}`);
  }
  const isIdle = !faces && !box && !fixing && !rolls.length && !instead.length;
  const refused = isIdle ? panels?.makeConflictPanel({ ...now, ...hands }) : null;
  if (now.coaching && dice) paintDock({ say: "", keys: false, slots: layOutNow(), panel: [now.coaching] });
  else if (refused) paintPanel(say(refused.clash ? "conflict" : "not-taken"), refused.panel);
  else if (now.question && dice) paintPanel("", askZero(now.question));
  else if (change) paintPanel(sayFixed(), listEffects());
  else paintChoice(dice);
}

/** What the correction changes, and which later entries cannot stand with it. */
const listEffects = () =>
  panels?.makeEffectPanel({ ...now, draft: draft(), type: hands.type, save: hands.saveFix }) ??
  [make("p", "reasons", say("needs-connection"))];

/** @param {string} text @param {HTMLElement[]} panel */
const paintPanel = (text, panel) => paintDock({ say: text, keys: false, slots: null, panel });

/** Dice, a box or a number is to be tapped. @param {string} dice */
function paintChoice(dice) {
  const { fix: fixing, box, rolls } = draft();
  const goesOn = byRolls() && rolls.length < mostRolls() && wanted() > 0;
  const isTyping = byRolls() && !box ? goesOn : !dice && (!box || now.asksDice);
  const tools = makeCoachButton(dice);
  const slots = isTyping || dice ? layOutNow() : null;
  if (isTyping)
    return paintDock({ say: sayWhatToTap(), keys: true, slots, panel: dice ? listReasons(dice) : [], tools });
  const which = sayChanged() || say("which-box");
  if (dice) return paintDock({ say: which, keys: false, slots, panel: offerBoxes(dice), tools });
  const question = fixing ? sayFixed() : say("which-number", { box: labelOf(box ?? "") });
  return paintDock({ say: question, keys: false, slots: null, panel: offerNumbers(), tools: [makeDiceButton()] });
}

const layOutNow = () => layOutDice(now.rules.dice, draft(), draft().rolls.length < mostRolls() ? hands.hold : null);

/** @param {string} box */
const askZero = (box) => makeZeroQuestion(labelOf(box), () => hands.scoreZero(box), () => hands.ask(null));

function sayFixed() {
  const { fix: at } = draft();
  if (!at) return "";
  const { seat, box, points, dice, told } = turnAt(at);
  const values = { name: now.state.names[seat], box: labelOf(box), points, dice: [...dice].sort().join("-") };
  return say(told ? "fix-dice" : "fix-points", values);
}

/** The refused entry, as it was. */
function sayChanged() {
  const entry = refusedEntry();
  return (entry && panels?.describeTurn(now, entry)) ?? "";
}

export function sayWhatToTap() {
  const { box, faces, rolls, held } = draft();
  if (box) return say("tell-dice-of", { box: labelOf(box) });
  if (faces) return say("dice-missing", { count: wanted() - faces.length });
  if (!byRolls()) return say("tap-final");
  const which = { roll: rolls.length + 1, rolls: mostRolls() };
  if (!rolls.length) return say("tap-rolled", which);
  return held.length ? say("tap-some", { ...which, count: wanted() }) : say("tap-kept", which);
}

/** Reasons for closed boxes stand where the keys were. @param {string} dice */
function listReasons(dice) {
  const closed = Object.values(rulingOf(dice)?.closed ?? {}).filter(({ kind }) => kind !== "game.box-filled");
  const texts = new Set(closed.map((each) => sayReason(now.rules, now.words, each)));
  const sentences = [...texts].map((text) => make("p", "", text));
  return sentences.length ? [make("div", "reasons", sentences)] : [];
}

/** @param {string} dice */
function offerBoxes(dice) {
  return [...listReasons(dice), ...(draft().rolls.length ? [] : offerLeftOver())];
}

/** The rolls that the turn left over, where they are kept. */
function offerLeftOver() {
  const most = mostLeft();
  return now.rules.saves ? [makeLeftOver(Math.min(draft().left, most), most, (left) => hands.type({ left }))] : [];
}

function offerNumbers() {
  const { box, fix: at } = draft();
  const card = cardNow();
  if (!card || !box) return [];
  const stands = at && turnAt(at).box === box ? turnAt(at).points : null;
  const found = answers(now.rules, card, box);
  return [
    ...offerLeftOver(),
    found.length ? makeNumbers(found, stands, hands.chooseNumber) : make("p", "reasons", sayClosed(box)),
  ];
}

const makeDiceButton = () => button("", say("tap-dice-instead"), () => hands.askDice(null), { id: "dice-instead" });

/** @param {string} box */
function sayClosed(box) {
  const closed = rulingOf("1".repeat(now.rules.dice))?.closed;
  return closed ? sayReason(now.rules, now.words, closed[box]) : "";
}

/** @param {string} dice */
function makeCoachButton(dice) {
  if (!dice || draft().fix || now.coaching || now.pad.coach === false || !now.words.coach) return [];
  return [button("", say("coach-title"), hands.askCoach, { id: "ask-coach" })];
}

// --- status ---

// Whose turn it is, where the sheet stands, and who has won: the lines above the card, and what comes after a game.

/** @typedef {import("./sheet.js").State} State */

/** @param {boolean} isFixing @param {number} waiting entries that have not arrived */
function paintStatus(isFixing, waiting) {
  const { state, words } = now;
  const at = next(state);
  const title = sayHeadline(state);
  document.body.classList.toggle("playing", at !== null);
  fill("headline", isFixing ? say("correct-entry") : title);
  document.title = `${title} · ${words.names.book} · Fivedice`;
  fill("round", ...sayRound(state));
  const net = sayNet(waiting);
  fill("net", net);
  hide("net", !net);
  hide("round", Boolean(net)); // it takes the same place: nothing moves
  paintScores(state);
  paintEnd(state, at === null);
}

/** Say where entries are, unless they are at the server. @param {number} waiting */
function sayNet(waiting) {
  if (waiting && !now.isKept) return say("only-here");
  if (now.pad.local || !isOffline()) return "";
  return waiting ? say("kept-here", { count: waiting }) : say("no-connection");
}

/** @param {State} state */
function sayHeadline(state) {
  const at = next(state);
  if (at) return say("turn-of", { name: state.names[at.seat] });
  const { match, games } = outcome(state);
  if (isOver(state) && match && state.games > 1) return sayResult(WON.match, state, match);
  const last = games.at(-1);
  if (!last) return isOver(state) ? say("ended") : "";
  const result = sayResult(WON.game, state, last);
  return isOver(state) ? result : say("game-result", { game: games.length, result });
}

/**
 * @param {[one: string, several: string]} kinds @param {State} state @param {{ winners: number[], points: number }} won
 */
function sayResult([one, several], state, { winners, points }) {
  const kind = state.names.length === 1 ? "game-points" : winners.length > 1 ? several : one;
  return say(kind, { names: joinList(winners.map((seat) => state.names[seat])), points });
}

/** @type {Record<"game" | "match" | "led", [string, string]>} */
const WON = {
  game: ["game-won", "game-shared"], match: ["match-won", "match-shared"], led: ["match-led", "match-level"],
};

/** Say which game and round it is; a line may end after each of them only. @param {State} state */
function sayRound(state) {
  const at = next(state);
  const game = state.games > 1 ? [say("game-of", { game: state.played.length, games: state.games })] : [];
  const round = at ? [say("round-of", { round: at.round, rounds: state.rules.boxes.length })] : [];
  const card = at ? cards(state, at.game)[at.seat] : null;
  const said = [...game, ...round, ...(card?.saved ? [say("rolls-saved", { count: card.saved })] : [])];
  return said.flatMap((text, place) => [place ? " · " : "", make("span", "", text)]);
}

/** Every total at a glance; on a wide screen the sheet itself shows them. @param {State} state */
function paintScores(state) {
  const at = next(state);
  const chips = cards(state, state.played.length - 1).map((card, seat) => {
    const look = [seat === at?.seat ? "on-turn" : "", state.out.has(seat) ? "gone" : ""].join(" ").trim();
    return make("li", look, [
      make("bdi", "", state.names[seat]), " ", make("strong", "", String(totals(state.rules, card).grand)),
    ]);
  });
  fill("scores", ...chips);
}

/** @param {State} state @param {boolean} isFull */
function paintEnd(state, isFull) {
  const over = isOver(state);
  hide("between", !isFull || over);
  hide("ending", !over);
  const led = outcome(state).match;
  const isMatch = !over && led && state.games > 1 && state.names.length > 1;
  fill("standing", isMatch ? `${sayResult(WON.led, state, led)}.` : "");
  fill("next-game", say("start-game", { game: state.played.length + 1, games: state.games }));
  hide("next-game", !now.pad.keeper);
}

// --- dock ---

// Under the thumb: the keys, the numbers that a box may take, and the questions that come before something is written.

/** @import { Answer, Card, Rules, Ruling, Words } from "./judge.js" */

/** The dice that were tapped; empty places for missing ones. @param {number} count @param {string} faces */
function makeSlots(count, faces) {
  return Array.from({ length: count }, (_, place) => {
    const drawing = faces[place]?.trim() && one(`#face-${faces[place]} svg`, SVGElement);
    return drawing ? make("span", "die", [drawing.cloneNode(true)]) : make("span", "die empty");
  });
}

/**
 * Rolled dice: each stays in its place, or is held by a tap.
 * @param {string} dice blanks for dice still to be tapped @param {number[]} held
 * @param {((slot: number) => void) | null} toggle null after the last roll
 */
function makeHolds(dice, held, toggle) {
  return makeSlots(dice.length, dice).map((die, slot) => {
    if (!toggle) return die;
    const label = say("keep-die", { number: slot + 1, face: dice[slot].trim() });
    const about = { id: `die-${slot}`, "aria-pressed": String(held.includes(slot)), "aria-label": label };
    const key = button("", "", () => toggle(slot), about);
    key.append(die);
    return key;
  });
}

/**
 * Every number that a box may take. One that may stand for several rolls asks for the dice next.
 * @param {Answer[]} answers @param {number | null} stands the number that is written there now
 * @param {(answer: Answer) => void} choose
 */
function makeNumbers(answers, stands, choose) {
  const keys = answers.map((answer) => {
    const { points, dice, extra } = answer;
    const about = { id: `points-${points}`, ...(points === stands && { "aria-current": "true" }) };
    const key = button(points ? "number" : "number zero", String(points), () => choose(answer), about);
    if (dice !== null) key.append(make("small", "", "…"));
    else if (extra) key.append(make("small", "", `+${extra}`));
    return key;
  });
  const about = { role: "group", "aria-label": say("numbers") };
  return make("div", keys.length > 12 ? "numbers many" : "numbers", keys, about);
}

/**
 * Paint the dock. If the focused key disappears, the first of the new keys gets the focus.
 * @param {{ say: string, keys: boolean, slots: HTMLElement[] | null, panel: HTMLElement[],
 *   tools?: HTMLElement[] }} shown
 */
function paintDock({ say: text, keys, slots: dice, panel, tools = [] }) {
  const dock = byId("dock");
  if (!dock) return;
  const focused = document.activeElement;
  const inside = focused instanceof HTMLElement && dock.contains(focused) ? focused : null;
  fill("say", text);
  hide("keypad", !keys);
  hide("typing", dice === null);
  if (dice) fill("slots", ...dice);
  fill("panel", ...panel);
  fill("dock-tools", ...tools);
  const first = one("[data-focus=first]", HTMLElement, dock);
  if (first && first !== document.activeElement) first.focus({ preventScroll: true });
  else if (inside && !isThere(inside))
    (byId(inside.id) ?? all("#panel button:not(:disabled)", HTMLElement)[0] ?? byId("face-1"))?.focus({
      preventScroll: true,
    });
}

/** @param {HTMLElement} element */
const isThere = (element) => element.isConnected && element.offsetParent !== null;

/**
 * Lay out the dice of a turn. Rolled dice may be held for the next roll; dice that are being tapped lie in the
 * places of the others.
 * @param {number} count @param {import("./state.js").Draft} draft @param {((slot: number) => void) | null} hold
 */
function layOutDice(count, { faces, rolls, held }, hold) {
  const last = rolls.at(-1);
  if (!last) return makeSlots(count, faces);
  const fallen = [...faces];
  const shown = Array.from({ length: count }, (_, slot) =>
    held.includes(slot) || !faces ? last.dice[slot] : (fallen.shift() ?? " "),
  ).join("");
  return makeHolds(shown, held, hold);
}

// --- boxes ---

// The card of one player as two halves of buttons: what each box holds, or what the dice would be worth there.


const MOST_APART = 1; // lines by which the halves may differ before boxes move over
const PLAYED = new Set(["box", "bonus"]);

/**
 * The numbers of the lines that are played, in two halves about equally long: `_card_rows` in pad_page.py counts them.
 * @param {Rules} rules
 */
export function splitHalves(rules) {
  const played = rules.lines.flatMap(([kind], number) => (PLAYED.has(kind) ? [number] : []));
  const upper = played.filter((number) => rules.lines[number][1] === "upper").length;
  const cut = Math.abs(played.length - 2 * upper) > MOST_APART ? (played.length + 1) >> 1 : upper;
  return [played.slice(0, cut), played.slice(cut)];
}

/**
 * What is shown of a card.
 * @typedef {object} Shown
 * @property {Rules} rules
 * @property {Words} words
 * @property {Card} card
 * @property {Ruling | null} ruling what the typed dice may do
 * @property {string | null} chosen the box that a number is being chosen for
 * @property {string | null} advised by the coach
 * @property {(box: string) => void} tap
 */

/** @param {HTMLElement} place @param {Shown} shown */
export function paintCard(place, shown) {
  const focused = place.contains(document.activeElement) ? document.activeElement?.id : "";
  const sides = splitHalves(shown.rules).map((numbers) =>
    make("div", "half", numbers.map((number) => makeLine(shown, number))),
  );
  place.replaceChildren(...sides);
  place.className = `card by-thumb rows-${Math.max(...sides.map((side) => side.children.length))}`;
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

/** A box to tap, or a bonus, which is only read. @param {Shown} shown @param {number} number */
function makeLine(shown, number) {
  const { rules, words, card } = shown;
  const [kind, , role] = rules.lines[number];
  const label = words.names.lines[number];
  if (kind !== "bonus") return makeBox(shown, role, label);
  const [value, note] = sayBonus(rules, card, number);
  return make("p", "pad-line", [make("span", "name", label), make("small", "note", note), make("strong", "", value)]);
}

/** @param {Rules} rules @param {Card} card @param {number} number @returns {[value: string, note: string]} */
function sayBonus(rules, card, number) {
  const { paid, counted, aim, ahead } = bonusAt(rules, card, number);
  if (aim === null) return [paid ? `+${paid}` : "–", ""];
  return [`${counted}/${aim}`, ahead === null || ahead === 0 ? "" : formatSigned(ahead)];
}

/** @param {Shown} shown @param {string} key @param {string} label */
function makeBox({ rules, card, ruling, chosen, advised, tap }, key, label) {
  const points = card.marks[rules.index.get(key) ?? 0];
  const entry = ruling?.boxes[key];
  const offered = entry ? (entry.points ? "legal" : "zero") : ruling ? "shut" : "";
  const look = points === null ? offered : "done";
  const about = {
    id: `box-${key}`, ...(key === chosen && { "aria-pressed": "true" }),
    ...(look === "shut" && { "aria-disabled": "true" }),
  };
  const element = button(`pad-box ${look}`.trim(), "", () => tap(key), about);
  const notes = entry
    ? [entry.joker ? say("joker") : "", entry.extra ? formatSigned(entry.extra) : ""].filter(Boolean).join(" ")
    : look === "shut"
      ? say("closed")
      : sayExtras(rules, card, key);
  const note = notes ? [make("small", "note", notes)] : [];
  element.append(make("span", "name", label), ...note, make("strong", "", String(points ?? entry?.points ?? "")));
  if (points === null && !ruling) element.append(make("span", "visually-hidden", ` ${say("open")}`));
  element.classList.toggle("advised", key === advised);
  return element;
}

/**
 * The box for all dice alike also tells what further ones have paid.
 * @param {Rules} rules @param {Card} card @param {string} key
 */
function sayExtras(rules, card, key) {
  if (!card.bonuses || rules.alike?.box !== rules.index.get(key)) return "";
  return `${"✓".repeat(card.bonuses)} ${formatSigned(totals(rules, card).extra)}`;
}

/** @param {string} label @param {() => void} yes @param {() => void} no */
export function makeZeroQuestion(label, yes, no) {
  const line = make("p", "", parts("zero-question", { box: make("strong", "", label) }));
  const sure = button("", say("zero-yes"), yes, { id: "confirm-yes" });
  const safe = { id: "confirm-no", "data-focus": "first" }; // what cannot be meant by mistake
  const other = button("primary", say("zero-no"), no, safe);
  return [make("div", "confirm", [line, make("div", "buttons", [sure, other])])];
}

/**
 * How many rolls the turn left over, where they are saved for later.
 * @param {number} count @param {number} most @param {(count: number) => void} set
 */
export function makeLeftOver(count, most, set) {
  const [label, shown] = [say("rolls-left-over"), make("output", "", String(count))];
  const fewer = makeStep("fewer", "−", "one-fewer", count > 0, () => set(count - 1));
  const more = makeStep("more", "+", "one-more", count < most, () => set(count + 1));
  const about = { role: "group", "aria-label": `${label}: ${count}` };
  return make("div", "left-over", [make("span", "", label), fewer, shown, more], about);
}

/** @param {string} id @param {string} sign @param {string} label @param {boolean} possible @param {() => void} act */
function makeStep(id, sign, label, possible, act) {
  const element = button("", sign, act, { id, "aria-label": say(label) });
  element.toggleAttribute("disabled", !possible);
  return element;
}
