import {
  accept, add, append, blank, copyTurns, draft, draftOf, emptyBase, foldSheet, learn, listUnsent, move,
  nextToSend, now, plainOp, refuse, restore, retype, sendingState, settle, takeBack, tryOut,
} from "/static/pad/state.js";
import { say } from "/static/core/page.js";
import { fix, type } from "/static/pad/input.js";
import { makeConflictPanel, makeEffectPanel } from "/static/pad/panels.js";
import { findDoneElsewhere, listLost } from "/static/pad/share.js";
import { equal, settled, test } from "./harness.js";
import { padOf, RULES } from "./tiny.js";

/** @typedef {import("/static/pad/state.js").Sheet} Sheet */

/** @param {number} turn @param {string} [box] @param {string} [key] */
const write = (turn, box = "chance", key = `w${turn}`) => ({ command: "write", game: 0, turn, seat: turn % 2, dice: "13", points: box === "chance" ? 4 : 1, box, key });
const empty = () => /** @type {Sheet} */ (learn(null, padOf(), "now"));
/** @param {Sheet} sheet @param {number} turn @param {string} [box] @param {string} [key] */
const wrote = (sheet, turn, box, key) => add(sheet, write(turn, box, key), RULES, sheet.base ?? padOf());
/** @param {Sheet} sheet */
const keys = ({ queue }) => queue.map(({ op }) => op.key);
/** @param {Sheet} sheet */
const turns = (sheet) => foldSheet(sheet, RULES, sheet.base ?? padOf()).played[0].turns.map(({ seat, box }) => `${seat}:${box}`);
const ERASE = { command: "erase", game: 0, turn: 0, key: "e" };
const NO = { code: "illegal", message: "no" };
/** The base after so many of these turns. @param {number} version @param {number} count */
const baseWith = (version, count) => padOf({ version, played: [{ first: 0, turns: /** @type {any} */ ([[0, "13", 1, 4], [1, "13", 1, 4]].slice(0, count)) }] });

test("what is shown is the base with what was done here", () => {
  const sheet = [0, 1].reduce((all, turn) => wrote(all, turn), empty());
  equal([turns(sheet), listUnsent(sheet).length], [["0:chance", "1:chance"], 2]);
});

test("an entry leaves the queue only with a base that has it, in one step", () => {
  const sent = accept(wrote(empty(), 0), "w0", 5);
  const early = /** @type {Sheet} */ (learn(sent, baseWith(4, 0)));
  equal([keys(early), turns(early)], [["w0"], ["0:chance"]]);
  const late = /** @type {Sheet} */ (learn(early, baseWith(5, 1)));
  equal([keys(late), turns(late)], [[], ["0:chance"]]);
});

test("dice belong to one turn, and a correction to the turn that it corrects", () => {
  const [next, later] = [{ game: 0, turn: 1, seat: 1 }, { game: 0, turn: 2, seat: 0 }];
  const dice = retype(null, next, { faces: "13" });
  equal([draftOf(dice, next).faces, draftOf(dice, later).faces], ["13", ""]);
  const correction = retype(null, next, { faces: "1", fix: { game: 0, turn: 0 } });
  equal([draftOf(correction, later).faces, draftOf(correction, later).fix], ["1", { game: 0, turn: 0 }]);
  equal(draftOf(retype(correction, later, { faces: "13" }), later).fix, { game: 0, turn: 0 });
});

test("a base that is older than the one here changes nothing", () => {
  const sheet = /** @type {Sheet} */ (learn(empty(), baseWith(5, 1)));
  equal(learn(sheet, baseWith(4, 0)), sheet);
});

test("an entry for a turn that another window wrote changes nothing", () => {
  const sheet = wrote(empty(), 0);
  equal([wrote(sheet, 0, "chance", "other") === sheet, wrote(sheet, 0, "aces", "other") === sheet], [true, true]);
});

test("a refused entry stays until another takes its place, and then the rest is tried again", () => {
  let sheet = refuse(refuse(wrote(wrote(empty(), 0), 1), "w0", NO), "w1", NO);
  equal([keys(sheet), turns(sheet)], [["w0", "w1"], []]);
  sheet = add(sheet, write(0, "aces", "new"), RULES, padOf(), ["w0"]);
  equal([keys(sheet), sheet.queue.filter(({ refused }) => refused).length, turns(sheet)], [["new", "w1"], 0, ["0:aces", "1:chance"]]);
  equal(add(sheet, write(0, "aces", "again"), RULES, padOf(), ["w0"]), sheet); // it was settled in another window
});

