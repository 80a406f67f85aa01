// A sheet on its way from one phone to another: how it was set up, and what was done on it, in few letters. It may
// come from anywhere, so nothing in it is believed: every entry is judged again by the rules that this phone has.
// Nothing here touches the page or its storage.

import { sortDice, totals } from "./judge.js";
import { cards, fold, isName, LONGEST_NAME, next, quoteName } from "./sheet.js";

/** @import { Reason, Rules } from "./judge.js" */
/** @import { State, Turn } from "./sheet.js" */
/** @typedef {{ command: string, [field: string]: unknown }} Op */
/** @typedef {{ names: string[], first: number, games: number, matchTotal: boolean }} Start */
/** @typedef {{ saved?: number, rolls?: Rolls }} More */
/**
 * A written turn: the code of its box, and its dice, or its points if only they were noted. Its place follows from the
 * turns before it.
 * @typedef {[code: string, noted: string | number] | [code: string, noted: string | number, more: More]} Entry
 */
/**
 * @typedef {object} Carried
 * @property {string} book its key, as the sender knew it
 * @property {string} fingerprint of its rules
 * @property {string} label its name
 * @property {string[]} names
 * @property {number} first
 * @property {number} games
 * @property {boolean} match whether games are added up
 * @property {string} opened when
 * @property {(Entry | Op)[]} done in order
 */

export const MOST_LETTERS = 200_000; // of a sheet as text; twelve players with twelve games each have a quarter
const MOST_IN_LINK = 16_000;
const MOST_DONE = 4000;
const MOST_SEATS = 12;
const MOST_GAMES = 12;

/** What cannot be opened: the name of a sentence, and what it names. */
export class BadSheet extends Error {
  /**
   * @param {"import-unreadable" | "import-too-large" | "import-broken" | "import-other-rules" | "import-illegal" |
   *   "import-browser" | "import-name" | "needs-connection"} key
   * @param {{ rules?: string, number?: number, name?: string, reason?: Reason }} [about]
   */
  constructor(key, about = {}) {
    super(key);
    this.key = key;
    this.about = about;
  }
}

// --- away ---

/**
 * @param {Rules} rules @param {Start} start @param {Op[]} ops that count, in order
 * @param {Pick<Carried, "book" | "label" | "opened">} about @returns {Carried}
 */
export function makeCarried(rules, start, ops, about) {
  /** @type {(Entry | Op)[]} */
  const done = [];
  let state = startSheet(rules, start);
  for (const op of ops) {
    const before = countTurns(state);
    state = applyOp(state, op);
    if (state.refused.size) continue; // the player had left when all was over
    if (op.command !== "write") done.push(stripOp(op));
    else if (countTurns(state) > before) done.push(makeEntry(rules, op)); // one that came twice is not noted twice
  }
  const { names, first, games, matchTotal } = start;
  return { ...about, fingerprint: rules.fingerprint, names, first, games, match: matchTotal, done };
}

const NOW = "now"; // one after the other, so one name is enough

/** @param {State} state @param {Op} op */
const applyOp = (state, op) => fold({ ...state, out: [...state.out] }, [{ ...op, key: NOW }]);

/** @param {State} state */
const countTurns = ({ played }) => played.reduce((sum, { turns }) => sum + turns.length, 0);

/** Drop what only the sender needs: the order of the operations says the rest. @type {(op: Op) => Op} */
const stripOp = ({ key: _, was: __, by: ___, ...op }) => op;

/** @param {Rules} rules @param {any} op @returns {Entry} */
function makeEntry(rules, { box, dice, points, saved, rolls }) {
  const code = rules.boxes[rules.index.get(box) ?? 0][1];
  const more = { ...(saved ? { saved } : {}), ...(rolls?.length ? { rolls } : {}) };
  return Object.keys(more).length ? [code, dice ?? points, more] : [code, dice ?? points];
}

/** A sheet on which nothing is written yet. @param {Rules} rules @param {Start} start */
const startSheet = (rules, { names, first, games, matchTotal }) =>
  fold({ rules, names, first, games, matchTotal, out: [], played: [{ first, turns: [] }] }, []);

