// What this phone knows of a sheet, as one value: the base (what the server said last), the queue (what was done here
// since) and what is being typed. Every change is a pure function from one value to the next; store.js applies it.
// Nothing leaves the queue before a base that has it is kept, and a refused entry stays until another takes its place.

import { judge, mostSaved } from "./judge.js";
import { cardBefore, cards, differs, fold, next as nextOf } from "./sheet.js";

/** @typedef {import("./judge.js").Rules} Rules */
/** @typedef {import("./coach.js").Question["links"]} CoachLinks */
/**
 * The rules of a book, as they are sent.
 * @typedef {import("./judge.js").Words & { link: string, rules: import("./judge.js").Table,
 *   coach: CoachLinks }} RulesData
 */
/** @import { Base, Change, Game, State, Turn } from "./sheet.js" */
/**
 * What a person did, as the server takes it: the name of a command with its fields, and a key of its own.
 * @typedef {{ command: string, key: string, [field: string]: unknown }} Op
 */
/** @typedef {{ command: string, [field: string]: unknown }} Act an operation that has no key yet */
/**
 * An operation on its way: `tried` once it may have arrived, `version` once it has (with the `seat` of a player who
 * came by it), `refused` where it was not taken; `about`, the key of the entry from here that it corrects or undoes.
 * @typedef {{ op: Op, tried?: boolean, version?: number, seat?: number, refused?: Refusal, about?: string }} Sent
 */
/** @typedef {{ code: string, message: string }} Refusal */
/**
 * How a sheet of this phone was set up, as the form of a server has it.
 * @typedef {object} SetUp
 * @property {string} rules where the data of the rules is found
 * @property {string} page where people read the rules
 * @property {string} book its key, as a server knows it
 * @property {string} label its name, to be shown in the list
 * @property {string[]} names
 * @property {number} first
 * @property {number} games
 * @property {boolean} matchTotal
 * @property {"quick" | "rolls"} mode
 */
/**
 * What the server sends to the page: `script_data` in web/pages/pad/pad_page.py, or `emptyBase`.
 * @typedef {Omit<Base, "rules"> & PadData} Pad
 */
/**
 * @typedef {object} PadData
 * @property {string} id
 * @property {number} version
 * @property {number} [edition] another one after the server has gone back to an older copy
 * @property {boolean} keeper
 * @property {string | null} [opened] when, as the server knows it
 * @property {boolean} [playing]
 * @property {boolean} [coach] whether hints are allowed
 * @property {boolean} [local] whether no server knows this sheet
 * @property {number} most players
 * @property {"quick" | "rolls"} mode
 * @property {Links} links
 */
/**
 * @typedef {object} Links
 * @property {string | null} rules
 * @property {string} commands
 * @property {string} [open]
 * @property {string} [table]
 * @property {string} setUp
 * @property {string} book
 */
/**
 * @typedef {object} Sheet
 * @property {string} id
 * @property {Pad | null} base null before a server has said anything
 * @property {Sent[]} queue
 * @property {Typed | null} typed
 * @property {Pad | null} [lost] the base that the server had before it went back, until the person has answered
 * @property {string} rules their link
 * @property {SetUp} [setUp]
 * @property {string} [opened] when it was set up here
 * @property {number} [made] when it came here, in milliseconds
 * @property {string} [seen] when the server was heard last
 */

// --- what is shown ---

/** @param {string} id @returns {Sheet} */
export const blank = (id) => ({ id, base: null, queue: [], typed: null, rules: "" });

/** @param {string} id */
export const isLocal = (id) => id.startsWith("l-");

const MOST_SEATS = 12; // of a server, which is to take the sheet one day

/**
 * An empty sheet, as it was set up. Where things are, the page says.
 * @param {Sheet} sheet @param {Pad["links"]} links @returns {Pad}
 */
export function emptyBase({ id, setUp }, links) {
  const { names = [""], first = 0, games = 1, matchTotal = false, mode = "quick", rules = "", page = "" } = setUp ?? {};
  return {
    id, version: 0, keeper: true, local: isLocal(id), mode, most: MOST_SEATS, coach: true,
    names, first, games, matchTotal, out: [], played: [{ first, turns: [] }],
    links: { ...links, commands: links.open ? `${links.open}/${id}/commands` : "", rules: rules || null, book: page },
  };
}

