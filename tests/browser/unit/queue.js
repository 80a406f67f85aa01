import { add, drop, entries, flush, kept, keep, forgetAnswers, nextTurn, prune, savedBefore, unsent } from "/static/pad/queue.js";
import { answering, equal, test } from "./harness.js";

const ID = "x";
/** @type {import("/static/pad/queue.js").Pad} */
const PAD = {
  id: ID, version: 7, keeper: true, playing: true, mode: "quick", game: 0, rolled: 0, canEnter: true, dice: 5, rolls: 3, saves: false, boxes: [], seats: [],
  turns: [{ turn: 4, seat: 1, round: 3 }, { turn: 5, seat: 0, round: 3 }, { turn: 6, seat: 1, round: 4 }],
  links: { options: "/o", correct: "/c", commands: "/commands" }, command: "write",
};

/**
 * @param {number} turn
 * @param {string} [box]
 * @param {number} [game]
 */
const wrote = (turn, box = "chance", game = 0) => add(ID, { game, turn, seat: turn % 2, dice: "12345", box, label: box, points: 15 });
/** @param {number} version */
const taken = (version) => JSON.stringify({ version });
/** @param {{ body: string }[]} asked */
const turns = (asked) => asked.map(({ body }) => JSON.parse(body).turn);

test("entries are sent in the order of the turns, with what the server named", async () => {
  for (const turn of [6, 4, 5]) wrote(turn);
  wrote(0, "aces", 1);
  const asked = answering(taken(8), taken(9), taken(10), taken(11));
  await flush(PAD);
  equal(turns(asked), [4, 5, 6, 0]);
  const { key, ...sent } = JSON.parse(asked[0].body);
  equal(sent, { command: "write", game: 0, turn: 4, dice: "12345", box: "chance" });
  equal([asked[0].address, key], ["/commands", entries(ID)[0].key]);
});

test("an entry is sent once, and one that may have arrived is sent again with its key", async () => {
  wrote(4);
  const asked = answering(new Error("gone"), { status: 503, body: "" }, taken(8));
  for (let times = 0; times < 2; times += 1) await flush(PAD).catch(() => {});
  equal(unsent(ID).length, 1);
  await flush(PAD);
  await flush(PAD);
  equal(asked.length, 3);
  equal(new Set(asked.map(({ body }) => JSON.parse(body).key)).size, 1);
});

test("every entry has a key of its own", () => {
  for (const turn of [4, 5, 6]) wrote(turn);
  equal(new Set(entries(ID).map(({ key }) => key)).size, 3);
  equal(entries(ID).every(({ key }) => /^[0-9a-f]{24}$/.test(key)), true);
});

test("entries survive a reload", async () => {
  wrote(5);
  wrote(4);
  const again = await import(/** @type {any} */ ("/static/pad/queue.js?reloaded"));
  equal(again.entries(ID), entries(ID));
  equal(again.unsent(ID).length, 2);
});

test("without storage they are there until the page is closed", () => {
  Object.defineProperty(globalThis, "localStorage", { get: () => { throw new Error("not allowed"); } });
  wrote(4);
  keep(ID, "typed", { faces: "12" });
  equal([unsent(ID).length, kept(ID, "typed", null)], [1, { faces: "12" }]);
  forgetAnswers(ID);
});

test("a refused entry holds up those behind it until it is gone", async () => {
  wrote(4);
  wrote(5);
  const asked = answering({ status: 409, body: JSON.stringify({ message: "written already" }) }, taken(8));
  await flush(PAD);
  await flush(PAD);
  equal([turns(asked), entries(ID).map(({ refused }) => refused ?? "")], [[4], ["written already", ""]]);
  drop(ID, entries(ID)[0].key);
  await flush(PAD);
  equal([turns(asked), unsent(ID).length], [[4, 5], 0]);
});

test("a turn that is written anew replaces the old entry", () => {
  wrote(4, "aces");
  wrote(4, "twos");
  equal(entries(ID).map(({ box }) => box), ["twos"]);
});

test("an entry is kept until the page shows it", async () => {
  wrote(4);
  answering(taken(8));
  await flush(PAD);
  prune(ID, 7);
  equal(entries(ID).length, 1);
  prune(ID, 8);
  equal(entries(ID).length, 0);
});

test("the next turn is the first that neither the sheet nor the queue has", () => {
  equal(nextTurn(PAD, entries(ID)), { game: 0, turn: 4, seat: 1, round: 3 });
  wrote(4);
  wrote(6);
  wrote(5, "aces", 1);
  equal(nextTurn(PAD, entries(ID))?.turn, 5);
  wrote(5);
  equal(nextTurn(PAD, entries(ID)), null);
});

test("answers of other tables make room, what was written there stays", () => {
  for (const table of ["x", "y"]) { keep(table, "answers", {}); keep(table, "queue", []); }
  forgetAnswers("x");
  equal(Object.keys(localStorage).sort(), ["fivedice-pad/x/answers", "fivedice-pad/x/queue", "fivedice-pad/y/queue"]);
});

test("rolls that a turn left over are sent with it, and are what the next turn of that player has", async () => {
  const seats = [4, 0].map((saved) => ({ name: "", headline: "", card: "", open: [], saved }));
  const pad = { ...PAD, saves: true, seats };
  add(ID, { game: 0, turn: 4, seat: 0, dice: "12345", box: "chance", label: "", points: 15, saved: 2 });
  equal([3, 4, 6].map((turn) => savedBefore(pad, entries(ID), { game: 0, turn, seat: 0, round: 1 })), [4, 4, 2]);
  equal(savedBefore(pad, entries(ID), { game: 0, turn: 5, seat: 1, round: 1 }), 0);
  const asked = answering(taken(8));
  await flush(pad);
  equal(JSON.parse(asked[0].body).saved, 2);
  equal(savedBefore({ ...pad, version: 8 }, entries(ID), { game: 0, turn: 6, seat: 0, round: 1 }), 4);
});