/**
 * What must have been done for a sheet to stand as it does: its turns, who was passed over, came and left. Only the
 * server knows more of a sheet that it has.
 * @param {State} state @returns {{ start: Start, ops: Op[] }}
 */
export function rebuildOps({ rules, names, first, games, matchTotal, out: outNow, ended, played }) {
  const out = [...outNow];
  /** @type {(game: number) => number} */
  const seatsIn = (game) => played[game].seats ?? names.length;
  /** @type {Set<number>} */
  const gone = new Set();
  const ops = played.flatMap(({ turns, passed = [], out: left = out }, game) => {
    const later = game ? [{ command: "next", game }] : [];
    const come = names
      .slice(game ? seatsIn(game - 1) : seatsIn(0), seatsIn(game))
      .map((name) => ({ command: "join", name }));
    const back = [...gone]
      .filter((seat) => !left.includes(seat) || turns.some((turn) => turn.seat === seat))
      .map((seat) => ({ command: "rejoin", seat }));
    for (const { seat } of back) gone.delete(seat);
    const skipped = findPassedOver({ rules, names, played }, game, [...gone]);
    const entries = turns.flatMap(({ seat, dice, box, points, saved, told }, turn) => [
      ...skipped[turn].map((each) => ({ command: "pass", game, turn, seat: each })),
      { command: "write", game, turn, seat, box, dice: told ? dice : null, points, saved },
    ]);
    const away = left.filter((seat) => !gone.has(seat)).map((seat) => ({ command: "retire", seat }));
    for (const { seat } of away) gone.add(seat);
    const waiting = passed
      .filter(({ turn }) => turn === turns.length)
      .map(({ turn, seat }) => ({ command: "pass", game, turn, seat }));
    return [...later, ...come, ...back, ...entries, ...away, ...waiting];
  });
  return {
    start: { names: names.slice(0, seatsIn(0)), first, games, matchTotal },
    ops: [...ops, ...(ended ? [{ command: "end" }] : [])],
  };
}

// --- back ---

/**
 * A sheet out of a text: a file of ours, or a link that ends in one.
 * @param {string} text @returns {Promise<Carried>}
 */
export async function readCarried(text) {
  const link = /#sheet=([\w-]+)/.exec(text);
  if (text.length > MOST_LETTERS || (link && link[1].length > MOST_IN_LINK)) throw new BadSheet("import-too-large");
  const found = parseJson(link ? await unpack(link[1]) : text);
  return checkShape(Array.isArray(found) ? found[0]?.sheet : found?.sheet ?? found);
}

/** @param {string} text */
function parseJson(text) {
  try { return JSON.parse(text); } catch { throw new BadSheet("import-unreadable"); }
}

/** Check the shape only; the rules are applied later. @param {any} sheet @returns {Carried} */
function checkShape(sheet) {
  const isSheet =
    isRecord(sheet) && isText(sheet.book, 60) && isText(sheet.fingerprint, 64) && isText(sheet.label, 100) &&
    isText(sheet.opened, 40) && Array.isArray(sheet.names) && sheet.names.length &&
    sheet.names.every((/** @type {unknown} */ name) => isText(name, MOST_IN_LINK)) &&
    isWhole(sheet.first, sheet.names.length - 1) && isWhole(sheet.games, MOST_GAMES) &&
    typeof sheet.match === "boolean" && Array.isArray(sheet.done);
  if (!isSheet) throw new BadSheet("import-unreadable");
  const unfit = sheet.names.find((/** @type {string} */ name) => !isNamed(name));
  if (unfit !== undefined) throw new BadSheet("import-name", { name: quoteName(unfit) });
  if (sheet.names.length > MOST_SEATS || sheet.done.length > MOST_DONE) throw new BadSheet("import-too-large");
  const { book, fingerprint, label, names, first, games, match, opened, done } = sheet;
  return {
    book, fingerprint, label, names, first, games: Math.max(games, 1), match,
    opened: Number.isNaN(Date.parse(opened)) ? new Date().toISOString() : opened, done,
  };
}