/** Whether the base has what an operation led to. @param {Sent} sent @param {number} version */
const isShown = (sent, version) => sent.version !== undefined && sent.version <= version;

/** @param {Pick<Sheet, "queue">} sheet */
export const listUnsent = ({ queue }) => queue.filter((each) => each.version === undefined);

/**
 * The sheet as it stands here: the base with all that was done since and not refused. It does not end before all that
 * was done earlier is settled.
 * @param {Sheet} sheet @param {Rules} rules @param {Pad} base
 */
export function foldSheet({ queue }, rules, base) {
  const start = { ...base, rules, played: unpackGames(base.played, rules) };
  const counts = queue.filter((sent) => !isShown(sent, base.version) && !sent.refused);
  const isEnd = (/** @type {Sent} */ { op, version }) => op.command === "end" && version === undefined;
  const open = fold(start, counts.filter((sent) => !isEnd(sent)).map(({ op }) => op));
  const isHeldUp = open.refused.size > 0 || queue.some(({ refused }) => refused);
  return isHeldUp || !counts.some(isEnd) ? open : fold(start, counts.map(({ op }) => op));
}

/**
 * The turns of a base, which are short: `_turn` in web/pages/pad/pad_page.py.
 * @typedef {[seat: number, dice: string, box: number, points: number, ...rare: Rare]} Packed
 */
/** @typedef {[extra?: number, joker?: number, saved?: number, untold?: number, rolled?: number]} Rare */

/** @param {(Omit<Game, "turns"> & { turns: (Packed | Turn)[] })[]} played @param {Rules} rules @returns {Game[]} */
export function unpackGames(played, rules) {
  const whole = (/** @type {Packed | Turn} */ turn) => (Array.isArray(turn) ? unpackTurn(turn, rules) : turn);
  return played.map((game) => ({ ...game, turns: game.turns.map(whole) }));
}

/** @param {Packed} packed @param {Rules} rules @returns {Turn} */
function unpackTurn([seat, dice, box, points, extra = 0, joker = 0, saved = 0, untold = 0, rolled = 0], rules) {
  const [key] = rules.boxes[box];
  const turn = { seat, dice, box: key, points, extra, joker: Boolean(joker), saved, told: !untold };
  return rolled ? { ...turn, rolled } : turn;
}

// --- what a person does ---

// Also without https, where the shorter ways are missing.
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {Sent} sent @returns {Sent} */
const clearRefusal = ({ refused: _, ...sent }) => sent;

/**
 * Put an operation behind the ones that count; the ones that wait for something else stay behind it. The refused ones
 * that it replaces go in the same step, and the rest is tried again. Where another window has done something meanwhile
 * that leaves no place for it, nothing changes.
 * @param {Sheet} sheet @param {Op} op @param {Rules} rules @param {Pad} base
 * @param {string[]} [instead] the keys of the operations that it replaces @returns {Sheet}
 */
export function add(sheet, op, rules, base, instead = []) {
  if (sheet.queue.some((each) => each.op.key === op.key)) return sheet;
  if (instead.some((key) => !sheet.queue.some((each) => each.op.key === key))) return sheet; // it has been settled
  const left = sheet.queue.filter((each) => !instead.includes(each.op.key));
  const isAgain = instead.length > 0 || op.command === "pass"; // the turn of another player may have come
  const queue = isAgain ? left.map(clearRefusal) : left;
  const { taken, joined } = foldSheet({ ...sheet, queue }, rules, base);
  const isIdle = (/** @type {Sent} */ each) => !taken.has(each.op.key) || each.op.command === "end"; // that comes last
  const idle = queue.findIndex((each) => each.version === undefined && isIdle(each));
  const [by] = [...joined].find(([, seat]) => seat === op.seat) ?? [];
  const about = findWritten(queue, op, taken);
  const sent = { op: by ? { ...op, by } : op, ...(about && { about }) };
  const after = { ...sheet, queue: queue.toSpliced(idle < 0 ? queue.length : idle, 0, sent), typed: null };
  if (isDoable(sheet, after, op, rules, base)) return after;
  const behind = { ...after, queue: [...queue, sent] }; // one that was refused while this was tapped
  return isDoable(sheet, { ...behind, queue: behind.queue.map(clearRefusal) }, op, rules, base) ? behind : sheet;
}

/**
 * Put entries from another phone behind the ones that are here.
 * @param {Sheet} sheet @param {Op[]} ops @returns {Sheet}
 */
