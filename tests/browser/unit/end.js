import { answering, arrive, brokenOff, equal, heldTimers, test } from "./harness.js";

const waits = '<div id="end-facts" data-wait="/t/x/end">Working</div>';
const known = '<div id="end-facts">Luck</div>';

/**
 * @param {string} inside
 * @param {string} [more]
 */
const table = (inside, more = 'data-keeps="5"') => `<div id="table" ${more}>${inside}</div>`;

/** @param {string} html */
function put(html) {
  document.body.innerHTML = html;
  const found = document.getElementById("table");
  if (!found) throw new Error("no table");
  return found;
}

/** The module looks at its page as soon as it is there. */
const load = () => import("/static/play/end.js");

/**
 * Another part takes the place of this one.
 * @param {string} before
 * @param {string} after
 */
async function change(before, after) {
  const old = put(before);
  const { shown } = await load();
  old.remove();
  const fresh = put(after);
  shown({ old, fresh, news: true, moved: false });
  return fresh;
}

/**
 * Let everything happen that waits for its turn, and every timer that comes of it.
 * @param {{ run: () => void }[]} timers
 */
async function run(timers) {
  for (let round = 0; round < 500; round += 1) {
    await new Promise((done) => {
      const channel = new MessageChannel();
      channel.port1.onmessage = done;
      channel.port2.postMessage(0);
    });
    timers.pop()?.run();
  }
}

const text = () => document.getElementById("end-facts")?.textContent;

test("luck and skill are asked for until they are known", async () => {
  put(table(waits));
  const timers = heldTimers();
  const asked = answering(waits, new Error("gone"), known);
  await load();
  await run(timers);
  equal(asked.map(({ address }) => address), ["/t/x/end", "/t/x/end", "/t/x/end"]);
  equal([text(), timers.length], ["Luck", 0]);
});

test("what takes long is still asked for, and not while the page is hidden", async () => {
  put(table(waits));
  const timers = heldTimers();
  const asked = answering(...Array.from({ length: 40 }, () => waits), known);
  await load();
  await run(timers);
  equal([text(), asked.length], ["Luck", 41]);
  put(table(waits));
  Object.defineProperty(document, "hidden", { value: true, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
  await run(timers);
  equal(asked.length, 41);
  Reflect.deleteProperty(document, "hidden");
});

test("what is known stays known while the game is the same", async () => {
  answering();
  await change(table(known), table(waits));
  equal(text(), "Luck");
  await change(table(known), table(waits, 'data-keeps="6"'));
  equal(text(), "Working");
});

test("a sheet that was pushed away comes back with a question only", async () => {
  answering();
  const closed = '<details id="ending"><p id="again-said">Ann</p></details>';
  const open = '<details id="ending" open><p id="again-said">Ann</p></details>';
  const isOpen = (/** @type {HTMLElement} */ fresh) => fresh.querySelector("details")?.open;
  equal(isOpen(await change(table(closed), table(open))), false);
  equal(isOpen(await change(table(closed), table(open.replace("Ann", "Bob")))), true);
  equal(isOpen(await change(table(open), table(open))), true);
});

test("a button that means something else now does not take the tail of a double click", async () => {
  answering();
  const timers = heldTimers();
  const button = (/** @type {string} */ says) => table(`<button id="again">${says}</button>`);
  const disabled = (/** @type {HTMLElement} */ fresh) => fresh.querySelector("button")?.ariaDisabled;
  equal(disabled(await change(button("Play again"), button("Play again"))), null);
  const fresh = await change(button("Play again"), button("Start without Bob"));
  equal(disabled(fresh), "true");
  timers.at(-1)?.run();
  equal(disabled(fresh), null);
});

test("an answer that breaks off is asked for again", async () => {
  const timers = heldTimers();
  put(table(waits));
  globalThis.fetch = async () => brokenOff();
  await load();
  await arrive();
  answering(known);
  timers.at(-1)?.run();
  await arrive();
  equal(document.getElementById("end-facts")?.textContent, "Luck");
});
