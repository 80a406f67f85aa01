// Where a bonus of the sheet stands, by arithmetic on the table of a book: as table/view/sheet_rows.py tells it.

/** @typedef {import("./judge.js").Rules} Rules */
/** @typedef {import("./judge.js").Card} Card */

/**
 * To the nearest whole number, halves to the even one: as the server rounds.
 * @param {number} value
 */
const rounded = (value) => (Math.abs(value % 1) === 0.5 ? 2 * Math.round(value / 2) : Math.round(value));

const SUMS = 5; // the sums of a sheet that stand between its boxes and its bonuses in the values of the lines

/**
 * What it pays now, what counts for it, the next step that can still be reached, and how far the card is ahead of an even
 * course; null where nothing is to be reached, or where the first step is.
 * @param {Rules} rules
 * @param {Card} card
 * @param {number} line
 */
export function bonusAt(rules, card, line) {
  const number = rules.lines[line][3] - rules.boxes.length - SUMS;
  const { boxes, tiers } = rules.bonuses[number];
  const places = rules.boxes.flatMap((_, place) => ((boxes >> place) & 1 ? [place] : []));
  const counted = places.reduce((sum, place) => sum + (card.marks[place] ?? 0), 0);
  const most = places.reduce((sum, place) => sum + (card.marks[place] ?? highest(rules, place)), 0);
  const paid = tiers.findLast(([from]) => counted >= from)?.[1] ?? 0;
  const aim = tiers.find(([from]) => counted < from && from <= most)?.[0] ?? null;
  return { paid, counted, aim, ahead: number || paid || aim === null ? null : aheadOf(rules, card, tiers[0][0]) };
}

/**
 * @param {Rules} rules
 * @param {number} place
 */
const highest = (rules, place) => rules.course.find(([each]) => each === place)?.[1] ?? Math.max(...rules.points[place]);

/**
 * @param {Rules} rules
 * @param {Card} card
 * @param {number} threshold
 */
function aheadOf({ course }, card, threshold) {
  const all = course.reduce((sum, [, most]) => sum + most, 0);
  const ahead = course.reduce((sum, [place, most]) => sum + (card.marks[place] === null ? 0 : (card.marks[place] ?? 0) - (threshold * most) / all), 0);
  return rounded(ahead);
}

/**
 * What an even course needs in this box, where it needs something.
 * @param {Rules} rules
 * @param {number} place
 */
export function par(rules, place) {
  const most = rules.course.find(([each]) => each === place)?.[1];
  const threshold = rules.bonuses[0]?.tiers[0][0];
  if (!most || !threshold) return null;
  return rounded((threshold * most) / rules.course.reduce((sum, [, each]) => sum + each, 0)) || null;
}
