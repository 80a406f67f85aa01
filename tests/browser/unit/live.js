import { isOffline, listen, look, part, pause, show, start } from "/static/core/live.js";
import { answering, equal, heldClock, heldFetch, heldTimers, settled, test } from "./harness.js";

class Stream extends EventTarget {
  static CLOSED = 2;
  /** @type {Stream[]} */
  static opened = [];
  readyState = 0;

  /** @param {string} address */
  constructor(address) {
    super();
    this.address = address;
    Stream.opened.push(this);
  }

  /**
   * @param {string} name
   * @param {number} state
   */
  happens(name, state) {
    this.readyState = state;
    this.dispatchEvent(new Event(name));
  }

  close() { this.readyState = 2; }
}
Object.assign(globalThis, { EventSource: Stream });

/**
 * @param {number} version
 * @param {string} inside
 * @param {string} [moment]
 */
const table = (version, inside, moment = "0") =>
  `<div id="table" data-version="${version}" data-moment="${moment}" data-here="/t/x" data-live="/t/x/live" data-title="Title ${version}" data-announce="News ${version}">${inside}</div>`;

/**
 * @param {string} inside
 * @param {string} [moment]
 */
function begin(inside, moment) {
  document.body.innerHTML = `<div id="live"></div>${table(1, inside, moment)}`;
}

const form = (key = "one") =>
  `<form id="form" action="/t/x/roll"><input type="hidden" name="version" value="1"><input type="hidden" name="key" value="${key}"><button id="roll" name="go" value="yes">Roll</button></form>`;

/** @param {string} id */
function field(id) {
  const found = document.getElementById(id);
  if (!(found instanceof HTMLInputElement)) throw new Error(`no field ${id}`);
  return found;
}

const focused = () => document.activeElement?.id ?? "";

test("pauses grow, end, and are never quite the same", () => {
  for (const [times, longest] of [[1, 2000], [2, 4000], [3, 8000], [4, 16000], [9, 16000]]) {
    const found = Array.from({ length: 50 }, () => pause(times));
    equal(found.every((each) => each >= 0.8 * longest && each <= 1.2 * longest), true);
    equal(new Set(found).size > 1, true);
  }
});

test("a stream that is turned away is asked for again, later each time", () => {
  const timers = heldTimers();
  listen(() => `/live?after=${Stream.opened.length}`, {});
  for (const longest of [2000, 4000, 8000, 16000, 16000]) {
    Stream.opened.at(-1)?.happens("error", 2);
    const { run, after } = timers.at(-1) ?? { run: () => {}, after: 0 };
    equal(after >= 0.8 * longest && after <= 1.2 * longest, true);
    run();
  }
  equal(Stream.opened.length, 6);
  equal(Stream.opened.at(-1)?.address, "/live?after=5");
});

test("a stream that was open begins with short pauses again", () => {
  const timers = heldTimers();
  listen(() => "/live", {});
  for (let times = 0; times < 3; times += 1) { Stream.opened.at(-1)?.happens("error", 2); timers.at(-1)?.run(); }
  Stream.opened.at(-1)?.happens("open", 1);
  Stream.opened.at(-1)?.happens("error", 2);
  equal((timers.at(-1)?.after ?? 9999) <= 2400, true);
});

test("a stream that broke is left to the browser", () => {
  const timers = heldTimers();
  listen(() => "/live", {});
  Stream.opened[0].happens("error", 0);
  equal([timers.length, Stream.opened.length], [0, 1]);
});

test("what the stream tells is fetched", async () => {
  begin("old");
  const asked = answering(table(2, "new"));
  start({});
  equal(Stream.opened[0].address, "/t/x/live?after=1");
  Stream.opened[0].dispatchEvent(new MessageEvent("version", { data: "1" }));
  Stream.opened[0].dispatchEvent(new MessageEvent("version", { data: "2" }));
  await settled();
  equal([asked.length, asked[0].address, part().textContent], [1, "/t/x", "new"]);
});

test("a fresh part keeps the focus", () => {
  begin('<button id="a">A</button><button id="b">B</button>');
  document.getElementById("b")?.focus();
  const before = document.activeElement;
  show(table(2, '<button id="a">A</button><button id="b">B</button>'));
  equal([focused(), document.activeElement === before], ["b", false]);
});