test("an entry that is written anew goes before those that wait for it", () => {
  const waits = { ...empty(), queue: [{ op: write(1) }] };
  equal(keys(wrote(waits, 0)), ["w0", "w1"]);
});

test("one that waits is taken back without a trace, one that may have arrived is erased", () => {
  const sheet = wrote(empty(), 0);
  equal(takeBack(sheet, ERASE, RULES, padOf()).queue, []);
  const sent = takeBack(tryOut(sheet, "w0"), ERASE, RULES, padOf());
  equal([keys(sent), turns(sent)], [["w0", "e"], []]);
});

test("without the pencil nothing is kept but what waits, and with it that is tried again", () => {
  const away = padOf({ version: 7, keeper: false });
  equal([learn(empty(), away), learn(null, away)], [null, null]);
  const left = /** @type {Sheet} */ (learn(refuse(wrote(empty(), 0), "w0", NO), away));
  equal([keys(left), left.base?.keeper], [["w0"], false]);
  const back = /** @type {Sheet} */ (learn(left, padOf({ version: 8 })));
  equal([keys(back), nextToSend(back, new Set())?.op.key], [["w0"], "w0"]);
});

test("what the scorekeeper has written too need not be sent to them, what differs stays", () => {
  const sheet = [0, 1].reduce((all, turn) => wrote(all, turn), empty());
  equal([findDoneElsewhere(sheet, RULES, baseWith(5, 1)), findDoneElsewhere(sheet, RULES, baseWith(5, 2))], [["w0"], ["w0", "w1"]]);
  const other = padOf({ played: [{ first: 0, turns: /** @type {any} */ ([[0, "11", 0, 2]]) }] });
  equal(findDoneElsewhere(sheet, RULES, other), []);
});

test("an end that waits need not be sent once the sheet has ended, and neither does what leads to the same sheet", () => {
  const end = add(wrote(empty(), 0), { command: "end", key: "e" }, RULES, padOf());
  equal([findDoneElsewhere(end, RULES, baseWith(5, 1)), findDoneElsewhere(end, RULES, { ...baseWith(5, 1), ended: true })], [["w0"], ["w0", "e"]]);
  const names = ["Anna", "Ann"].map((name) => ({ op: { command: "rename", seat: 0, name, key: name } }));
  equal([names, names.slice(0, 1)].map((queue) => findDoneElsewhere({ ...empty(), queue }, RULES, padOf())), [["Anna", "Ann"], []]);
  const skip = { ...empty(), queue: [{ op: { command: "pass", game: 0, turn: 0, seat: 0, key: "p" } }] };
  equal([findDoneElsewhere(skip, RULES, padOf()), findDoneElsewhere(skip, RULES, baseWith(5, 1))], [[], ["p"]]);
});

test("entries from another phone are taken once, and judged by the server", () => {
  const once = append(wrote(empty(), 0), [write(0, "aces", "other"), write(1)]);
  equal([keys(once), keys(append(once, [write(1)]))], [["w0", "other", "w1"], ["w0", "other", "w1"]]);
});

test("what is settled leaves, and the rest is tried again", () => {
  const sheet = refuse(refuse(wrote(wrote(empty(), 0), 1), "w0", NO), "w1", NO);
  const after = settle(sheet, ["w0"]);
  equal([keys(after), nextToSend(after, new Set())?.op.key], [["w1"], "w1"]);
});

test("an undo leaves with the entry that it takes back", () => {
  const undone = wrote(takeBack(tryOut(wrote(empty(), 0), "w0"), ERASE, RULES, padOf()), 0, "aces", "new");
  equal([keys(undone), keys(settle(undone, ["w0"]))], [["w0", "e", "new"], ["new"]]);
});