export function append(sheet, ops) {
  const known = new Set(sheet.queue.map(({ op }) => op.key));
  return { ...sheet, queue: [...sheet.queue, ...ops.filter(({ key }) => !known.has(key)).map((op) => ({ op }))] };
}

/**
 * Whether an operation finds its place. A turn that stands as it is to be written was written in another window.
 * @param {Sheet} before @param {Sheet} after @param {Op} op @param {Rules} rules @param {Pad} base
 */
function isDoable(before, after, op, rules, base) {
  const { taken } = foldSheet(after, rules, base);
  const { game, turn } = /** @type {{ game?: number, turn?: number }} */ (op);
  const isThere = op.command === "write" && foldSheet(before, rules, base).played[game ?? -1]?.turns[turn ?? -1];
  return (taken.has(op.key) || op.command === "end") && !isThere;
}

/**
 * Take back a turn: one that waits is forgotten, one that may have arrived is erased.
 * @param {Sheet} sheet @param {Op} erase @param {Rules} rules @param {Pad} base
 */
export function takeBack(sheet, erase, rules, base) {
  const { op, tried, version } = sheet.queue.filter((each) => !each.refused).at(-1) ?? {};
  const isIt = op?.command === "write" && op.game === erase.game && op.turn === erase.turn;
  const erased = add(sheet, erase, rules, base);
  if (!isIt || tried || version !== undefined) return erased;
  const after = { ...drop(sheet, [op.key]), typed: null };
  const isGone = !foldSheet(after, rules, base).played[Number(erase.game)]?.turns[Number(erase.turn)];
  return isGone ? after : erased; // another entry is shown there
}

/**
 * Find the key of the entry from here that an operation corrects or takes back, and nothing else.
 * @param {Sent[]} queue @param {Op} op @param {ReadonlySet<string>} taken what is shown
 */
function findWritten(queue, op, taken) {
  if (!["correct", "erase"].includes(op.command)) return undefined;
  const isIt = (/** @type {Op} */ { command, key, game, turn }) =>
    command === "write" && taken.has(key) && placesOf(op).every((place) => place === `${game}/${turn}`);
  return queue.findLast((each) => isIt(each.op))?.op.key;
}

/**
 * Without these operations; with a player who came here go the entries of that player, or another would get them. With
 * an entry goes its undo, or that would be about an entry from elsewhere.
 * @param {Sheet} sheet @param {string[]} keys @returns {Sheet}
 */
export function drop(sheet, keys) {
  const isGone = (/** @type {Sent} */ { op, about = "" }) =>
    [op.key, String(op.by), op.command === "erase" ? about : ""].some((each) => keys.includes(each));
  return { ...sheet, queue: sheet.queue.filter((each) => !isGone(each)) };
}

/**
 * What was refused is settled one way or another: the rest is tried again.
 * @param {Sheet} sheet @param {string[]} keys that are discarded @returns {Sheet}
 */
export const settle = (sheet, keys) => ({ ...drop(sheet, keys), queue: drop(sheet, keys).queue.map(clearRefusal) });

// --- what the server says ---

/** @param {Pad} base @param {Pad} other */
const isOfOneHistory = (base, other) => base.id === other.id && (base.edition ?? 0) === (other.edition ?? 0);

/** Whether a base was overtaken by another. @param {Pad} base @param {Pad} other */
export const isOlder = (base, other) => isOfOneHistory(base, other) && base.version < other.version;

/** @param {Pad} base @param {Pad} other */
export const isNewer = (base, other) => !isOfOneHistory(base, other) || base.version > other.version;

/**
 * A base is kept unless a newer one is here, and what it has leaves the queue in the same step. A phone that does not
 * keep the score keeps no sheet either, except for what waits.
 * @param {Sheet | null} sheet @param {Pad} base @param {string} [seen] now @returns {Sheet | null}
 */
export function learn(sheet, base, seen = new Date().toISOString()) {
  const before = backTo(sheet ?? blank(base.id), base);
  if (before.base && isOlder(base, before.base)) return before;
  const queue = before.queue.filter((sent) => !isShown(sent, base.version)).map((sent) => giveSeat(before, sent));
  if (!base.keeper && queue.every(({ version }) => version !== undefined)) return null;
  const isBack = base.keeper && before.base?.keeper === false;
  const { setUp: _, ...rest } = before;
  return {
    ...rest, base, seen, queue: isBack ? queue.map(clearRefusal) : queue, rules: base.links.rules ?? before.rules,
  };
}

