import { add, drop, entries, flush, forget, keep, kept, prune, retry, unsent } from "/static/pad/queue.js";
import { answering, equal, test } from "./harness.js";

const ID = "x";
const PAD = { id: ID, links: { commands: "/commands" } };

/**
 * @param {number} turn
 * @param {(key: string) => boolean} [counts]
 */
const wrote = (turn, counts) => add(ID, { command: "write", game: 0, turn, dice: "12345", box: "chance" }, counts);
/** @param {number} version */
const taken = (version) => JSON.stringify({ version });
/**
 * @param {string} error
 * @param {number} [status]
 */
const refusing = (error, status = 409) => ({ status, body: JSON.stringify({ error, message: `no: ${error}` }) });
/** @param {{ body: string }[]} asked */
const turns = (asked) => asked.map(({ body }) => JSON.parse(body).turn);

test("operations are sent in their order, as they are, to where the page says", async () => {
  const keys = [4, 5, 6].map((turn) => wrote(turn));
  const asked = answering(taken(8), taken(9), taken(10));
  await flush(PAD);
  equal(turns(asked), [4, 5, 6]);
  equal(JSON.parse(asked[0].body), { command: "write", game: 0, turn: 4, dice: "12345", box: "chance", key: keys[0] });
  equal(asked[0].address, "/commands");
});

test("one is sent once, and one that may have arrived is sent again with its key", async () => {
  wrote(4);
  const asked = answering(new Error("gone"), { status: 503, body: "" }, taken(8));
  for (let times = 0; times < 2; times += 1) await flush(PAD).catch(() => {});
  equal([unsent(ID).length, entries(ID)[0].tried], [1, true]);
  await flush(PAD);
  await flush(PAD);
  equal(asked.length, 3);
  equal(new Set(asked.map(({ body }) => JSON.parse(body).key)).size, 1);
});

test("every operation has a key of its own", () => {
  const keys = [4, 5, 6].map((turn) => wrote(turn));
  equal(new Set(keys).size, 3);
  equal(keys.every((key) => /^[0-9a-f]{24}$/.test(key)), true);
});

test("they survive a reload", async () => {
  wrote(4);
  wrote(5);
  const again = await import(/** @type {any} */ ("/static/pad/queue.js?reloaded"));
  equal(again.entries(ID), entries(ID));
  equal(again.unsent(ID).length, 2);
});

test("without storage they are there until the page is closed", () => {
  Object.defineProperty(globalThis, "localStorage", { get: () => { throw new Error("not allowed"); } });
  wrote(4);
  equal(keep(ID, "typed", { faces: "12" }), false);
  equal([unsent(ID).length, kept(ID, "typed", null)], [1, { faces: "12" }]);
  forget(ID);
  equal(entries(ID), []);
});

test("a refused one stays with its reason, and those behind it go on", async () => {
  for (const turn of [4, 5]) wrote(turn);
  const asked = answering(refusing("already-written"), taken(8));
  await flush(PAD);
  await flush(PAD);
  equal(turns(asked), [4, 5]);
  equal(entries(ID).map(({ refused, version }) => [refused?.message ?? "", version ?? 0]), [["no: already-written", 0], ["", 8]]);
});

test("what needs the refused one waits without a word, until that is settled", async () => {
  const [first] = [4, 5, 6].map((turn) => wrote(turn));
  const asked = answering(refusing("illegal", 422), refusing("turn-missing"), refusing("turn-missing"), taken(8), taken(9));
  await flush(PAD);
  equal(unsent(ID).map(({ refused }) => refused?.code ?? ""), ["illegal", "", ""]);
  drop(ID, first);
  retry(ID);
  await flush(PAD);
  equal([turns(asked), unsent(ID).length], [[4, 5, 6, 5, 6], 0]);
});

test("nothing before it was refused: then it is refused itself", async () => {
  wrote(7);
  answering(refusing("turn-missing"));
  await flush(PAD);
  equal(unsent(ID).map(({ refused }) => refused?.code), ["turn-missing"]);
});

test("one that is written anew goes before those that wait for it", () => {
  const waits = wrote(5);
  wrote(4, (key) => key !== waits);
  equal(entries(ID).map(({ op }) => op.turn), [4, 5]);
});

test("one is kept until the page shows it", async () => {
  wrote(4);
  answering(taken(8));
  await flush(PAD);
  prune(ID, 7);
  equal(entries(ID).length, 1);
  prune(ID, 8);
  equal(entries(ID).length, 0);
});
