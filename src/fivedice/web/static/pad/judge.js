// A roll on a card, judged by arithmetic on the table of a book (core/game/rule_table.py). No rule stands here, only
// what its columns mean; tests hold every answer against the engine's.

/** @typedef {"upper" | "lower"} Section */
/**
 * @typedef {{ boxes: "face" | "upper" | "lower" | "any", worth: number, extra: number | null, offers: [open: number,
 *   filled: number][] }} Step
 */
/**
 * All dice alike; lists by face begin with the lowest.
 * @typedef {object} Alike
 * @property {number} box the place of their own box
 * @property {"filled" | "scored"} applies
 * @property {number[]} extras the last goes on
 * @property {number | null} most
 * @property {boolean} byStep whether the number of extras does not tell their sum
 * @property {number[]} own by face the boxes that count it
 * @property {Step[]} steps
 * @property {number[][][]} worths by number and face the points in every box
 */
/**
 * `rule_table` of a book. Sets of boxes are masks: bit i is the i-th box of the sheet.
 * @typedef {object} Table
 * @property {string} key
 * @property {string} fingerprint
 * @property {number} dice
 * @property {number} faces
 * @property {number} rolls
 * @property {boolean} saves
 * @property {"free" | "sheet" | "upper_first"} order
 * @property {number[]} stages
 * @property {string} [tally]
 * @property {number[]} [canonical]
 * @property {[key: string, code: string, section: Section][]} boxes
 * @property {number[][]} points by box and roll
 * @property {Alike | null} alike
 * @property {{ boxes: number, above: boolean, tiers: [from: number, points: number][] }[]} bonuses
 * @property {[place: number, highest: number][]} course
 * @property {[kind: string, section: Section, role: string, place: number][]} lines
 * @property {number | null} [again] the line that paper repeats above the last
 */
/**
 * A table, and where to find things in it: boxes by key, rolls by their sorted dice.
 * @typedef {Table & { index: Map<string, number>, roll: Map<string, number>, upper: number, full: number }} Rules
 */
/**
 * One column of the sheet. `extra` only where the number of extra bonuses does not tell what they came to.
 * @typedef {{ marks: (number | null)[], bonuses: number, extra: number | null, saved: number }} Card
 */
/** @typedef {{ points: number, extra: number, joker: boolean }} Entry */
/**
 * Why something cannot be, as a value: the kind of its sentence and what that names. Boxes are keys, dice are digits.
 * @typedef {{ kind: string, [name: string]: unknown }} Reason
 */
/** @typedef {{ boxes: Record<string, Entry>, closed: Record<string, Reason>, zeroAsks: boolean }} Ruling */

/** What the rules forbid, with the reason. */
export class Refused extends Error {
  /** @param {Reason} reason */
  constructor(reason) {
    super(reason.kind);
    this.reason = reason;
  }
}

/** @param {Iterable<boolean>} flags */
const mask = (flags) => [...flags].reduce((sum, flag, place) => sum | (flag ? 1 << place : 0), 0);
/** @param {Rules} rules @param {number} boxes */
const keys = (rules, boxes) => rules.boxes.filter((_, place) => (boxes >> place) & 1).map(([key]) => key);
/** @param {(number | null)[]} numbers */
const sum = (numbers) => numbers.reduce((/** @type {number} */ all, one) => all + (one ?? 0), 0);

/** @param {Table} table @returns {Rules} */
export function prepare(table) {
  const upper = mask(table.boxes.map(([, , section]) => section === "upper"));
  const index = new Map(table.boxes.map(([key], place) => [key, place]));
  const roll = new Map(allRolls(table.dice, table.faces).map((dice, place) => [dice, place]));
  return { ...table, index, roll, upper, full: 2 ** table.boxes.length - 1 };
}

/**
 * Sorted dice, in ascending order, from this face on.
 * @param {number} dice @param {number} faces @returns {string[]}
 */
