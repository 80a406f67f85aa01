import { add } from "/static/pad/state.js";
import { sendLocal } from "/static/pad/sending.js";
import { findLocal, listLocal, newSheet, remove, tidy } from "/static/pad/store.js";
import { change, load, loadAll } from "/static/pad/store.js";
import { equal, heldFetch, settled, test } from "./harness.js";
import { padOf, RULES } from "./tiny.js";

/** @typedef {import("/static/pad/state.js").Sheet} Sheet */
/** @type {import("/static/pad/state.js").SetUp} */
const SET_UP = { rules: "/r", page: "/p", book: "yatzy", label: "Yatzy", names: ["Ann"], first: 0, games: 1, matchTotal: true, mode: "quick" };
/** @param {string} id @param {string} key */
const end = (id, key) => change(id, (sheet) => sheet && add(sheet, { command: "end", key }, RULES, padOf()));
const fill = () => { IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); }; };

test("sheets are listed, the newest first, and deleted with all that was written", async () => {
  const [first, second] = [await newSheet(SET_UP), await newSheet({ ...SET_UP, names: ["Bob"] })];
  await end(first, "k");
  equal((await listLocal()).map(({ setUp }) => setUp.names[0]), ["Bob", "Ann"]);
  equal([(await findLocal(first))?.setUp, (await findLocal("l-none"))?.id], [SET_UP, second]);
  await remove(first);
  equal([await load(first), (await listLocal()).map(({ id }) => id)], [null, [second]]);
});

test("where a phone keeps as many as it should, there is no new one, and none goes for it", async () => {
  const old = await newSheet(SET_UP);
  await end(old, "k");
  const more = [];
  for (let number = 0; number < 42; number += 1) more.push(await newSheet(SET_UP));
  equal([(await listLocal()).length, more.filter(Boolean).length, (await load(old))?.queue.length], [40, 39, 1]);
  await remove(more[0]);
  equal(Boolean(await newSheet(SET_UP)), true);
});

test("where the storage is full, no sheet is opened that would be lost", async () => {
  fill();
  equal([await newSheet(SET_UP), await listLocal()], ["", []]);
});

test("until the page of the server comes, the phone knows where to write", async () => {
  const id = await newSheet(SET_UP);
  const asked = heldFetch();
  const links = { ...padOf().links, open: "/api/tables", table: "#" };
  const sent = sendLocal(/** @type {Sheet} */ (await load(id)), links);
  await end(id, "k");
  await asked[0].answer('{"id": "table"}');
  equal([(await sent)?.id, (await load("table"))?.queue.length, await load(id)], ["table", 1, null]);
  equal([await sendLocal(/** @type {Sheet} */ ({ ...await load("table"), setUp: undefined }), links), asked.length], [null, 1]);
});

test("a sheet that finds no room as that of a table stays as it is", async () => {
  const id = await newSheet(SET_UP);
  await end(id, "k");
  const asked = heldFetch();
  const sent = sendLocal(/** @type {Sheet} */ (await load(id)), { ...padOf().links, open: "/api/tables", table: "#" });
  fill();
  await settled();
  await asked[0].answer('{"id": "table"}');
  equal([await sent, (await load(id))?.queue.length, await load("table")], [null, 1, null]);
});

test("sheets of servers go when there are many, but none on which something waits", async () => {
  const day = (/** @type {number} */ number) => `2026-01-${String(number).padStart(2, "0")}`;
  for (let number = 1; number < 28; number += 1) await change(`t${number}`, () => ({ id: `t${number}`, base: padOf(), queue: number === 1 ? [{ op: { command: "end", key: "k" } }] : [], typed: null, rules: "", seen: day(number) }));
  await tidy();
  equal((await loadAll()).length, 25);
  equal([(await load("t1"))?.queue.length, await load("t2"), await load("t3"), Boolean(await load("t4"))], [1, null, null, true]);
});