test("where the hand was is gone: the next action has the focus", () => {
  begin('<button id="a">A</button>');
  document.getElementById("a")?.focus();
  show(table(2, '<a href="/">x</a><button id="roll" data-focus="next">Roll</button>'));
  equal(focused(), "roll");
});

test("whoever was nowhere stays nowhere", () => {
  begin("");
  show(table(2, '<button id="roll" data-focus="next">Roll</button>'));
  equal(focused(), "");
});

test("a question comes first", () => {
  begin('<button id="a">A</button>');
  document.getElementById("a")?.focus();
  show(table(2, '<button id="a">A</button><button id="yes" data-focus="first">Yes</button>'));
  equal(focused(), "yes");
});

test("dice that are being chosen stay chosen while nobody has moved", () => {
  const dice = '<input type="checkbox" id="die-0"><input type="checkbox" id="die-1">';
  begin(dice, "3/2/24466");
  field("die-1").checked = true;
  show(table(2, dice, "3/2/24466"));
  equal([field("die-0").checked, field("die-1").checked], [false, true]);
  show(table(3, dice, "3/1/24411"));
  equal([field("die-0").checked, field("die-1").checked], [false, false]);
});

test("dice that lie there already do not fall again", () => {
  begin("", "1");
  show(table(1, '<div class="just-rolled"></div>', "1"));
  equal(document.querySelectorAll(".just-rolled").length, 0);
  show(table(2, '<div class="just-rolled"></div>', "2"));
  equal(document.querySelectorAll(".just-rolled").length, 1);
});

test("what is open stays open, and what is being typed is not wiped out", () => {
  const inside = (/** @type {number} */ seats) => `<details id="d"><summary>S</summary></details><input id="name" data-keep="${seats}">`;
  begin(inside(1));
  document.getElementById("d")?.setAttribute("open", "");
  field("name").value = "Ann";
  show(table(2, inside(1)));
  equal([document.getElementById("d")?.hasAttribute("open"), field("name").value], [true, "Ann"]);
  show(table(3, inside(2)));
  equal(field("name").value, "");
  field("name").value = "Bo";
  field("name").focus();
  show(table(4, inside(3)));
  equal([field("name").value, focused()], ["Bo", "name"]);
});

test("news are said and titled, an older part is left out, and none is told apart", async () => {
  begin("first");
  equal(show(table(3, "third")), true);
  await new Promise(requestAnimationFrame);
  equal([document.title, document.getElementById("live")?.textContent], ["Title 3", "News 3"]);
  equal([show(table(2, "second")), part().textContent], [true, "third"]);
  equal([show("<p>An error</p>"), part().textContent], [false, "third"]);
});

test("a lower version of another edition is shown: the server has gone back to an older copy", () => {
  begin("first");
  show(table(3, "third"));
  equal([show(table(2, "second").replace("data-version", 'data-edition="7" data-version')), part().textContent], [true, "second"]);
});

test("a form that is sent twice at once is sent once, with its key and version", async () => {
  begin(form());
  const asked = answering(table(2, form("two")));
  start({});
  const roll = document.getElementById("roll");
  roll?.click();
  roll?.click();
  await settled();
  equal(asked.map(({ body }) => body), ["version=1&key=one&go=yes"]);
  equal(part().dataset.version, "2");
});

test("a form that did not arrive is sent again with the same key", async () => {
  begin(form());
  const asked = answering(new Error("gone"), table(2, form("two")));
  start({});
  document.getElementById("roll")?.click();
  await settled();
  equal([isOffline(), document.getElementById("live")?.textContent], [true, "No connection. Try again; the move counts once."]);
  document.getElementById("roll")?.click();
  await settled();
  equal(asked.map(({ body }) => body), ["version=1&key=one&go=yes", "version=1&key=one&go=yes"]);
  equal([isOffline(), part().dataset.version], [false, "2"]);
});

