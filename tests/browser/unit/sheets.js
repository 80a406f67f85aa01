import { add, entries, keep, kept } from "/static/pad/queue.js";
import { draftOf, forgetDraft, redraft } from "/static/pad/draft.js";
import { find, list, moved, newSheet, remove } from "/static/pad/sheets.js";
import { sendLocal } from "/static/pad/local.js";
import { equal, heldFetch, test } from "./harness.js";

/** @type {import("/static/pad/sheets.js").SetUp} */
const SET_UP = { rules: "/r", page: "/p", book: "yatzy", label: "Yatzy", names: ["Ann"], first: 0, games: 1, matchTotal: true, mode: "quick" };

test("sheets are listed, the newest first, and deleted with all that was written", () => {
  const [first, second] = [newSheet(SET_UP), newSheet({ ...SET_UP, names: ["Bob"] })];
  add(first, { command: "end" });
  equal(list().map(({ setUp }) => setUp.names[0]), ["Bob", "Ann"]);
  equal(find(first)?.setUp, SET_UP);
  remove(first);
  equal([find(first), entries(first), find(second)?.id], [null, [], second]);
});

test("where a phone keeps as many as it should, there is no new one, and none goes for it", () => {
  const old = newSheet(SET_UP);
  add(old, { command: "end" });
  const more = Array.from({ length: 45 }, () => newSheet(SET_UP));
  equal([list().length, more.filter(Boolean).length, find(old)?.id, entries(old).length], [40, 39, old, 1]);
  remove(more[0]);
  equal(Boolean(newSheet(SET_UP)), true);
});

test("where the storage is full, no sheet is opened that would be lost", () => {
  Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };
  equal([newSheet(SET_UP), list()], ["", []]);
});

test("a sheet that a server has opened goes on there", () => {
  const sheet = newSheet(SET_UP);
  const key = add(sheet, { command: "end" });
  keep(sheet, "typed", { faces: "12" });
  moved(sheet, "table");
  equal([entries("table").map(({ op }) => op.key), kept("table", "typed", null), find(sheet)], [[key], { faces: "12" }, null]);
});

test("until the page of the server comes, the phone knows where to write", async () => {
  const id = newSheet(SET_UP);
  const asked = heldFetch();
  const sent = sendLocal(/** @type {any} */ ({ id, links: { open: "/api/tables", table: "#" } }));
  add(id, { command: "end" });
  await asked[0].answer('{"id": "table"}');
  equal([await sent, entries("table").length, find(id)], ["table", 1, null]);
  equal(await sendLocal(/** @type {any} */ ({ id: "table", links: { open: "/api/tables", table: "#" } })), "table");
  equal(asked.length, 1);
});

test("what is typed belongs to one turn: dice never stay under the next name", () => {
  const [now, later] = [{ game: 0, turn: 4, seat: 0 }, { game: 0, turn: 5, seat: 1 }];
  redraft("x", now, { faces: "123" });
  equal(draftOf("x", now).faces, "123");
  equal(draftOf("x", later).faces, "");
  equal(draftOf("x", { ...now, seat: 1 }).faces, ""); // the player was skipped
  redraft("x", later, { box: "aces" });
  equal([draftOf("x", later).faces, draftOf("x", later).box], ["", "aces"]);
  forgetDraft("x");
  equal(draftOf("x", later).box, null);
});