function allRolls(dice, faces, lowest = 1) {
  if (!dice) return [""];
  const first = Array.from({ length: faces - lowest + 1 }, (_, step) => lowest + step);
  return first.flatMap((face) => allRolls(dice - 1, faces, face).map((rest) => face + rest));
}

/** @param {Rules} rules @returns {Card} */
export const emptyCard = (rules) => ({ marks: rules.boxes.map(() => null), bonuses: 0, extra: null, saved: 0 });

/** @param {string} dice */
export const sortDice = (dice) => [...dice].sort().join("");

/** @param {Rules} rules @param {string} dice */
function rollOf(rules, dice) {
  const text = sortDice(dice);
  const place = rules.roll.get(text);
  if (place === undefined) throw new RangeError(`no roll of this book: ${dice}`);
  return { text, place, face: text[0] === text.at(-1) ? Number(text[0]) : 0 };
}

/** @typedef {{ text: string, place: number, face: number }} Roll */
/** @typedef {ReturnType<typeof findLegal>} Found */

/**
 * What decides on a roll, boxes as masks: the filled ones, those left open by the order, and the legal ones of them.
 * @param {Rules} rules @param {Card} card @param {{ place: number, face: number }} roll
 */
function findLegal(rules, card, { place, face }) {
  const { alike, stages } = rules;
  const filled = mask(card.marks.map((points) => points !== null));
  const available = stages.map((stage) => stage & ~filled).find(Boolean) ?? 0;
  /** @param {number} box */
  const plain = (box) => rules.points[box][place];
  if (!alike || !face) return { filled, available, boxes: available, step: null, extra: 0, points: plain };
  const own = card.marks[alike.box];
  const holds = alike.applies === "scored" ? Boolean(own) : own !== null;
  const state = alike.own[face - 1] & ~filled ? 0 : 1;
  const step = (holds && alike.steps.find(({ offers }) => offers[face - 1][state] & available)) || null;
  const boxes = step ? step.offers[face - 1][state] & available : available;
  const extra = own ? extraFor(alike, card.bonuses, step) : 0;
  return {
    filled, available, boxes, step, extra,
    points: step ? (/** @type {number} */ box) => alike.worths[step.worth][face - 1][box] : plain,
  };
}

/** The extra for one more. @param {Alike} alike @param {number} before @param {Step | null} step */
function extraFor({ extras, most }, before, step) {
  if (most !== null && before >= most) return 0;
  return step?.extra ?? extras[Math.min(before, extras.length - 1)];
}

/**
 * Every box with what the dice are worth there, or the reason why it is closed.
 * @param {Rules} rules @param {Card} card @param {string} dice in any order @returns {Ruling}
 */
export function judge(rules, card, dice) {
  const roll = rollOf(rules, dice);
  const ruled = findLegal(rules, card, roll);
  /** @type {Ruling} */
  const ruling = { boxes: {}, closed: {}, zeroAsks: false };
  rules.boxes.forEach(([key], place) => {
    if ((ruled.boxes >> place) & 1) ruling.boxes[key] = entryAt(rules, ruled, roll.place, place);
    else ruling.closed[key] = whyClosed(rules, card, roll, ruled, place);
  });
  const points = Object.values(ruling.boxes).map((entry) => entry.points);
  ruling.zeroAsks = points.includes(0) && points.some(Boolean);
  return ruling;
}

/** @param {Rules} rules @param {Found} ruled @param {number} roll @param {number} place @returns {Entry} */
function entryAt(rules, { extra, points: at }, roll, place) {
  const points = at(place);
  return { points, extra, joker: points > rules.points[place][roll] };
}

/**
 * @param {Rules} rules @param {Card} card @param {Roll} roll @param {Found} ruled @param {number} place
 * @returns {Reason}
 */
function whyClosed(rules, card, roll, ruled, place) {
  const points = card.marks[place];
  if (points !== null) return { kind: "game.box-filled", box: rules.boxes[place][0], points };
  if (!((ruled.available >> place) & 1)) {
    if (rules.order === "upper_first") return { kind: "game.upper-first", section: "upper" };
    return { kind: "game.box-not-next", box: keys(rules, ruled.available).at(-1) };
  }
  return whyForced(rules, roll, ruled);
}