test("a press that is not meant is not sent", async () => {
  begin(form());
  const asked = answering();
  start({});
  document.getElementById("roll")?.setAttribute("aria-disabled", "true");
  document.getElementById("roll")?.click();
  await settled();
  equal(asked, []);
});

test("what could not be fetched is fetched later", async () => {
  begin("old");
  const busy = { status: 429, body: "<p>Too many</p>" };
  const cut = { status: 200, body: "" }; // in its headers
  const asked = answering(new Error("gone"), busy, { status: 503, body: "<p>Away</p>" }, cut, table(2, "new"));
  const later = setTimeout;
  const timers = heldTimers();
  for (const longest of [2000, 4000, 8000, 16000]) {
    await look();
    equal([isOffline(), part().textContent], [true, "old"]);
    equal((timers.at(-1)?.after ?? 0) >= 0.8 * longest, true);
  }
  Object.assign(globalThis, { setTimeout: later });
  timers.at(-1)?.run();
  await settled();
  equal([asked.length, isOffline(), part().textContent], [5, false, "new"]);
});

// --- in every order ---

/** @param {string} name */
const hear = (name) => { Stream.opened[0].dispatchEvent(new Event(name)); };

test("the answer to an older look does not undo the answer to a newer one", async () => {
  begin("first");
  const asked = heldFetch();
  start({});
  hear("people");
  hear("people");
  await asked[1].answer(table(1, "Ann has left"));
  await asked[0].answer(table(1, "Ann is here"));
  equal(part().textContent, "Ann has left");
  hear("people");
  hear("people");
  await asked[3].answer(table(1, "Ann is here"));
  await asked[2].answer(table(2, "a move"));
  equal(part().textContent, "a move");
});

test("an older look that fails after a newer one was answered changes nothing", async () => {
  begin("first");
  const asked = heldFetch();
  const clock = heldClock();
  start({});
  hear("people");
  hear("people");
  await asked[1].answer(table(2, "new"));
  await asked[0].lose();
  equal([isOffline(), clock.timers.size], [false, 2]); // those of the requests
  await clock.pass(20_000);
  equal(asked.length, 2);
});

test("looks that fail together are tried again together", async () => {
  begin("first");
  const asked = heldFetch();
  const clock = heldClock();
  start({});
  for (let times = 0; times < 3; times += 1) hear("people");
  for (const each of asked) await each.lose();
  equal([isOffline(), asked.length], [true, 3]);
  await clock.pass(20_000);
  equal(asked.length, 4);
});

test("what is heard while a form is on its way is fetched after it", async () => {
  begin(form());
  const asked = heldFetch();
  start({});
  for (const [turn, name] of ["people", "error"].entries()) {
    document.getElementById("roll")?.click();
    hear(name);
    equal(asked.length, 2 * turn + 1);
    await asked[2 * turn].answer(table(2 + turn, form("two")));
    equal(asked.slice(2 * turn).map(({ address }) => new URL(address, location.href).pathname), ["/t/x/roll", "/t/x"]);
    await asked[2 * turn + 1].answer(table(2 + turn, form("three")));
  }
});

test("what happened while the stream was broken is fetched when it is back", async () => {
  begin("first");
  const asked = heldFetch();
  start({});
  hear("open");
  equal(asked.length, 0);
  hear("error");
  await asked[0].answer(table(1, "while it was broken"));
  hear("open");
  await asked[1].answer(table(1, "after it"));
  equal([part().textContent, asked.length], ["after it", 2]);
});

test("a form that is never answered is given up, and can be sent again with its key", async () => {
  begin(form());
  const asked = heldFetch();
  const clock = heldClock();
  start({});
  document.getElementById("roll")?.click();
  await clock.pass(29_000);
  document.getElementById("roll")?.click();
  equal([asked.length, isOffline()], [1, false]);
  await clock.pass(2000);
  equal(isOffline(), true);
  document.getElementById("roll")?.click();
  await asked.at(-1)?.answer(table(2, "rolled"));
  equal([asked.map(({ body }) => body), part().textContent], [["version=1&key=one&go=yes", "version=1&key=one&go=yes"], "rolled"]);
  await asked[0].answer(table(1, "too late"));
  equal(part().textContent, "rolled");
});