test("a sheet says where it stands with its server", () => {
  const [calm, failing] = [{ isSending: false, failures: 0 }, { isSending: false, failures: 2 }];
  const sheet = wrote(empty(), 0);
  equal([sendingState(empty(), calm), sendingState(sheet, { isSending: true, failures: 0 })], ["nothing-to-send", "sending"]);
  equal([sendingState(sheet, failing), sendingState(refuse(sheet, "w0", NO), calm)], ["waiting-for-connection", "stopped-by-question"]);
});

test("a sheet of the phone goes on as that of a table, whatever was written there before", () => {
  const setUp = { rules: "/r", page: "/p", book: "tiny", label: "", names: ["Ann", "Bob"], first: 1, games: 1, matchTotal: true, mode: /** @type {const} */ ("quick") };
  const local = { ...blank("l-1"), setUp, rules: "/r", queue: [{ op: write(0) }], typed: { faces: "1" } };
  const [gone, table] = move([local, null], "t");
  equal([gone, table?.id, table?.queue.length, table?.typed, table?.setUp], [null, "t", 1, { faces: "1" }, setUp]);
  const base = emptyBase(/** @type {Sheet} */ (table), { ...padOf().links, open: "/dice/api/tables" });
  equal([base.local, base.first, base.names, base.links.commands], [false, 1, ["Ann", "Bob"], "/dice/api/tables/t/commands"]);
  equal(move([null, table], "t"), [null, table]);
});

test("what is typed belongs to one turn: dice never stay under the next name", () => {
  const [at, later] = [{ game: 0, turn: 4, seat: 0 }, { game: 0, turn: 5, seat: 1 }];
  const typed = retype(null, at, { faces: "123" });
  equal([draftOf(typed, at).faces, draftOf(typed, later).faces, draftOf(typed, { ...at, seat: 1 }).faces], ["123", "", ""]);
  const box = retype(typed, later, { box: "aces" });
  equal([draftOf(box, later).faces, draftOf(box, later).box, draftOf(null, later).box], ["", "aces", null]);
});

test("entries of somebody who came here follow them to the seat that the server gives", () => {
  let sheet = add(empty(), { command: "join", name: "Cleo", key: "j" }, RULES, padOf());
  for (const turn of [0, 1]) sheet = wrote(sheet, turn);
  sheet = add(sheet, { ...write(2), seat: 2 }, RULES, padOf());
  equal([sheet.queue[3].op.by, nextToSend(sheet, new Set(["j", "w0", "w1"]))], ["j", null]); // not before Cleo is there
  const dan = padOf({ version: 6, names: ["Ann", "Bob", "Dan"] });
  equal(foldSheet(/** @type {Sheet} */ (learn(sheet, dan)), RULES, dan).names, ["Ann", "Bob", "Dan", "Cleo"]);
  sheet = accept(sheet, "j", 7, ["Ann", "Bob", "Dan", "Cleo"]);
  equal(plainOp(sheet, sheet.queue[3]), { ...write(2), seat: 3 });
  const both = padOf({ version: 7, names: ["Ann", "Bob", "Dan", "Cleo"] });
  equal(/** @type {Sheet} */ (learn(sheet, both)).queue.map(({ op }) => [op.key, op.seat, op.by ?? ""]), [["w0", 0, ""], ["w1", 1, ""], ["w2", 3, ""]]);
});

test("the sheet ends when all that was written before has arrived", () => {
  const sheet = add(wrote(empty(), 0), { command: "end", key: "e" }, RULES, padOf());
  const refused = refuse(sheet, "w0", NO);
  equal([nextToSend(sheet, new Set())?.op.key, nextToSend(sheet, new Set(["w0"])), nextToSend(refused, new Set())], ["w0", null, null]);
  equal([nextToSend(accept(sheet, "w0", 5), new Set())?.op.key, nextToSend(settle(refused, ["w0"]), new Set())?.op.key], ["e", "e"]);
});

test("undo takes back what is shown, and leaves an entry that waits behind it", () => {
  const other = padOf({ version: 5, played: [{ first: 0, turns: /** @type {any} */ ([[0, "11", 0, 2]]) }] });
  const sheet = /** @type {Sheet} */ (learn(wrote(empty(), 0), other));
  const after = takeBack(sheet, ERASE, RULES, other);
  equal([turns(sheet), keys(after).sort()], [["0:aces"], ["e", "w0"]]);
});

