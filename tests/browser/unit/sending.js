import { listUnsent } from "/static/pad/state.js";
import { flush, Sender } from "/static/pad/sending.js";
import { change, load } from "/static/pad/store.js";
import { answering, arrive, equal, heldClock, heldFetch, test } from "./harness.js";
import { padOf } from "./tiny.js";

/** @typedef {import("/static/pad/state.js").Sheet} Sheet */

const ID = "x";
const PAD = { id: ID, links: { commands: "/commands" } };

/** Where the browser allows no storage nothing takes time but requests. */
const inMemory = () => Object.defineProperty(globalThis, "indexedDB", { get: () => { throw new Error("not allowed"); } });
/** @param {(sheet: Sheet) => Sheet} step */
const changeIt = async (step) => /** @type {Sheet} */ ((await change(ID, (sheet) => step(sheet ?? { id: ID, base: padOf(), queue: [], typed: null, rules: "" }))).sheet);
/** @param {{ key: string, [field: string]: unknown }[]} ops */
const put = (...ops) => changeIt((sheet) => ({ ...sheet, queue: [...sheet.queue, ...ops.map((op) => ({ op: { command: "write", ...op } }))] }));
const now = async () => /** @type {Sheet} */ (await load(ID));
/** @param {number} version */
const taken = (version) => JSON.stringify({ version });
/**
 * @param {string} error
 * @param {number} [status]
 */
const refusing = (error, status = 409) => ({ status, body: JSON.stringify({ error, message: `no: ${error}` }) });
/** @param {{ body: string }[]} asked */
const keys = (asked) => asked.map(({ body }) => JSON.parse(body).key).join();
/** @param {Sheet} sheet */
const codes = (sheet) => listUnsent(sheet).map(({ refused }) => refused?.code ?? "");

test("operations are sent in their order, as they are, to where the page says", async () => {
  await put({ key: "a", turn: 4 }, { key: "b" }, { key: "c" });
  const asked = answering(taken(8), taken(9), taken(10));
  equal(await flush(PAD), true);
  equal([keys(asked), asked[0].body, asked[0].address], ["a,b,c", '{"command":"write","key":"a","turn":4}', "/commands"]);
  equal([(await now()).queue.map(({ version }) => version), await flush(PAD), asked.length], [[8, 9, 10], false, 3]);
});

test("one that may have arrived is sent again with its key", async () => {
  await put({ key: "a" });
  const asked = answering(new Error("gone"), { status: 503, body: "" }, taken(8));
  for (let times = 0; times < 2; times += 1) await flush(PAD).catch(() => {});
  equal([listUnsent(await now()).length, (await now()).queue[0].tried], [1, true]);
  await flush(PAD);
  equal(keys(asked), "a,a,a");
});

test("that an entry may have arrived survives a power cut before it goes: taken back, it is erased there", async () => {
  await put({ key: "a" });
  const { transaction } = IDBDatabase.prototype;
  const how = [""];
  IDBDatabase.prototype.transaction = function begin(names, mode, options) {
    if (mode === "readwrite") how.push(options?.durability ?? "");
    return transaction.call(this, names, mode, options);
  };
  globalThis.fetch = async () => { how.push("sent"); throw new TypeError("connection lost"); };
  await flush(PAD).catch(() => {});
  equal(how, ["", "strict", "sent"]);
});

test("a refused one stays with its reason, and those behind it go on", async () => {
  await put({ key: "a" }, { key: "b" });
  const asked = answering(refusing("already-written"), taken(8));
  equal([await flush(PAD), await flush(PAD), keys(asked)], [true, false, "a,b"]);
  equal((await now()).queue.map(({ refused, version }) => [refused?.message ?? "", version ?? 0]), [["no: already-written", 0], ["", 8]]);
});

test("what needs the refused one waits without a word, until that is settled", async () => {
  await put({ key: "a" }, { key: "b" }, { key: "c" });
  const asked = answering(refusing("illegal", 422), refusing("turn-missing"), refusing("turn-missing"), taken(8), taken(9));
  await flush(PAD);
  equal(codes(await now()), ["illegal", "", ""]);
  await changeIt((sheet) => ({ ...sheet, queue: sheet.queue.slice(1) }));
  await flush(PAD);
  equal([keys(asked), listUnsent(await now()).length], ["a,b,c,b,c", 0]);
});

test("a missing turn can be written yet: what needs it waits, whatever was before it, and that is news once", async () => {
  await put({ key: "a" }, { key: "next", command: "next" });
  answering(refusing("turn-missing"), refusing("wrong-phase"), refusing("turn-missing"), refusing("wrong-phase"));
  equal([await flush(PAD), await flush(PAD), codes(await now())], [true, false, ["", ""]]);
  await changeIt((sheet) => ({ ...sheet, queue: sheet.queue.slice(1) }));
  answering(refusing("wrong-phase"));
  equal([await flush(PAD), codes(await now())], [true, ["wrong-phase"]]);
});

test("one that is taken back before it goes is not sent", async () => {
  await put({ key: "a" }, { key: "b" });
  const asked = heldFetch();
  const sending = flush(PAD);
  while (!asked.length) await arrive();
  await changeIt((sheet) => ({ ...sheet, queue: sheet.queue.filter(({ op }) => op.key !== "b") }));
  await asked[0].answer(taken(8));
  await sending;
  equal(keys(asked), "a");
});