/**
 * Go back with a server that has an older copy: what it took from here may be missing there, and is sent again. The
 * person is asked about all else that was on the sheet.
 * @param {Sheet} sheet @param {Pad} base @returns {Sheet}
 */
function backTo(sheet, base) {
  if (!sheet.base || isOfOneHistory(sheet.base, base)) return sheet;
  const queue = sheet.queue.map(({ version: _, ...sent }) => sent);
  return { ...sheet, base: null, queue, lost: sheet.lost ?? sheet.base };
}

/**
 * The person has answered: what is to be written again goes before what was written since.
 * @param {Sheet} sheet @param {Op[]} ops @returns {Sheet}
 */
export const restore = (sheet, ops) =>
  ({ ...sheet, lost: null, queue: [...ops.map((op) => ({ op })), ...sheet.queue] });

/**
 * Who came by an operation has the seat that the server gave.
 * @param {Sheet} sheet @param {Sent} sent @returns {Sent}
 */
function giveSeat({ queue }, sent) {
  const joined = queue.find(({ op }) => op.key === sent.op.by);
  if (joined?.seat === undefined) return sent;
  const { by: _, ...op } = sent.op;
  return { ...sent, op: { ...op, command: op.command, key: op.key, seat: joined.seat } };
}

/** An operation as the server takes it, which knows the seats of turns. @param {Sheet} sheet @param {Sent} sent */
export function plainOp(sheet, sent) {
  const { op } = giveSeat(sheet, sent);
  const was = /** @type {Seen[] | undefined} */ (op.was)?.map(({ seat: _, ...seen }) => seen);
  return was ? { ...op, was } : op;
}

/** @param {Sheet} sheet @param {string} key @param {Partial<Sent>} changes @returns {Sheet} */
function changeSent(sheet, key, changes) {
  return { ...sheet, queue: sheet.queue.map((each) => (each.op.key === key ? { ...each, ...changes } : each)) };
}

/** It is on its way, and may arrive. @param {Sheet} sheet @param {string} key */
export const tryOut = (sheet, key) => changeSent(sheet, key, { tried: true });

/** @param {Sheet} sheet @param {string} key @param {number} version @param {string[]} [names] of the players by then */
export function accept(sheet, key, version, names = []) {
  const op = sheet.queue.find((each) => each.op.key === key)?.op;
  const isOther = op?.command !== "write" && op?.command !== "next"; // what was refused before it may be right now
  const left = sheet.queue.filter((each) => !isOvertaken(each, op));
  const queue = left.map((each) => (isOther || each.op.key === key ? clearRefusal(each) : each));
  const place = names.lastIndexOf(String(op?.name));
  const seat = op?.command === "join" && names.length ? { seat: place < 0 ? names.length - 1 : place } : {};
  return changeSent({ ...sheet, queue }, key, { version, ...seat });
}

/**
 * Whether an undo has waited in vain: the person has written there again, and that has arrived. It may count as
 * written by another phone, and must not be erased later.
 * @param {Sent} sent @param {Op} [written]
 */
function isOvertaken({ op, version, about }, written) {
  if (op.command !== "erase" || version !== undefined || written?.command !== "write") return false;
  return about !== written.key && placesOf(op)[0] === placesOf(written)[0];
}

/**
 * One that was not taken stays with the reason. If the person has taken it back since, there is nothing left to ask: it
 * goes, with its correction and its undo.
 * @param {Sheet} sheet @param {string} key @param {Refusal} refused
 */
export function refuse(sheet, key, refused) {
  const about = sheet.queue.filter((each) => each.about === key);
  const undo = about.findIndex(({ op }) => op.command === "erase");
  if (undo < 0) return changeSent(sheet, key, { refused });
  return drop(sheet, [key, ...about.slice(0, undo).map(({ op }) => op.key)]);
}

/** Where an operation writes. @param {Op} op */
const placesOf = (op) => /** @type {Place[]} */ (op.changes ?? [op]).map(({ game, turn }) => `${game}/${turn}`);

/**
 * Whether a refusal only says that something before this is missing. A turn can always be written yet; a game may be
 * over for good, unless something here holds it up.
 * @param {string} code @param {boolean} isHeldUp
 */
export const isTooEarly = (code, isHeldUp) => code === "turn-missing" || (isHeldUp && code === "wrong-phase");