test("a sheet does not look ended while something before its end is to be settled", () => {
  const sheet = add(wrote(wrote(empty(), 0), 1), { command: "end", key: "e" }, RULES, padOf());
  const phase = (/** @type {Sheet} */ each) => foldSheet(each, RULES, padOf()).phase;
  const refused = refuse(sheet, "w1", NO);
  equal([phase(sheet), phase(refused), phase(refuse(sheet, "w0", NO))], ["ended", "playing", "playing"]);
  const anew = add(refused, write(1, "aces", "new"), RULES, padOf(), ["w1"]);
  equal([keys(anew), phase(anew)], [["w0", "new", "e"], "ended"]);
});

test("what was refused while a correction was on its way is tried again when that has arrived", () => {
  const correct = { command: "correct", changes: [{ game: 0, turn: 0, box: "aces" }], key: "c" };
  const sheet = refuse(add(wrote(wrote(empty(), 0), 1), correct, RULES, padOf()), "w1", NO);
  equal(nextToSend(accept(accept(sheet, "w0", 5), "c", 6), new Set())?.op.key, "w1");
  equal(nextToSend(accept(sheet, "w0", 5), new Set(["c"])), null);
});

test("an entry that was taken back is not asked about when another stands in its place", () => {
  const correct = { command: "correct", changes: [{ game: 0, turn: 0, box: "aces" }], key: "c" };
  const fixed = add(tryOut(wrote(empty(), 0), "w0"), correct, RULES, padOf());
  const anew = wrote(takeBack(fixed, ERASE, RULES, padOf()), 0, "aces", "new");
  equal([keys(anew), keys(refuse(anew, "w0", NO))], [["w0", "c", "e", "new"], ["new"]]);
  equal([keys(refuse(anew, "new", NO)), turns(refuse(anew, "w0", NO))], [["w0", "c", "e", "new"], ["0:aces"]]);
});

test("an entry that was taken back and refused takes only its own correction along", () => {
  const seen = { game: 0, turn: 0, dice: "13", points: 4, box: "chance" };
  const correct = { command: "correct", key: "c", changes: [{ game: 0, turn: 0, box: "aces" }], was: [seen] };
  const corrected = add(/** @type {Sheet} */ (learn(null, baseWith(4, 1))), correct, RULES, baseWith(4, 1));
  const erased = /** @type {Sheet} */ (learn(corrected, baseWith(5, 0))); // by the other phone
  const sheet = takeBack(tryOut(wrote(erased, 0), "w0"), ERASE, RULES, baseWith(5, 0));
  equal([keys(sheet), keys(refuse(sheet, "w0", NO))], [["w0", "c", "e"], ["c"]]);
});

test("an undo of another entry that was refused does not take the next entry with it", () => {
  const base = baseWith(5, 1);
  const sheet = refuse(takeBack(/** @type {Sheet} */ (learn(null, base)), ERASE, RULES, base), "e", NO);
  const again = takeBack(sheet, { ...ERASE, key: "e2" }, RULES, base);
  const anew = wrote(again, 0, "aces", "new");
  equal([keys(anew), keys(refuse(anew, "new", NO))], [["e2", "new", "e"], ["e2", "new", "e"]]);
});

test("an undo does not go before the entry that it takes back", () => {
  const sheet = takeBack(tryOut(wrote(empty(), 0), "w0"), ERASE, RULES, padOf());
  equal([nextToSend(sheet, new Set(["w0"])), nextToSend(accept(sheet, "w0", 5), new Set())?.op.key], [null, "e"]);
});

