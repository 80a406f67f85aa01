// The other side of phone.py: what the scripts of the pad say about cards, held against what the engine said.

import { answers, judge, lines, prepare, sayReason, rollFor, Refused, totals, write } from "/static/pad/judge.js";
import { makeCarried, rebuildOps, pack, readCarried, replay } from "/static/pad/carried.js";
import { unpackGames } from "/static/pad/state.js";
import { makeRecords } from "/static/pad/carried.js";
import { cards, consequences, fold, next, outcome } from "/static/pad/sheet.js";

/** @typedef {import("/static/pad/judge.js").Card} Card */
/** @typedef {import("/static/pad/judge.js").Reason} Reason */
/** @typedef {import("/static/pad/judge.js").Rules} Rules */
/** @typedef {import("/static/pad/judge.js").Words} Words */
/** @typedef {[points: number, extra: number, joker: boolean]} Told */
/**
 * A card and what every roll does on it: the mask of the legal boxes, the number of their entries, the number of the
 * reasons for the others, and whether a zero asks.
 * @typedef {object} Ruled
 * @property {Card} card
 * @property {Record<string, Reason>[]} closed
 * @property {[roll: number, boxes: number, entries: number, closed: number, zero: boolean][]} rolls
 */

/** @type {Map<string, { rules: Rules, rolls: string[], entries: Told[][], words: Words }>} */
const books = new Map();

/** @param {unknown} value */
const text = (value) => JSON.stringify(value);

/**
 * The same whatever the order of its keys.
 * @param {unknown} value
 * @returns {string}
 */
const plain = (value) => JSON.stringify(value, (_, part) => (part && typeof part === "object" && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1))) : part));

/**
 * @param {string} name
 * @param {string} json
 */
export function learn(name, json) {
  const { rules: table, names, sentences } = JSON.parse(json);
  const rules = prepare(table);
  books.set(name, { rules, rolls: [...rules.roll.keys()], entries: [], words: { names, sentences } });
}

/** @param {string} name */
const known = (name) => {
  const book = books.get(name);
  if (!book) throw new Error(`no book ${name}`);
  return book;
};

/**
 * The first difference, or nothing.
 * @param {string} name
 * @param {string} json
 */
export function compareRulings(name, json) {
  const book = known(name);
  /** @type {{ entries: Told[][], cards: Ruled[] }} */
  const told = JSON.parse(json);
  book.entries.push(...told.entries);
  for (const ruled of told.cards) {
    const reasons = ruled.closed.map((closed) => Object.fromEntries(Object.entries(closed).map(([key, why]) => [key, plain(why)])));
    for (const [roll, boxes, entries, closed, zero] of ruled.rolls) {
      const wrong = difference(book, ruled.card, book.rolls[roll], boxes, book.entries[entries], reasons[closed], zero);
      if (wrong) return wrong;
    }
  }
  return "";
}

/**
 * @param {{ rules: Rules }} book
 * @param {Card} card
 * @param {string} dice
 * @param {number} boxes
 * @param {Told[]} entries
 * @param {Record<string, string>} reasons
 * @param {boolean} zero
 */
function difference({ rules }, card, dice, boxes, entries, reasons, zero) {
  const ruling = judge(rules, card, dice);
  let count = 0;
  let same = ruling.zeroAsks === zero;
  rules.boxes.forEach(([key], place) => {
    const entry = ruling.boxes[key];
    const [points, extra, joker] = entries[place];
    if ((boxes >> place) & 1) same &&= entry && entry.points === points && entry.extra === extra && entry.joker === joker;
    else same &&= Boolean(ruling.closed[key]) && isReason(ruling.closed[key], reasons[key]);
    count += (entry ? 1 : 0) + (ruling.closed[key] ? 1 : 0);
  });
  if (same && count === rules.boxes.length && Object.keys(ruling.boxes).length + Object.keys(ruling.closed).length === count) return "";
  return `${rules.key} ${text(card)} ${dice}: ${text(ruling)}, not ${text({ boxes, entries, reasons, zero })}`;
}

