import { add, drop, entries, flush, forget, isOnlyHere, keep, kept, prune, retry, unsent } from "/static/pad/queue.js";
import { moved, newSheet } from "/static/pad/sheets.js";
import { answering, arrive, equal, heldClock, heldFetch, test } from "./harness.js";

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

test("a missing turn can be written yet: what needs it waits, whatever was before it", async () => {
  wrote(7);
  const next = add(ID, { command: "next", game: 1 });
  answering(refusing("turn-missing"), refusing("wrong-phase"));
  await flush(PAD);
  equal(unsent(ID).map(({ refused }) => refused?.code ?? ""), ["", ""]);
  drop(ID, entries(ID)[0].op.key);
  answering(refusing("wrong-phase"));
  await flush(PAD);
  equal(unsent(ID).map(({ op, refused }) => [op.key, refused?.code]), [[next, "wrong-phase"]]);
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

test("one that replaces a refused one takes it out in the same step", () => {
  const [bad, waits] = [wrote(4), wrote(5)];
  keep(ID, "queue", entries(ID).map((each) => ({ ...each, refused: { code: "illegal", message: "no" } })));
  /** @type {string[]} */
  const steps = [];
  const write = Storage.prototype.setItem;
  Storage.prototype.setItem = function set(name, text) { steps.push(text); write.call(this, name, text); };
  const key = add(ID, { command: "write", turn: 4 }, () => false, bad);
  equal([steps.length, entries(ID).map(({ op, refused }) => [op.key, refused ?? null])], [1, [[key, null], [waits, null]]]);
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

/**
 * Three entries, of which the first is refused and then replaced; something goes wrong at one request.
 * @param {number} place of the request
 * @param {string} trouble
 * @param {number} change the request before which the person has chosen another box
 */
async function sendAll(place, trouble, change) {
  forget(ID);
  const { written, decide } = sheetServer();
  const asked = heldFetch();
  const clock = heldClock();
  const bad = add(ID, { command: "write", turn: 0, box: "bad" });
  for (const turn of [1, 2]) add(ID, { command: "write", turn, box: `box-${turn}` });
  let changed = false;
  const send = () => flush(PAD).catch(() => {});
  for (let number = 0, round = 0; round < 12; round += 1) {
    let isDone = false;
    send().then(() => { isDone = true; });
    for (await arrive(); number < asked.length; await arrive()) {
      const isRefused = entries(ID).some(({ op, refused }) => op.key === bad && refused);
      if (number >= change && !changed && isRefused) {
        changed = true;
        add(ID, { command: "write", turn: 0, box: "box-0" }, () => false, bad);
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
  return [written.join(), entries(ID).filter(({ version }) => version === undefined).map(({ op, refused }) => [op.turn, refused?.code ?? "waits"])];
}

test("whatever is late, lost or sent twice, every entry arrives once and in its order", async () => {
  for (const trouble of ["none", "lost on the way", "answer lost", "no answer", "429", "503", "sent by two windows"]) {
    for (let place = 0; place < (trouble === "none" ? 1 : 8); place += 1) {
      for (const change of [1, 2, 3, 99]) {
        const [written, left] = await sendAll(place, trouble, change);
        equal([trouble, place, change, written, left], [trouble, place, change, "box-0,box-1,box-2", []]);
      }
    }
  }
});

// --- no room ---

/** The storage is as full as it can be. */
function fillStorage() {
  Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };
}

test("where there is no room left an entry is sent once, and known to be only here", async () => {
  wrote(4);
  equal(isOnlyHere(ID), false);
  fillStorage();
  wrote(5);
  equal([unsent(ID).length, isOnlyHere(ID)], [2, true]);
  const asked = answering(...[8, 9, 10, 11].map(taken));
  await flush(PAD);
  equal([turns(asked), unsent(ID).length], [[4, 5], 0]);
});

test("a sheet that finds no room as that of a table stays as it is", () => {
  const id = newSheet({ rules: "", page: "", book: "yatzy", label: "Yatzy", names: ["Ann"], first: 0, games: 1, matchTotal: false, mode: "quick" });
  add(id, { command: "write", turn: 0 });
  fillStorage();
  equal([moved(id, "table"), entries(id).length, entries("table").length], [false, 1, 0]);
});