test("a server that has gone back to an older copy is believed, and what it lacks is asked about", () => {
  const names = ["Ann", "Bob", "Cleo"];
  const played = [{ first: 0, turns: /** @type {any} */ ([[0, "13", 1, 4], [1, "13", 1, 4], [2, "13", 1, 4]]) }];
  const full = padOf({ version: 9, names, played });
  const whole = /** @type {Sheet} */ (learn(null, full));
  const sheet = accept(add(whole, { ...write(3, "aces"), seat: 0 }, RULES, full), "w3", 10);
  const older = { ...baseWith(5, 1), edition: 7 };
  const back = /** @type {Sheet} */ (learn(sheet, older));
  equal([back.base?.version, listUnsent(back).map(({ op }) => op.key)], [5, ["w3"]]); // not known to be there: sent again
  equal(learn(back, { ...older, version: 4 }), back);
  const ops = listLost(back, RULES, older);
  const asked = ops.map(({ command, turn, seat, by }) => [command, turn ?? "", seat ?? "", by ?? ""]);
  equal(asked, [["join", "", "", ""], ["write", 1, 1, ""], ["write", 2, 2, ops[0].key]]);
  const again = restore(back, ops);
  equal([turns(again), listLost(again, RULES, older)], [["0:chance", "1:chance", "2:chance", "0:aces"], []]);
  equal([listLost(back, RULES, full), keys(restore(back, []))], [[], ["w3"]]);
});

test("what an older copy lacks comes with the players who were skipped or have left, and with the end", () => {
  const names = ["Ann", "Bob", "Cleo"];
  const turn = (/** @type {number} */ seat) => /** @type {any} */ ([seat, "13", 1, 4]);
  const played = [{ first: 0, turns: [turn(0), turn(2)], passed: [{ turn: 1, seat: 1 }] }];
  const before = /** @type {Sheet} */ (learn(null, padOf({ version: 9, names, out: [1], ended: true, played })));
  const older = padOf({ version: 5, edition: 7, names, played: [{ first: 0, turns: [turn(0)] }] });
  const back = /** @type {Sheet} */ (learn(before, older));
  const ops = listLost(back, RULES, older);
  equal(ops.map(({ command, turn: place, seat }) => [command, place ?? "", seat ?? ""]), [["pass", 1, 1], ["write", 1, 2], ["retire", "", 1], ["end", "", ""]]);
  const again = foldSheet(restore(back, ops), RULES, older);
  equal([again.played[0].turns.map(({ seat }) => seat), [...again.out], again.phase], [[0, 2], [1], "ended"]);
});

test("an entry that was tapped while the one before it was refused waits for that", () => {
  const sheet = wrote(refuse(wrote(empty(), 0), "w0", NO), 1);
  equal([keys(sheet).sort(), turns(sheet)], [["w0", "w1"], []]);
  const anew = add(sheet, write(0, "aces", "new"), RULES, padOf(), ["w0"]);
  equal([keys(anew), turns(anew)], [["new", "w1"], ["0:aces", "1:chance"]]);
});

test("the entries of a player who is not added after all go too, and are no other player's", () => {
  const join = (/** @type {Sheet} */ sheet, /** @type {string} */ name) => add(sheet, { command: "join", name, key: name }, RULES, padOf());
  let sheet = join(join(empty(), "Cleo"), "Dan");
  for (const turn of [0, 1]) sheet = wrote(sheet, turn);
  for (const [turn, seat] of [[2, 2], [3, 3]]) sheet = add(sheet, { ...write(turn), seat }, RULES, padOf());
  equal([keys(sheet), keys(settle(sheet, ["Cleo"]))], [["Cleo", "Dan", "w0", "w1", "w2", "w3"], ["Dan", "w0", "w1", "w3"]]);
});

test("an undo that was refused does not erase the entry that was written there since", () => {
  const base = baseWith(5, 1);
  const refused = refuse(takeBack(/** @type {Sheet} */ (learn(null, base)), ERASE, RULES, base), "e", NO);
  const sheet = { ...refused, queue: [...refused.queue, { op: write(0) }, { op: { ...ERASE, key: "own" }, about: "w0" }] };
  equal(keys(accept(sheet, "w0", 6)), ["w0", "own"]);
});

// --- what a person is asked ---

/** The panel for what was refused, on a sheet of so many turns. @param {import("/static/pad/state.js").Sent[]} queue */
function ask(queue, count = 2) {
  const base = baseWith(5, count);
  const [sheet, pad] = [{ ...empty(), queue }, { ...base, played: foldSheet(empty(), RULES, base).played }];
  const words = /** @type {any} */ ({ names: { boxes: ["Aces", "Chance"] } });
  const tap = () => {};
  const waiting = { pad, sheet, state: foldSheet(sheet, RULES, pad), rules: RULES, words, discard: tap, rewrite: tap, takeMine: tap, type: tap };
  return makeConflictPanel(waiting)?.panel ?? [];
}

