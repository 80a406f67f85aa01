import { all, announce, around, importWhole, one, whenStill } from "/static/core/page.js";
import { answering, arrive, brokenOff, equal, heldClock, test } from "./harness.js";

test("the same words said twice are heard twice", async () => {
  document.body.innerHTML = '<div id="live"></div>';
  /** @type {string[]} */
  const heard = [];
  const live = document.getElementById("live");
  new MutationObserver(() => heard.push(live?.textContent ?? "")).observe(/** @type {Node} */ (live), { childList: true });
  for (let times = 0; times < 2; times += 1) {
    announce("Ann’s turn");
    await new Promise((done) => { setTimeout(done, 40); });
  }
  equal(heard.filter(Boolean), ["Ann’s turn", "Ann’s turn"]);
});

test("elements are found by kind", () => {
  document.body.innerHTML = '<input class="a"><p class="a"></p>';
  equal([all(".a", HTMLInputElement).length, all(".a", HTMLElement).length], [1, 2]);
  equal([one("p", HTMLInputElement), one("p", HTMLParagraphElement)?.tagName], [null, "P"]);
});

test("an event is found in what surrounds it", () => {
  document.body.innerHTML = '<div data-x="yes"><b id="b"></b></div>';
  /** @type {(string | undefined)[]} */
  const found = [];
  document.addEventListener("click", (event) => found.push(around(event, "[data-x]")?.dataset.x));
  document.getElementById("b")?.click();
  document.body.click();
  equal(found, ["yes", null]);
});

test("everyone gets a text for the dice, and their own is kept", async () => {
  document.body.innerHTML = '<form><input id="a" data-luck><input id="b" data-luck value="mine"><button>Go</button></form>';
  await import("/static/fairness/luck.js");
  const [drawn, own] = all("input", HTMLInputElement);
  equal([/^\d+-\d+$/.test(drawn.value), own.value], [true, "mine"]);
  drawn.value = "";
  document.addEventListener("submit", (event) => event.preventDefault());
  document.querySelector("button")?.click();
  equal(/^\d+-\d+$/.test(drawn.value), true);
});

test("a receipt that breaks off is asked for again at the next look", async () => {
  document.body.innerHTML = '<a href="/receipt" data-receipt="x">Receipt</a>';
  globalThis.fetch = async () => brokenOff();
  const { keep } = await import("/static/fairness/receipt.js");
  await arrive();
  const asked = answering("text");
  await keep();
  await keep();
  equal([asked.length, localStorage.getItem("fivedice:receipts")], [1, '{"x":"text"}']);
});

test("nothing is replaced while a finger is down, nor before its click has led somewhere", async () => {
  const clock = heldClock();
  let isStill = false;
  const happens = (/** @type {string} */ name, /** @type {PointerEventInit} */ about = {}) => {
    document.body.dispatchEvent(new PointerEvent(name, { bubbles: true, button: 0, ...about }));
  };
  /** @type {[string, PointerEventInit, number, boolean][]} */
  const steps = [
    ["pointerdown", { button: 2 }, 0, true], // a menu
    ["pointerdown", {}, 9_000, false], ["pointerup", {}, 400, false], ["click", {}, 0, true],
    ["pointerdown", {}, 0, false], ["pointerup", {}, 500, true], // no click
    ["pointerdown", {}, 0, false], ["pointercancel", {}, 0, true], // it scrolls
    ["pointerdown", {}, 0, false], ["pointermove", { pointerType: "mouse", buttons: 1 }, 0, false],
    ["pointermove", { pointerType: "mouse", buttons: 0 }, 0, true], // it was let go unheard
    ["pointerdown", {}, 10_000, true],
  ];
  for (const [name, about, milliseconds, wanted] of steps) {
    happens(name, about);
    isStill = false;
    whenStill().then(() => { isStill = true; });
    await clock.pass(milliseconds);
    equal([name, isStill], [name, wanted]);
  }
});

test("a script that came empty is imported from another address", async () => {
  const whole = { say: 1 };
  const came = [{}, whole].map((first) => importWhole(async () => first, async () => ({ say: 2 })));
  equal(await Promise.all(came), [{ say: 2 }, whole]);
});