/** @param {Rules} rules @param {Roll} roll @param {Found} ruled @returns {Reason} */
function whyForced(rules, { text, face }, { step, boxes, filled }) {
  if (step?.boxes === "face") {
    const open = keys(rules, boxes);
    return { kind: "game.forced-to-face", roll: text, boxes: open, count: open.length };
  }
  const section = /** @type {Section} */ (step?.boxes);
  const own = rules.alike?.own[face - 1] ?? 0;
  if (!own || (own & filled) !== own) return { kind: "game.forced-to-section", roll: text, section };
  const past = keys(rules, own);
  return { kind: "game.forced-past-face", roll: text, boxes: past, count: past.length, section };
}

// --- writing ---

/**
 * The card with one more box filled, or `Refused`. Without dice the points must say everything.
 * @param {Rules} rules @param {Card} card @param {string} box @param {string | null} dice
 * @param {{ points?: number | null, saved?: number }} [more]
 */
export function write(rules, card, box, dice, { points = null, saved = 0 } = {}) {
  const entry = entryFor(rules, card, box, dice ?? rollFor(rules, card, box, points));
  checkSaved(rules, card, saved);
  return put(rules, card, box, entry, saved);
}

/** @param {Rules} rules @param {Card} card @param {string} box @param {string} dice */
export function entryFor(rules, card, box, dice) {
  const { boxes, closed } = judge(rules, card, dice);
  if (closed[box]) throw new Refused(closed[box]);
  return boxes[box];
}

/** @param {Rules} rules @param {Card} card */
export const mostSaved = (rules, card) => (rules.saves ? rules.rolls + card.saved - 1 : 0);

/** @param {Rules} rules @param {Card} card @param {number} saved */
export function checkSaved(rules, card, saved) {
  const most = mostSaved(rules, card);
  if (!Number.isInteger(saved) || saved < 0 || saved > most)
    throw new Refused({ kind: "game.bad-rolls-left-over", saved, most });
}

/**
 * Fill a box without any check: the caller has judged.
 * @param {Rules} rules @param {Card} card @param {string} box @param {Entry} entry @param {number} saved
 * @returns {Card}
 */
export function put(rules, card, box, { points, extra }, saved) {
  const marks = card.marks.map((held, place) => (place === rules.index.get(box) ? points : held));
  const extras = extra && rules.alike?.byStep ? extraTotal(rules, card) + extra : card.extra;
  return { marks, bonuses: card.bonuses + (extra > 0 ? 1 : 0), extra: extras, saved: rules.saves ? saved : 0 };
}

// --- box first ---

/**
 * Points that a box may take now. `dice` is null where the points say everything; otherwise a roll that scores them
 * with another extra, so the dice have to be entered.
 * @typedef {{ points: number, dice: string | null, extra: number, joker: boolean }} Answer
 */

/**
 * Every number that a box may take now, from the lowest; none where it is closed.
 * @param {Rules} rules @param {Card} card @param {string} box @returns {Answer[]}
 */
export const answers = (rules, card, box) =>
  [...candidates(rules, card, box).values()].sort((one, other) => one.points - other.points)
    .map(({ points, other, extra, joker }) => ({ points, dice: other, extra, joker }));

/** @typedef {Entry & { roll: string, other: string | null }} Candidate */

/**
 * The first roll for each number, one without a joker if there is any, and one that pays another extra.
 * @param {Rules} rules @param {Card} card @param {string} box
 */