/** @param {unknown} value */
const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
/** @param {unknown} value @param {number} most */
const isText = (value, most) => typeof value === "string" && value.length <= most;
/** @param {unknown} value @param {number} most */
const isWhole = (value, most) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most;
/** @param {unknown} value */
const isNamed = (value) => isText(value, 4 * LONGEST_NAME) && isName(String(value));
/** @param {unknown} value @param {(each: any) => boolean} holds */
const isAbsentOr = (value, holds) => value === undefined || value === null || holds(value);
/** @param {unknown} value */
const isDice = (value) => typeof value === "string" && /^[1-9]{1,20}$/.test(value);

const LARGEST = 100_000; // no number on a sheet is anywhere near
/** @param {unknown} value */
const isNumber = (value) => isWhole(value, LARGEST);
/** @param {any} each */
const isChange = (each) =>
  isRecord(each) && isNumber(each.game) && isNumber(each.turn) && isAbsentOr(each.dice, isDice) &&
  isAbsentOr(each.points, isNumber) && isAbsentOr(each.saved, isNumber) &&
  isAbsentOr(each.box, (box) => isText(box, 60));
/** @param {unknown} value */
const areChanges = (value) => Array.isArray(value) && value.length <= MOST_DONE && value.every(isChange);
/** @type {Record<string, Record<string, (value: any) => boolean>>} */
const FIELDS = {
  next: { game: isNumber }, erase: { game: isNumber, turn: isNumber },
  pass: { game: isNumber, turn: isNumber, seat: isNumber }, join: { name: isNamed }, retire: { seat: isNumber },
  rejoin: { seat: isNumber }, rename: { seat: isNumber, name: isNamed }, end: {}, correct: { changes: areChanges },
};

/**
 * Play a sheet by the rules of this phone. What they forbid is refused, with the number of the entry and the reason.
 * @param {Rules} rules @param {Carried} sheet @returns {{ state: State, ops: Op[] }}
 */
export function replay(rules, { names, first, games, match, done, label, fingerprint }) {
  if (rules.fingerprint !== fingerprint) throw new BadSheet("import-other-rules", { rules: label });
  /** @type {Op[]} */
  const ops = [];
  let state = startSheet(rules, { names, first, games, matchTotal: match });
  done.forEach((each, place) => {
    const op = readOp(rules, state, each);
    if (!op) throw new BadSheet("import-broken", { number: place + 1 });
    state = applyOp(state, op);
    const reason = state.refused.get(NOW);
    if (reason) throw new BadSheet("import-illegal", { number: place + 1, reason });
    ops.push(op);
  });
  return { state, ops };
}

/**
 * An operation with all its fields and no others; null where something is wrong with it.
 * @param {Rules} rules @param {State} state @param {any} op @returns {Op | null}
 */
function readOp(rules, state, op) {
  if (Array.isArray(op)) return readEntry(rules, state, op);
  if (!isRecord(op) || !Object.hasOwn(FIELDS, op.command)) return null;
  const fields = Object.entries(FIELDS[op.command]);
  if (!fields.every(([name, holds]) => holds(op[name]))) return null;
  return { command: op.command, ...Object.fromEntries(fields.map(([name]) => [name, op[name]])) };
}

/** @param {Rules} rules @param {State} state @param {any[]} op @returns {Op | null} */
function readEntry(rules, state, [code, what, more = {}]) {
  const box = rules.boxes.find((each) => each[1] === code)?.[0];
  const at = next(state);
  if (!box || !at || !isRecord(more) || !(isDice(what) || isNumber(what)) || !isAbsentOr(more.saved, isNumber))
    return null;
  const dice = typeof what === "string" ? what : null;
  const { game, turn, seat } = at;
  const rolls = more.rolls ?? [];
  if (!areRolls(rules, rolls, dice, rules.rolls + cards(state, game)[seat].saved)) return null;
  return {
    command: "write", game, turn, seat, box, dice, ...(dice ? {} : { points: what }),
    ...(more.saved ? { saved: more.saved } : {}), ...(rolls.length ? { rolls } : {}),
  };
}

/**
 * Whether rolls could have come one after the other and end with these dice.
 * @param {Rules} rules @param {any} rolls @param {string | null} dice @param {number} most
 */
