import { heard, shown } from "/static/play/holds.js";
import { answering, arrive, equal, heldFetch, heldTimers, test } from "./harness.js";

const mine = [0, 1, 2].map((slot) => `<label class="die-slot"><input type="checkbox" name="hold" value="${slot}" id="die-${slot}"></label>`).join("");
const theirs = [0, 1, 2].map((slot) => `<span class="die-slot" id="die-${slot}"><span class="die" data-face="${slot + 4}"></span></span>`).join("");

/**
 * @param {string} inside
 * @param {number} [moment]
 */
function begin(inside, moment = 5) {
  document.body.innerHTML = `<div id="live"></div><div id="table" data-id="x" data-live="/t/x/live" data-keeps="${moment}">${inside}</div>`;
}

/** @param {number} slot */
function tap(slot) {
  document.getElementById(`die-${slot}`)?.click();
}

/**
 * @param {number[]} slots
 * @param {number} [moment]
 * @param {string} [page]
 */
const hear = (slots, moment = 5, page = "another") => heard.holds(new MessageEvent("holds", { data: JSON.stringify({ moment, slots, page }) }));

/** Until what is announced has been announced. */
const drawn = () => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); });
const ticked = () => [...document.querySelectorAll("input:checked")].map((box) => box.id);
const held = () => [...document.querySelectorAll(".held")].map((die) => die.id);

test("several taps are sent as one", async () => {
  begin(mine);
  const timers = heldTimers();
  const asked = answering("");
  tap(0);
  tap(2);
  equal(asked.length, 0);
  timers.at(-1)?.run();
  await null;
  equal(asked.map(({ address, body }) => [address, body.replace(/page=\w+/, "page=p")]), [[`${location.origin}/t/x/hold`, "moment=5&page=p&hold=0&hold=2"]]);
});

test("our own choice does not come back to us", async () => {
  begin(mine);
  const timers = heldTimers();
  const asked = answering("");
  tap(0);
  timers.at(-1)?.run();
  await null;
  const page = new URLSearchParams(asked[0].body).get("page") ?? "";
  tap(0);
  timers.at(-1)?.run();
  hear([0], 5, page);
  equal(ticked(), []);
});

test("what is heard while we choose is older than what we choose", () => {
  begin(mine);
  heldTimers();
  tap(0);
  hear([1, 2]);
  equal(ticked(), ["die-0"]);
});

test("another screen of ours chooses", () => {
  begin(mine);
  hear([1, 2]);
  equal(ticked(), ["die-1", "die-2"]);
  hear([]);
  equal(ticked(), []);
});

test("somebody else chooses, for these dice alone", () => {
  begin(theirs);
  hear([0, 2]);
  equal(held(), ["die-0", "die-2"]);
  hear([1], 4);
  equal(held(), ["die-0", "die-2"]);
});

test("what is heard before its dice are here is shown with them", () => {
  begin(theirs, 5);
  hear([1], 6);
  equal(held(), []);
  begin(theirs, 6);
  shown();
  equal(held(), ["die-1"]);
});

test("what was heard before we chose is not shown again", () => {
  begin(mine);
  const timers = heldTimers();
  answering("");
  hear([1, 2]);
  tap(1);
  timers.at(-1)?.run();
  shown();
  equal(ticked(), ["die-2"]);
});

test("after a broken line we say again what we chose, for these dice alone", async () => {
  begin(mine);
  const timers = heldTimers();
  const asked = answering("", "");
  heard.open();
  equal(asked.length, 0);
  tap(1);
  timers.at(-1)?.run();
  heard.open();
  await arrive();
  equal(asked.length, 2);
  begin(mine, 6);
  heard.open();
  equal(asked.length, 2);
});

test("it is read out for those who want it, once", async () => {
  const live = () => document.getElementById("live")?.textContent;
  const setting = '<button data-setting="holds">Read out</button>';
  const press = () => document.querySelector("button")?.click();
  begin(theirs + setting);
  press();
  hear([0, 2]);
  await drawn();
  equal(live(), "Keeps 4-6");
  begin(theirs + setting);
  hear([0, 2]);
  await drawn();
  equal(live(), "");
  press();
  hear([0]);
  await drawn();
  equal(live(), "");
});

test("a choice waits for the one before it, and is not held up by one that is lost", async () => {
  begin(mine);
  const timers = heldTimers();
  const asked = heldFetch();
  for (const slot of [0, 2, 1]) {
    tap(slot);
    timers.at(-1)?.run();
    await arrive();
  }
  equal(asked.length, 1);
  await asked[0].lose();
  await asked[1].answer("");
  equal(asked.map(({ body }) => new URLSearchParams(body).getAll("hold").join("")), ["0", "02", "012"]);
});