/** @param {number} seat whose entry was corrected @returns {import("/static/pad/state.js").Sent} */
const correction = (seat) => ({ op: { command: "correct", key: "c", changes: [{ game: 0, turn: 1, box: "aces", points: 1 }], was: [{ game: 0, turn: 1, seat, dice: null, points: 3, box: "aces" }] }, refused: NO });

test("a correction ends where another phone changes the entry", () => {
  const was = [{ game: 0, turn: 0, seat: 0, dice: "31", points: 4, box: "chance" }];
  const fixes = [[0, "13", 1, 4], [0, "11", 0, 2], [1, "13", 1, 4]].map((turn) => {
    now.state = foldSheet(empty(), RULES, padOf({ played: [{ first: 0, turns: /** @type {any} */ ([turn]) }] }));
    now.typed = { fix: { game: 0, turn: 0 }, change: { game: 0, turn: 0, box: "aces" }, was };
    return Boolean(draft().change);
  });
  equal(fixes, [true, false, false]);
});

/** The sheet is one of these turns now. @param {any[]} turns */
function turnTo(turns) {
  now.pad = padOf({ played: [{ first: 0, turns }] });
  now.state = foldSheet(empty(), RULES, now.pad);
}

test("a correction ends where another phone changes an entry that has to change with it", () => {
  const changed = [[0, "11", 0, 2], [1, "13", 1, 4], [0, "13", 1, 4]];
  turnTo(changed);
  now.typed = { fix: { game: 0, turn: 0 }, change: { game: 0, turn: 0, box: "chance" }, was: copyTurns([{ game: 0, turn: 0 }]) };
  /** @type {Partial<import("/static/pad/state.js").Draft>} */
  let typed = {};
  const words = /** @type {any} */ ({ names: { boxes: ["Aces", "Chance"] }, sentences: {} });
  const fixing = () => ({ state: now.state, rules: RULES, words, draft: draft(), type: (/** @type {typeof typed} */ each) => { typed = each; }, save: () => {} });
  makeEffectPanel(fixing())[0].querySelector("button")?.click();
  now.typed = { ...now.typed, ...typed };
  equal(draft().along.length, 1);
  const others = [changed.slice(0, 2), [...changed.slice(0, 2), [0, "33", 1, 6]]].map((turns) => {
    turnTo(turns);
    return [draft().along, makeEffectPanel(fixing())];
  });
  equal(others, [[[], []], [[], []]]);
});

test("dice can be typed after a correction that another phone has ended", () => {
  turnTo([[0, "11", 0, 2]]);
  now.rules = RULES;
  now.typed = { fix: { game: 0, turn: 0 }, was: [{ game: 0, turn: 0, seat: 0, dice: "13", points: 4, box: "chance" }] };
  try { type({ faces: "1" }); } catch { /* nothing to paint on */ }
  equal([draft().faces, draft().fix], ["1", null]);
});

test("a tap on an entry that was taken back meanwhile says so", async () => {
  document.body.innerHTML = '<p id="live"></p>';
  turnTo([]);
  fix({ game: 0, turn: 0 });
  await settled();
  equal([now.typed, document.getElementById("live")?.textContent], [null, say("changed-elsewhere")]);
});

test("the dice of a refused entry are offered on the turn of its own player only", () => {
  const panels = [0, 1].map((seat) => ask([{ op: { ...write(1), seat }, refused: NO }], 1).length);
  equal(panels, [0, 2]);
});

test("a refused correction may replace an entry of its own player only", () => {
  const buttons = [1, 0].map((seat) => ask([correction(seat)])[1].querySelectorAll("button").length);
  equal(buttons, [2, 1]);
});

test("a person who chooses sees the number on the sheet with their own correction", () => {
  const changed = { command: "correct", key: "c", changes: [{ game: 0, turn: 0, dice: "33" }], was: [{ game: 0, turn: 0, seat: 0, dice: "13", points: 4, box: "chance" }] };
  const [list] = ask([{ op: write(0, "aces"), refused: NO }, { op: changed }]);
  equal(list.querySelectorAll("p")[1].textContent, "On the sheet: Ann: 3-3, Chance 6");
});