function areRolls(rules, rolls, dice, most) {
  if (!Array.isArray(rolls) || rolls.length > most) return false;
  const fit = rolls.every(
    (roll, place) =>
      isRecord(roll) && isDice(roll.dice) && rules.roll.has(sortDice(roll.dice)) && Array.isArray(roll.held) &&
      roll.held.length < rules.dice &&
      roll.held.every(
        (/** @type {unknown} */ slot) =>
          place > 0 && isWhole(slot, rules.dice - 1) && roll.dice[Number(slot)] === rolls[place - 1].dice[Number(slot)],
      ),
  );
  return fit && (!rolls.length || (dice !== null && sortDice(rolls[rolls.length - 1].dice) === sortDice(dice)));
}

// --- entries alone ---

/** @param {any} roll */
const isRoll = (roll) =>
  isRecord(roll) && isDice(roll.dice) && Array.isArray(roll.held) && roll.held.length <= 20 &&
  roll.held.every(isNumber);
/** @type {Record<string, (value: any) => boolean>} */
const WRITTEN = {
  game: isNumber, turn: isNumber, seat: isNumber, box: (box) => isText(box, 60),
  dice: (dice) => isAbsentOr(dice, isDice), points: (points) => isAbsentOr(points, isNumber),
  saved: (saved) => isAbsentOr(saved, isNumber),
  rolls: (rolls) => isAbsentOr(rolls, (all) => Array.isArray(all) && all.length <= 100 && all.every(isRoll)),
};

/**
 * Entries for a sheet that is here, each with its place and its key. Their shape alone is checked; the server judges
 * them.
 * @param {string} letters of a link
 */
export async function readEntries(letters) {
  if (letters.length > MOST_IN_LINK) throw new BadSheet("import-too-large");
  const found = parseJson(await unpack(letters));
  if (!Array.isArray(found) || !found.length || found.length > MOST_DONE) throw new BadSheet("import-unreadable");
  return found.map((op, place) => {
    const fields =
      op?.command === "write" ? WRITTEN : Object.hasOwn(FIELDS, op?.command) ? FIELDS[op.command] : null;
    const isWell =
      isRecord(op) && fields && isText(op.key, 60) &&
      Object.entries(fields).every(([name, holds]) => holds(op[name]));
    if (!isWell) throw new BadSheet("import-broken", { number: place + 1 });
    const names = Object.keys(fields).filter((name) => op[name] !== undefined);
    return {
      command: String(op.command), key: String(op.key),
      ...Object.fromEntries(names.map((name) => [name, op[name]])),
    };
  });
}

// --- in a link ---

/** The letters that stand for a sheet in a link, or for entries. @param {Carried | object[]} carried */
export async function pack(carried) {
  const bytes = await readStream(
    new Blob([JSON.stringify(carried)]).stream().pipeThrough(new CompressionStream("deflate-raw")),
    MOST_LETTERS,
  );
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {string} letters */
async function unpack(letters) {
  if (!("DecompressionStream" in globalThis)) throw new BadSheet("import-browser");
  try {
    const bytes = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
      letter.charCodeAt(0),
    );
    return new TextDecoder("utf-8", { fatal: true }).decode(
      await readStream(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")), MOST_LETTERS),
    );
  } catch (error) {
    throw error instanceof BadSheet ? error : new BadSheet("import-unreadable");
  }
}

/**
 * All that a stream has, but never more than this: a few letters may stand for gigabytes.
 * @param {ReadableStream<Uint8Array>} stream @param {number} most
 */
async function readStream(stream, most) {
  const reader = stream.getReader();
  /** @type {number[]} */
  const bytes = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Uint8Array.from(bytes);
    if (bytes.length + value.length > most) {
      await reader.cancel();
      throw new BadSheet("import-too-large");
    }
    for (const byte of value) bytes.push(byte);
  }
}

// --- as a record ---

// The games of a sheet in Fivedice's own notation, as JSON: what game_from_json in core/notation/jsonform.py reads, and
// with it `fivedice replay` and `fivedice report`. Nothing here touches the page or its storage.

/** @typedef {{ dice: string, held: number[] }[]} Rolls one by one: the dice as they lay, and the places that stayed */

