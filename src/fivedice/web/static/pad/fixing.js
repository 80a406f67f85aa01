// A correction before it is saved: what it changes, and which later entries cannot stand with it.

import { button, make } from "../core/page.js";
import { say } from "../core/words.js";
import { reason } from "./judge.js";
import { consequences } from "./sheet.js";

/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./sheet.js").Change} Change */
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
export function effectPanel(fixing) {
  const { state, draft: { change, along }, type, save } = fixing;
  if (!change) return [];
  const effect = consequences(state, [change, ...along]);
  const body = effect.problems.length ? effect.problems.map((problem) => trouble(fixing, problem)) : [changed(fixing, effect.lines)];
  const yes = button("primary", say("save-correction"), save);
  yes.id = "save-fix";
  const again = button("", say("change-again"), () => type({ change: null, along: [], faces: "" }));
  return [make("div", "effect", body), make("div", "buttons", [...(effect.problems.length ? [] : [yes]), again])];
}

/**
 * @param {Fixing} fixing
 * @param {import("./sheet.js").Difference[]} lines
 */
function changed({ state, words }, lines) {
  if (!lines.length) return make("p", "", say("no-score-changes"));
  const rows = lines.map(({ seat, game, line, before, after }) => {
    const label = line === null ? say(game === null ? "match-total" : "saved-rolls") : words.names.lines[line];
    const name = say(state.games > 1 && game !== null ? "line-of-game" : "line-of", { name: state.names[seat], line: label, number: (game ?? 0) + 1 });
    const title = make("th", "", name);
    title.setAttribute("scope", "row");
    return make("tr", "", [title, make("td", "num", said(before)), make("td", "arrow", "→"), make("td", "num", [make("strong", "", said(after))])]);
  });
  return make("table", "changes", [make("tbody", "", rows)]);
}

/** @param {number | null} value */
const said = (value) => (value === null ? say("open") : String(value));

/**
 * A written turn that the rules would forbid now, and where its dice could go instead.
 * @param {Fixing} fixing
 * @param {import("./sheet.js").Problem} problem
 */
function trouble({ state, rules, words, draft: { change, along }, type }, { game, turn, seat, box, why, boxes }) {
  /** @param {string} key */
  const label = (key) => words.names.boxes[rules.index.get(key) ?? 0];
  const own = change?.game === game && change.turn === turn;
  const line = make("p", "problem", own ? reason(rules, words, why) : say("later-entry", { name: state.names[seat], box: label(box), reason: reason(rules, words, why) }));
  line.setAttribute("role", "alert");
  const ways = boxes.map((each) => {
    const told = say(each.free ? "box-points" : "box-points-later", { box: label(each.box), points: each.points });
    return button("", told, () => type(own && change ? { change: { ...change, box: each.box } } : { along: [...along.filter((other) => other.game !== game || other.turn !== turn), { game, turn, box: each.box }] }));
  });
  return make("div", "", [line, make("div", "ways", ways)]);
}