/**
 * The next operation to be sent; those in `early` wait for one before them.
 * @param {Sheet} sheet @param {ReadonlySet<string>} early
 */
export function nextToSend(sheet, early) {
  const waiting = listUnsent(sheet);
  const isThere = (/** @type {Sent} */ { op, about }) => // the player, or the entry, that it is about
    !waiting.some(({ op: { key } }) => key === op.by || key === about);
  const isLast = (/** @type {Sent} */ { op }) => op.command !== "end" || waiting[0].op === op; // the rest has arrived
  return waiting.find((each) => !each.refused && !early.has(each.op.key) && isThere(each) && isLast(each)) ?? null;
}

/**
 * Where a sheet stands with its server. A question stops what needs its answer; the rest is sent.
 * @typedef {"nothing-to-send" | "sending" | "waiting-for-connection" | "stopped-by-question"} Standing
 */

/** @param {Sheet} sheet @param {{ isSending: boolean, failures: number }} line @returns {Standing} */
export function sendingState(sheet, { isSending, failures }) {
  const waiting = listUnsent(sheet);
  if (isSending) return "sending";
  if (waiting.some(({ refused }) => refused)) return "stopped-by-question";
  const isDue = waiting.length > 0 || (isLocal(sheet.id) && sheet.setUp);
  return isDue && failures ? "waiting-for-connection" : "nothing-to-send";
}

/**
 * A server has opened the sheet of this phone: what was done here goes on as the queue of that table.
 * @param {(Sheet | null)[]} sheets the one of the phone, and the one of the table if there is any @param {string} table
 * @returns {(Sheet | null)[]}
 */
export function move([local, known], table) {
  if (!local) return [null, known];
  const { queue, typed } = known ?? { queue: [], typed: null };
  const keys = new Set(queue.map(({ op }) => op.key));
  const all = [...queue, ...local.queue.filter(({ op }) => !keys.has(op.key))];
  return [null, { ...local, ...known, id: table, queue: all, typed: typed ?? local.typed }];
}

// --- state ---

// What the page of a sheet knows now, what is being entered, and what follows from both. One window changes it; what
// is kept is in store.js.

export const now = {
  /** @type {Sheet} */
  sheet: blank("none"),
  isKept: true, // whether all of it will be there after a reload
  /** @type {Pad} */
  pad: emptyBase(blank("none"), { rules: null, commands: "", setUp: "", book: "" }),
  rules: /** @type {Rules} */ (/** @type {unknown} */ (undefined)),
  words: /** @type {RulesData} */ (/** @type {unknown} */ (undefined)),
  state: /** @type {State} */ (/** @type {unknown} */ (undefined)),
  /** @type {Typed | null} */
  typed: null,
  /** @type {string | null} */
  mode: null, // as it was chosen on this device
  /** @type {string | null} */
  question: null, // the box that waits for "score 0"
  asksDice: false, // for the box that was tapped first
  /** @type {number | null} */
  column: null, // whose games are shown side by side
  byKeys: false, // whether a keyboard is used: then the focus goes on with it
  /** @type {string | null} */
  advised: null, // a box, by the coach
  /** @type {HTMLElement | null} */
  coaching: null, // what the coach says, in the place of the keys
};

/** Fold what is known. Entries of a phone that does not keep the score are offered, and not on the sheet. */
export function refold() {
  now.pad = { ...now.pad, played: unpackGames(now.pad.played, now.rules) };
  now.state = foldSheet(now.pad.keeper ? now.sheet : blank(now.sheet.id), now.rules, now.pad);
  if (now.column !== null && (now.state.games === 1 || !(now.column in now.state.names))) now.column = null;
}

export const next = () => nextOf(now.state);

export function draft() {
  const found = draftOf(now.pad.keeper ? now.typed : null, next());
  const isGone = found.fix && (!turnAt(found.fix) || isOther(found.was));
  return isGone ? draftOf(null, null) : found;
}

/** @param {Place} at */
export const turnAt = (at) => now.state.played[at.game]?.turns[at.turn];

/** What stands where something is to be changed. @param {Place[]} places @returns {Seen[]} */
export const copyTurns = (places) => places.map(({ game, turn }) => {
  const { seat, dice, points, box, told } = turnAt({ game, turn });
  return { game, turn, seat, dice: told ? dice : null, points, box };
});