const FORMAT = 1;

/** @param {State} state @param {(game: number, turn: number) => Rolls | null} rolls where they are known */
export const makeRecords = (state, rolls) => state.played.map((_, game) => makeRecord(state, game, rolls));

/** @param {State} state @param {number} game @param {(game: number, turn: number) => Rolls | null} rolls */
function makeRecord(state, game, rolls) {
  const { rules, names, played } = state;
  const { first, turns, seats = names.length } = played[game];
  const columns = cards(state, game).slice(0, seats);
  const left = findLeavers(state, game, columns.map((card) => !card.marks.includes(null)));
  const absent = left.filter((seat) => !turns.some((turn) => turn.seat === seat));
  const noted = noteAll(state, game, left, rolls);
  return {
    format: FORMAT, book: rules.key, fingerprint: rules.fingerprint, players: names.slice(0, seats), first,
    roll_off: null, tags: {}, ...(absent.length ? { absent } : {}), turns: noted,
    finished: columns.every((card, seat) => left.includes(seat) || !card.marks.includes(null)),
    totals: columns.map((card) => totals(rules, card).grand),
  };
}

/**
 * Who had left when the game was over, or has left by now, before their column was full. One player always stays.
 * @param {State} state @param {number} game @param {boolean[]} full
 */
function findLeavers(state, game, full) {
  const gone = (state.played[game].out ?? [...state.out]).filter((seat) => full[seat] === false);
  return gone.length < full.length ? gone : gone.slice(1);
}

/**
 * The turns in order, with who was passed over before each and who left after it.
 * @param {State} state @param {number} game @param {number[]} left
 * @param {(game: number, turn: number) => Rolls | null} rolls
 */
function noteAll(state, game, left, rolls) {
  const { turns } = state.played[game];
  const skipped = findPassedOver(state, game, left);
  const isOdd = left.length > 0 || skipped.some((seats) => seats.length);
  return turns.flatMap((turn, number) => [
    ...skipped[number].map((seat) => ({ skip: seat })),
    { ...(isOdd ? { seat: turn.seat } : {}), ...makeTurn(turn, rolls(game, number)) },
    ...(left.includes(turn.seat) && turns.findLastIndex(({ seat }) => seat === turn.seat) === number
      ? [{ leave: turn.seat }]
      : []),
  ]);
}

/**
 * Before every turn of a game, the seats that could have played and did not: round the table from the last writer.
 * @param {Pick<State, "rules" | "names" | "played">} state @param {number} game
 * @param {number[]} [left] who plays no more after their last turn @returns {number[][]}
 */
function findPassedOver({ rules, names, played }, game, left = []) {
  const { first, turns, seats = names.length } = played[game];
  return turns.map(({ seat }, number) => {
    const start = number ? turns[number - 1].seat + 1 : first;
    const between = Array.from({ length: (seat - start + 2 * seats) % seats }, (_, step) => (start + step) % seats);
    return between.filter((each) => mayPlay(turns, number, each, rules.boxes.length, left));
  });
}

/** @param {Turn[]} turns @param {number} number @param {number} seat @param {number} boxes @param {number[]} left */
function mayPlay(turns, number, seat, boxes, left) {
  const before = turns.slice(0, number).filter((turn) => turn.seat === seat).length;
  const isGone = left.includes(seat) && !turns.slice(number).some((turn) => turn.seat === seat);
  return before < boxes && !isGone;
}

/** @param {Turn} turn @param {Rolls | null} rolls */
function makeTurn({ dice, box, points, joker, saved, told }, rolls) {
  const scored = { box, points, joker };
  const over = saved ? { saved } : {};
  if (!told) return { rolls: [], keeps: [], by_points: true, ...over, ...scored };
  if (!rolls) return { rolls: [sortDice(dice)], keeps: [], final_dice: true, ...over, ...scored };
  const keeps = rolls
    .slice(1)
    .map(({ held }, number) => sortDice(held.map((slot) => rolls[number].dice[slot]).join("")) || "-");
  return { rolls: rolls.map((roll) => sortDice(roll.dice)), keeps, ...scored };
}