test("where there is no room left an entry is sent once", async () => {
  await put({ key: "a" });
  IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); };
  await put({ key: "b" });
  const asked = answering(...[8, 9, 10, 11].map(taken));
  await flush(PAD);
  equal([keys(asked), listUnsent(await now()).length], ["a,b", 0]);
});

// --- now and then ---

test("where nobody answers it is tried later each time, and at once when something more is written", async () => {
  const clock = heldClock();
  Math.random = () => 0.5;
  let times = 0;
  const sender = new Sender(async () => { times += 1; throw new Error("nobody there"); });
  await sender.send();
  for (const [pause, count] of [[2000, 2], [3999, 2], [1, 3], [8000, 4], [16_000, 5], [15_999, 5], [1, 6]]) {
    await clock.pass(pause);
    equal([pause, times], [pause, count]);
  }
  await sender.send();
  equal([times, clock.timers.size, sender.isSending], [7, 1, false]);
});

test("what comes while something is sent is sent right after it", async () => {
  /** @type {(() => void)[]} */
  const ends = [];
  const sender = new Sender(() => new Promise((done) => { ends.push(done); }));
  const first = sender.send();
  sender.send();
  sender.send();
  ends[0]();
  await arrive();
  equal([ends.length, sender.isSending], [2, true]);
  ends[1]();
  await first;
  equal([ends.length, sender.isSending, sender.failures], [2, false, 0]);
});

// --- in every order ---

/** A server with the rules of a sheet: turns in their order, each once; the box "bad" is against the rules. */
function sheetServer() {
  /** @type {string[]} */
  const written = [];
  /** @type {Map<string, { status: number, body: string }>} */
  const known = new Map(); // what was answered, by key
  /** @param {string} body */
  const decide = (body) => {
    const { key, turn, box } = JSON.parse(body);
    const before = known.get(key);
    if (before) return before;
    if (turn !== written.length) return refusing(turn > written.length ? "turn-missing" : "already-written");
    if (box === "bad") return refusing("illegal", 422);
    written.push(box);
    const answer = { status: 200, body: taken(written.length) };
    known.set(key, answer);
    return answer;
  };
  return { written, decide };
}

/** @param {Sheet} sheet @returns {Sheet} */
const replaced = (sheet) => ({ ...sheet, queue: [{ op: { command: "write", key: "good", turn: 0, box: "box-0" } }, ...sheet.queue.slice(1).map(({ refused: _, ...sent }) => sent)] });

/**
 * Three entries, of which the first is refused and then replaced; something goes wrong at one request.
 * @param {number} place of the request
 * @param {string} trouble
 * @param {number} change the request before which the person has chosen another box
 */
async function sendAll(place, trouble, change) {
  await changeIt((sheet) => ({ ...sheet, queue: [] }));
  const { written, decide } = sheetServer();
  const asked = heldFetch();
  const clock = heldClock();
  await put({ key: "bad", turn: 0, box: "bad" }, { key: "one", turn: 1, box: "box-1" }, { key: "two", turn: 2, box: "box-2" });
  let changed = false;
  const send = () => flush(PAD).catch(() => {});
  for (let number = 0, round = 0; round < 12; round += 1) {
    let isDone = false;
    send().then(() => { isDone = true; });
    for (await arrive(); number < asked.length; await arrive()) {
      const isRefused = (await now()).queue.some(({ op, refused }) => op.key === "bad" && refused);
      if (number >= change && !changed && isRefused) {
        changed = true;
        await changeIt(replaced);
      }
      const request = asked[number];
      const isHere = number++ === place;
      if (isHere && trouble === "lost on the way") { await request.lose(); continue; }
      if (isHere && (trouble === "429" || trouble === "503")) { await request.answer("", Number(trouble)); continue; }
      const { status, body } = decide(request.body);
      if (isHere && trouble === "answer lost") await request.lose();
      else if (isHere && trouble === "no answer") await clock.pass(60_000);
      else if (isHere && trouble === "sent by two windows") {
        send();
        await arrive();
        await request.answer(body, status);
        for (; number < asked.length; await arrive()) { const again = decide(asked[number].body); await asked[number++].answer(again.body, again.status); }
      } else await request.answer(body, status);
    }
    if (!isDone) return ["stands still", []];
    if (!changed && round > 1) change = 0; // the timer has fired again and again while the person was thinking
  }
  return [written.join(), listUnsent(await now()).map(({ op, refused }) => [op.turn, refused?.code ?? "waits"])];
}

test("whatever is late, lost or sent twice, every entry arrives once and in its order", async () => {
  inMemory();
  for (const trouble of ["none", "lost on the way", "answer lost", "no answer", "429", "503", "sent by two windows"]) {
    for (let place = 0; place < (trouble === "none" ? 1 : 8); place += 1) {
      for (const change of [1, 2, 3, 99]) {
        const [written, left] = await sendAll(place, trouble, change);
        equal([trouble, place, change, written, left], [trouble, place, change, "box-0,box-1,box-2", []]);
      }
    }
  }
});