function candidates(rules, card, box) {
  const place = rules.index.get(box) ?? -1;
  /** @type {Map<number, Candidate[]>} */
  const rolls = new Map();
  for (const [roll, number] of rules.roll) {
    const face = roll[0] === roll.at(-1) ? Number(roll[0]) : 0;
    const ruled = findLegal(rules, card, { place: number, face });
    if (!((ruled.boxes >> place) & 1)) continue;
    const entry = { ...entryAt(rules, ruled, number, place), roll, other: null };
    const same = rolls.get(entry.points);
    if (same) same.push(entry);
    else rolls.set(entry.points, [entry]);
  }
  return new Map([...rolls].map(([points, all]) => [points, mergeRolls(all)]));
}

/** @param {Candidate[]} all in ascending order */
function mergeRolls(all) {
  const chosen = all.find(({ joker }) => !joker) ?? all[0];
  return { ...chosen, other: all.find(({ extra }) => extra !== chosen.extra)?.roll ?? null };
}

/**
 * The roll that stands for a number alone, as `roll_for` of the engine finds it, or `Refused`.
 * @param {Rules} rules @param {Card} card @param {string} box @param {number | null} points
 */
export function rollFor(rules, card, box, points) {
  const possible = candidates(rules, card, box);
  if (!possible.size) throw new Refused(judge(rules, card, [...rules.roll.keys()][0]).closed[box]);
  const answer = possible.get(points ?? -1);
  const numbers = [...possible.keys()].sort((one, other) => one - other);
  if (!answer) throw new Refused({ kind: "game.points-impossible", box, points: points ?? -1, possible: numbers });
  if (answer.other) throw new Refused({ kind: "game.points-ambiguous", box, points: answer.points });
  return answer.roll;
}

// --- sums ---

/** What further dice all alike have paid. @param {Rules} rules @param {Card} card */
function extraTotal({ alike }, card) {
  if (card.extra !== null || !alike) return card.extra ?? 0;
  return sum(Array.from({ length: card.bonuses }, (_, before) => extraFor(alike, before, null)));
}

/** The sums at the foot of a sheet. @param {Rules} rules @param {Card} card */
export function totals(rules, card) {
  /** @param {number} boxes */
  const counted = (boxes) => sum(card.marks.filter((_, place) => (boxes >> place) & 1));
  const upper = counted(rules.upper);
  const extra = extraTotal(rules, card);
  const bonuses = rules.bonuses.map(({ boxes, tiers }) => tiers.findLast(([from]) => counted(boxes) >= from)?.[1] ?? 0);
  const bonus = sum(bonuses.filter((_, number) => rules.bonuses[number].above));
  const lowerBoxes = sum(card.marks) - upper;
  const lower = lowerBoxes + extra + sum(bonuses) - bonus;
  return {
    upper, bonus, upperWithBonus: upper + bonus, lowerBoxes, extra, lower, grand: upper + bonus + lower, bonuses,
  };
}

/** @typedef {ReturnType<typeof lines>[number]} Line */

/** Every line of the column; headings and open boxes have no value. @param {Rules} rules @param {Card} card */
export function lines(rules, card) {
  const { upper, upperWithBonus, extra, lower, grand, bonuses } = totals(rules, card);
  const values = [...card.marks, upper, upperWithBonus, extra, lower, grand, ...bonuses, null];
  return rules.lines.map(([kind, section, role, place]) => ({ kind, section, role, value: values[place] }));
}

// --- words ---

/**
 * What things are called and how reasons are said (web/pages/pad/rule_data.py), in the order of the sheet.
 * @typedef {object} Words
 * @property {{ book: string, boxes: string[], short: string[], lines: string[], upper: string, lower: string,
 *   rule: string, inks?: string }} names inks: the colour of each face
 * @property {Record<string, string | Partial<Record<string, string>>>} sentences
 */

/**
 * A reason as the sentence that the engine would say.
 * @param {Rules} rules @param {Words} words @param {Reason} why @returns {string}
 */