/**
 * Most reasons name a box that is filled, and millions are compared.
 * @param {Reason} found
 * @param {string} wanted
 */
const isReason = (found, wanted) => (found.kind === "game.box-filled" && wanted === `{"box":"${found.box}","kind":"${found.kind}","points":${found.points}}`) || plain(found) === wanted;

/** @typedef {{ totals: unknown, lines: unknown, answers: Record<string, [number, string, number, boolean, string | null][]> }} Sums */

/**
 * Sums, lines and the numbers that boxes take.
 * @param {string} name
 * @param {string} json
 */
export function compareCards(name, json) {
  const { rules } = known(name);
  /** @type {{ card: Card, told: Sums }[]} */
  const cards = JSON.parse(json);
  for (const { card, told } of cards) {
    /** @type {Sums} */
    const found = { totals: totals(rules, card), lines: lines(rules, card).map(({ kind, section, role, value }) => [kind, section, role, value]), answers: {} };
    for (const [box] of rules.boxes) found.answers[box] = answers(rules, card, box).map(({ points, dice, extra, joker }) => [points, dice === null ? rollFor(rules, card, box, points) : "", extra, joker, dice]);
    if (plain(found) !== plain(told)) return `${rules.key} ${text(card)}: ${plain(found)}, not ${plain(told)}`;
  }
  return "";
}

/** @typedef {{ card: Card, box: string, dice: string | null, points: number | null, saved: number, told: { card?: Card, reason?: Reason, sentence?: string } }} Written */

/**
 * A box that is written, or the refusal and its sentence.
 * @param {string} name
 * @param {string} json
 */
export function compareWriting(name, json) {
  const { rules, words } = known(name);
  /** @type {Written[]} */
  const cases = JSON.parse(json);
  for (const one of cases) {
    const found = written(rules, words, one);
    if (plain(found) !== plain(one.told)) return `${rules.key} ${text(one)}: ${plain(found)}`;
  }
  return "";
}

/**
 * @param {Rules} rules
 * @param {Words} words
 * @param {Written} one
 */
