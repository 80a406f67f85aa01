import { blank } from "/static/pad/state.js";
import { change, changeAll, keepRules, load, loadAll, remember, loadRules } from "/static/pad/store.js";
import { equal, heldTimers, test } from "./harness.js";

/** @typedef {import("/static/pad/state.js").Sheet} Sheet */

/** As another window, or the same after a reload, has it. @returns {Promise<typeof import("/static/pad/store.js")>} */
const elsewhere = (name = "again") => import(/** @type {any} */ (`/static/pad/store.js?${name}`));
/** @param {string} key */
const adding = (key) => (/** @type {Sheet | null} */ sheet) => ({ ...(sheet ?? blank("x")), queue: [...sheet?.queue ?? [], { op: { command: "write", key } }] });
/** @param {Sheet | null} sheet */
const keys = (sheet) => sheet?.queue.map(({ op }) => op.key).join() ?? null;
const fill = () => { IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); }; };
const { put } = IDBObjectStore.prototype;
const empty = () => { IDBObjectStore.prototype.put = put; };

test("what is kept survives a reload", async () => {
  const { isKept } = await change("x", adding("a"));
  equal([isKept, keys(await (await elsewhere()).load("x"))], [true, "a"]);
});

test("two windows that write at once keep both entries", async () => {
  const other = await elsewhere();
  await Promise.all([change("x", adding("a")), other.change("x", adding("b")), change("x", adding("c"))]);
  equal(keys(await load("x"))?.split(",").sort(), ["a", "b", "c"]);
});

test("another window hears what was kept, and nothing of what is only typed", async () => {
  const other = await elsewhere();
  /** @type {string[][]} */
  const heard = [];
  const told = new Promise((done) => { other.listen((ids) => { heard.push(ids); done(undefined); }); });
  await change("y", () => blank("y"), { quiet: true });
  await change("x", adding("a"));
  await told;
  equal(heard, [["x"]]);
});

test("several sheets change together or not at all", async () => {
  await change("x", adding("a"));
  await changeAll(["x", "y"], ([x]) => [null, x && { ...x, id: "y" }]);
  equal([await load("x"), keys(await load("y"))], [null, "a"]);
  fill();
  const { isKept } = await changeAll(["y", "z"], ([y]) => [null, y && { ...y, id: "z" }], { must: true });
  equal([isKept, keys(await load("y")), await load("z")], [false, "a", null]);
});

test("where the storage is full an entry stays in memory, and is kept once there is room", async () => {
  await change("x", adding("a"));
  fill();
  const { sheet, isKept } = await change("x", adding("b"));
  equal([isKept, keys(sheet), keys(await load("x")), (await loadAll()).map(keys)], [false, "a,b", "a,b", ["a,b"]]);
  equal(keys(await (await elsewhere()).load("x")), "a");
  empty();
  equal([(await change("x", adding("c"))).isKept, keys(await (await elsewhere()).load("x"))], [true, "a,b,c"]);
});

test("where the browser allows no storage everything is there until the page is closed", async () => {
  Object.defineProperty(globalThis, "indexedDB", { get: () => { throw new Error("not allowed"); } });
  const alone = await elsewhere();
  equal((await alone.change("x", adding("a"))).isKept, false);
  await alone.remember("mode", "rolls");
  await alone.keepRules(/** @type {any} */ ({ link: "/r" }));
  equal([keys(await alone.load("x")), await alone.recall("mode"), await alone.loadRules("/r")], ["a", "rolls", { link: "/r" }]);
  await alone.change("x", () => null);
  equal(await alone.loadAll(), []);
});

test("a change that found no room stays while the next one is kept", async () => {
  await change("x", adding("a"));
  let isFull = true;
  IDBObjectStore.prototype.put = function (...given) { // the first one only
    if (isFull) { isFull = false; throw new DOMException("full", "QuotaExceededError"); }
    return put.apply(this, given);
  };
  const [, { sheet, isKept }] = await Promise.all([change("x", adding("b")), change("x", adding("c"))]);
  equal([keys(sheet), isKept, keys(await load("x"))], ["a,c,b", false, "a,c,b"]);
  equal([(await change("x", adding("d"))).isKept, keys(await (await elsewhere()).load("x"))], [true, "a,c,b,d"]);
});

test("a database that answers late has what was there before, and keeps what was written meanwhile", async () => {
  await change("x", adding("a"));
  const { open } = IDBFactory.prototype;
  let answer = async () => {};
  IDBFactory.prototype.open = function (...given) {
    const opened = open.apply(this, given);
    const isOpen = new Promise((done) => { opened.onsuccess = done; });
    return /** @type {any} */ ({
      set onsuccess(/** @type {() => void} */ run) { answer = () => isOpen.then(run); },
      get result() { return opened.result; },
    });
  };
  const timers = heldTimers();
  const late = await elsewhere();
  const written = late.change("x", adding("b"));
  timers[0].run(); // patience has an end
  equal([(await written).isKept, keys(await late.load("x"))], [false, "b"]);
  await answer();
  equal([keys(await late.load("x")), (await late.change("x", adding("c"))).isKept], ["a,b", true]);
  equal(keys(await load("x")), "a,b,c");
});

test("an error of the change itself is no trouble of the storage", async () => {
  const failed = await change("x", () => { throw new RangeError("no"); }).catch((error) => error.message);
  equal([failed, (await change("x", adding("a"))).isKept], ["no", true]);
});

test("rules are kept once, and forgotten with the last sheet that uses them", async () => {
  await keepRules(/** @type {any} */ ({ link: "/r" }));
  for (const id of ["x", "y"]) await change(id, () => ({ ...blank(id), rules: "/r" }));
  await change("x", () => null);
  equal(await (await elsewhere("one")).loadRules("/r"), { link: "/r" });
  await change("y", (sheet) => sheet && { ...sheet, rules: "/other" });
  equal([await (await elsewhere("two")).loadRules("/r"), await loadRules("/r")], [null, { link: "/r" }]); // this page still plays
});

// --- what version 0.1.0 left ---

/** @param {string} key @param {object} [more] */
const entry = (key, more = {}) => ({ key, game: 0, turn: 3, seat: 1, dice: "12345", box: "chance", label: "Chance", points: 15, ...more });
/** @param {object[]} queue */
const leaveOld = (queue) => localStorage.setItem("fivedice-pad/t1/queue", JSON.stringify(queue));
const OP = { command: "write", key: "a", game: 0, turn: 3, seat: 1, dice: "12345", box: "chance", points: 15 };

test("entries that version 0.1.0 kept are brought over once, and only then removed there", async () => {
  localStorage.setItem("fivedice-pad/t1/typed", "null");
  leaveOld([entry("sent", { version: 7 }), entry("a"), entry("b", { refused: "Bob has played." })]);
  equal([(await load("t1"))?.queue[0], keys(await load("t1"))], [{ op: OP }, "a,b"]);
  equal([Object.keys(localStorage), (await loadAll()).length], [["fivedice-pad/t1/typed"], 1]);
  leaveOld([entry("a"), entry("c")]); // by a page of before
  equal(keys(await (await elsewhere()).load("t1")), "a,b,c");
});

test("where there is no room for it, it stays where it is and counts", async () => {
  leaveOld([entry("a")]);
  fill();
  equal([keys(await load("t1")), localStorage.length], ["a", 1]);
  empty();
  equal([keys(await (await elsewhere()).load("t1")), localStorage.length], ["a", 0]);
});

test("the device remembers how dice are entered", async () => {
  await remember("mode", "rolls");
  equal(await (await elsewhere()).recall("mode"), "rolls");
});