/** Whether turns are not what the person saw there, since another phone has changed them. @param {Seen[]} was */
const isOther = (was) => differs(now.state, was) || was.some((seen) => turnAt(seen).seat !== seen.seat);

/** The refused entry that is being changed. It stays in the queue until another is written in its place. */
export function refusedEntry() {
  const { instead } = draft();
  const found = now.sheet.queue.find(({ op }) => instead.includes(op.key));
  return found ? /** @type {import("./panels.js").Written} */ (/** @type {unknown} */ (found.op)) : null;
}

/** The card that is being written on: of the player on turn, or as it was when the corrected turn was written. */
export function cardNow() {
  const { fix } = draft();
  const at = next();
  if (fix) return cardBefore(now.state, fix.game, fix.turn);
  return at ? cards(now.state, at.game)[at.seat] : null;
}

export const mode = () => now.mode ?? now.pad.mode;

export function byRolls() {
  const entry = refusedEntry();
  return (entry ? Boolean(entry.rolls) : mode() === "rolls") && !draft().fix;
}

/** All dice that count now; "" while some are missing. */
export function diceNow() {
  const { faces, rolls } = draft();
  if (rolls.length && !faces) return rolls[rolls.length - 1].dice;
  return faces.length === now.rules.dice && !byRolls() ? faces : "";
}

export const wanted = () => (draft().rolls.length ? now.rules.dice - draft().held.length : now.rules.dice);
export const mostRolls = () => now.rules.rolls + (cardNow()?.saved ?? 0);
export const mostLeft = () => { const card = cardNow(); return card ? mostSaved(now.rules, card) : 0; };

/** @param {string} box */
export const labelOf = (box) => now.words.names.boxes[now.rules.index.get(box) ?? 0];

/** What the dice may do on the card that is being written on. @param {string} dice */
export const rulingOf = (dice) => { const card = cardNow(); return card ? judge(now.rules, card, dice) : null; };

/** When the sheet was opened; today where neither this phone nor the server knows. */
export const openingTime = () => now.sheet.opened || now.pad.opened || new Date().toISOString();

// --- what is being entered, as a pure value ---

/** @typedef {{ game: number, turn: number }} Place */
/** @typedef {Place & { seat: number }} Seated */
/** @typedef {Seated & { dice: string | null, points: number, box: string }} Seen a turn, as it stood on the sheet */
/** @typedef {{ dice: string, held: number[] }} Rolled the dice by place, and the places that stayed before them */
/**
 * Dice, or a box and its number; for the next turn, or for one that is being corrected.
 * @typedef {object} Draft
 * @property {string} faces the dice that were tapped
 * @property {Rolled[]} rolls of this turn, where it is told roll by roll
 * @property {number[]} held the places of the dice that stay in the next roll
 * @property {string | null} box the box that was tapped first
 * @property {number | null} points the number for it, where the dice have to be told too
 * @property {number} left rolls that the turn left over, where they are kept
 * @property {Place | null} fix the turn that is being corrected
 * @property {Change | null} change what it should have been
 * @property {Change[]} along what has to change with it
 * @property {string[]} instead the keys of the refused entries that it replaces
 * @property {Seen[]} was what the person saw where something is to be corrected
 */

/** @type {Draft} */
const NOTHING = {
  faces: "", rolls: [], held: [], box: null, points: null, left: 0, fix: null, change: null, along: [], instead: [],
  was: [],
};

/**
 * As it is kept, with the turn it is for.
 * @typedef {Partial<Omit<Draft, "instead">> & { at?: string, instead?: string[] | string | null }} Typed
 */

/** @param {Seated | null} at */
const nameTurn = (at) => (at ? `${at.game}/${at.turn}/${at.seat}` : "");

/**
 * It belongs to one turn: dice never stay under the next name. A correction belongs to the turn that it corrects, and
 * stays when another phone writes the next one.
 * @param {Typed | null} typed @param {Seated | null} at the turn to be written @returns {Draft}
 */
export function draftOf(typed, at) {
  if (!typed || (!typed.fix && typed.at !== nameTurn(at))) return NOTHING;
  return { ...NOTHING, ...typed, instead: [typed.instead ?? []].flat() };
}

/** @param {Typed | null} typed @param {Seated | null} at @param {Partial<Draft>} changes @returns {Typed} */
export const retype = (typed, at, changes) => ({ ...draftOf(typed, at), ...changes, at: nameTurn(at) });