function written(rules, words, { card, box, dice, points, saved }) {
  try {
    return { card: write(rules, card, box, dice, { points, saved }) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { reason: error.reason, sentence: sayReason(rules, words, error.reason) };
  }
}

// --- whole sheets ---

/** @typedef {import("/static/pad/sheet.js").Change} Change */
/** @typedef {import("/static/pad/sheet.js").Op} Op */
/** @typedef {import("/static/pad/sheet.js").State} State */
/**
 * A sheet, what was done on it with what came of each, and corrections that were looked at in the end.
 * @typedef {object} Walk
 * @property {any} base
 * @property {Op[]} ops
 * @property {{ refused: string | null, seen: Record<string, unknown> & { turns: any[][] } }[]} steps
 * @property {{ changes: Change[], told: unknown }[]} asked
 * @property {string} saved what saved rolls are called
 * @property {string} match and the total of the match
 */

/**
 * @param {string} name
 * @param {string} json
 */
export function compareSheets(name, json) {
  const { rules, words } = known(name);
  /** @type {Walk} */
  const walk = JSON.parse(json);
  const base = { ...walk.base, rules, played: unpackGames(walk.base.played, rules) };
  for (const [number, step] of walk.steps.entries()) {
    const state = fold(base, walk.ops.slice(0, number + 1));
    const why = state.refused.get(walk.ops[number].key);
    const wrong = unlike({ refused: why ? sayReason(rules, words, why) : null, ...seen(state) }, { refused: step.refused, ...step.seen, turns: unpackGames(step.seen.turns.map((/** @type {any[]} */ turns) => ({ first: 0, turns })), rules).map(({ turns }) => turns) });
    if (wrong) return `${rules.key} ${number} ${text(walk.ops[number])}\n${wrong}`;
  }
  const last = fold(base, walk.ops);
  for (const { changes, told } of walk.asked) {
    const found = effect(last, words, walk, changes);
    if (plain(found) !== plain(told)) return `${rules.key} ${text(changes)}\n${plain(found)}, not\n${plain(told)}`;
  }
  return "";
}

/**
 * The first part that differs.
 * @param {Record<string, unknown>} found
 * @param {Record<string, unknown>} wanted
 */
function unlike(found, wanted) {
  const part = Object.keys(wanted).find((name) => plain(found[name]) !== plain(wanted[name]));
  return part ? `${part}: ${plain(found[part])}, not\n${plain(wanted[part])}` : "";
}

/** @param {State} state */
function seen(state) {
  const at = next(state);
  const { games, match } = outcome(state);
  const all = state.played.map((_, game) => cards(state, game));
  return {
    phase: state.phase,
    names: state.names,
    out: [...state.out].sort((one, other) => one - other),
    next: at && [at.game, at.turn, at.seat, at.round],
    lines: all.map((columns) => columns.map((card) => lines(state.rules, card).map(({ value }) => value))),
    saved: all.map((columns) => columns.map(({ saved }) => saved)),
    turns: state.played.map(({ turns }) => turns.map((turn) => ({ ...turn, dice: [...turn.dice].sort().join("") }))),
    won: games.map(({ totals: sums, winners }) => [sums, winners]),
    match: match && [match.totals, match.winners],
  };
}

/**
 * @param {State} state
 * @param {Words} words
 * @param {Walk} walk
 * @param {Change[]} changes
 */
function effect(state, words, walk, changes) {
  try {
    const { problems, lines: numbers } = consequences(state, changes);
    return {
      problems: problems.map(({ game, turn, seat, round, box, dice, points, why, boxes }) => [
        game, turn, seat, round, box, [...(dice ?? "")].sort().join(""), sayReason(state.rules, words, why), points, boxes.map((each) => [each.box, each.points, each.extra, each.joker, each.free]),
      ]),
      lines: numbers.map(({ seat, game, line, box, before, after }) => [seat, game, line === null ? (game === null ? walk.match : walk.saved) : words.names.lines[line], box, before, after]),
    };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return sayReason(state.rules, words, error.reason);
  }
}

/**
 * A sheet that a server knew and that was written on since, taken to another phone by a link and by a file: its record, and
 * the first thing that is not the same there.
 * @param {string} name
 * @param {string} json
 */
export async function carry(name, json) {
  const { rules } = known(name);
  /** @type {Walk} */
  const walk = JSON.parse(json);
  const base = { ...walk.base, rules, played: unpackGames(walk.base.played, rules) };
  const state = fold(base, walk.ops);
  const isLocal = base.played.length === 1 && !base.played[0].turns.length && !base.played[0].passed?.length && !base.out.length;
  const { start, ops } = isLocal ? { start: base, ops: walk.ops.filter(({ key }) => state.taken.has(key)) } : rebuildOps(state);
  const carried = makeCarried(rules, start, ops, { book: rules.key, label: rules.key, opened: "2026-01-01" });
  const letters = await pack(carried);
  const record = makeRecords(state, () => null);
  const file = JSON.stringify([{ ...record[0], sheet: carried }, ...record.slice(1)]);
  for (const text of [`https://example.org/pad#sheet=${letters}`, file]) {
    const there = replay(rules, await readCarried(text)).state;
    const wrong = unlike(bare(seen(there)), bare(seen(state)));
    if (wrong) return { record, letters: letters.length, wrong };
  }
  return { record, letters: letters.length, wrong: "" };
}

/** How many rolls a turn took that was told roll by roll, only the server knows. @param {ReturnType<typeof seen>} sheet */
const bare = (sheet) => ({ ...sheet, turns: sheet.turns.map((turns) => turns.map(({ rolled: _, ...turn }) => turn)) });