export function sayReason(rules, words, why) {
  const { names, sentences } = words;
  /** @param {unknown} key */
  const name = (key) => names.boxes[rules.index.get(String(key)) ?? -1] ?? String(key);
  /** @param {string} dice */
  const dashed = (dice) => (/^\d+$/.test(dice) ? [...dice].join("-") : dice); // what is refused is quoted
  /** @type {Record<string, (value: any) => string>} */
  const shown = {
    box: name,
    boxes: (keys) => joinItems(keys.map(name), "and", sentences),
    possible: (numbers) => joinItems(numbers.map(String), "or", sentences),
    section: (section) => names[/** @type {Section} */ (section)],
    roll: dashed,
    dice: dashed,
    reason: (inner) => sayReason(rules, words, inner),
  };
  const values = { ...why, rule: names.rule };
  const text = form(sentences[why.kind] ?? why.kind, Number(why.count));
  return text.replace(/\{(\w+)\}/g, (_, key) =>
    (shown[key] ?? String)(/** @type {Record<string, unknown>} */ (values)[key]),
  );
}

/** @param {string[]} items @param {string} joined @param {Words["sentences"]} sentences */
function joinItems(items, joined, sentences) {
  const last = items.at(-1) ?? "";
  if (items.length < 2) return last;
  const some = items.slice(0, -1).join(", ");
  return form(sentences[joined]).replace(/\{(\w+)\}/g, (_, key) => (key === "last" ? last : some));
}

/** @param {Words["sentences"][string]} words @param {number} [count] */
function form(words, count = 0) {
  if (typeof words === "string") return words;
  return words[new Intl.PluralRules(document.documentElement.lang).select(count)] ?? words.other ?? "";
}

// --- bonuses ---

// Where a bonus of the sheet stands, by arithmetic on the table of a book: as table/view/sheet_rows.py tells it.

/** To the nearest whole number, halves to the even one: as the server rounds. @param {number} value */
const roundHalfEven = (value) => (Math.abs(value % 1) === 0.5 ? 2 * Math.round(value / 2) : Math.round(value));

const SUMS = 5; // the sums of a sheet that stand between its boxes and its bonuses in the values of the lines

/**
 * What it pays now, what counts for it, the next step that can still be reached, and how far the card is ahead of an
 * even course; null where nothing is to be reached, or where the first step is.
 * @param {Rules} rules @param {Card} card @param {number} line
 */
export function bonusAt(rules, card, line) {
  const number = rules.lines[line][3] - rules.boxes.length - SUMS;
  const { boxes, tiers } = rules.bonuses[number];
  const places = rules.boxes.flatMap((_, place) => ((boxes >> place) & 1 ? [place] : []));
  const counted = places.reduce((sum, place) => sum + (card.marks[place] ?? 0), 0);
  const most = places.reduce((sum, place) => sum + (card.marks[place] ?? highest(rules, place)), 0);
  const paid = tiers.findLast(([from]) => counted >= from)?.[1] ?? 0;
  const aim = tiers.find(([from]) => counted < from && from <= most)?.[0] ?? null;
  return { paid, counted, aim, ahead: number || paid || aim === null ? null : paceOf(rules, card, tiers[0][0]) };
}

/** @param {Rules} rules @param {number} place */
const highest = (rules, place) =>
  rules.course.find(([each]) => each === place)?.[1] ?? Math.max(...rules.points[place]);

/** @param {Rules} rules @param {Card} card @param {number} threshold */
function paceOf({ course }, card, threshold) {
  const all = course.reduce((sum, [, most]) => sum + most, 0);
  const ahead = course.reduce(
    (sum, [place, most]) =>
      sum + (card.marks[place] === null ? 0 : (card.marks[place] ?? 0) - (threshold * most) / all),
    0,
  );
  return roundHalfEven(ahead);
}

/** What an even course needs in this box, where it needs something. @param {Rules} rules @param {number} place */
export function par(rules, place) {
  const most = rules.course.find(([each]) => each === place)?.[1];
  const threshold = rules.bonuses[0]?.tiers[0][0];
  if (!most || !threshold) return null;
  return roundHalfEven((threshold * most) / rules.course.reduce((sum, [, each]) => sum + each, 0)) || null;
}
