import { parts, say } from "/static/core/page.js";
import { equal, test } from "./harness.js";

/**
 * @param {object} table
 * @param {string} lang
 */
function speak(table, lang) {
  const element = document.getElementById("words");
  if (element) element.textContent = JSON.stringify(table);
  document.documentElement.lang = lang;
}

test("the page speaks the sentences of the server", () => {
  equal(say("which-box"), "Which box?");
  equal(say("die-removed", { face: 4 }), "4 removed");
});

test("one and many have their own form", () => {
  equal(say("rolls-saved", { count: 1 }), "1 saved roll");
  equal(say("rolls-saved", { count: 3 }), "3 saved rolls");
  equal(say("rolls-saved", { count: 0 }), "0 saved rolls");
});

test("a language with more forms uses them", () => {
  speak({ dice: { one: "{count} kostka", few: "{count} kostki", many: "{count} kostek" } }, "pl");
  equal([1, 2, 5, 22].map((count) => say("dice", { count })), ["1 kostka", "2 kostki", "5 kostek", "22 kostki"]);
});

test("a form that is missing is the other one", () => {
  speak({ dice: { other: "{count} dice" } }, "en");
  equal(say("dice", { count: 1 }), "1 dice");
});

test("an element may stand in a sentence", () => {
  const box = document.createElement("strong");
  box.textContent = "Chance";
  const line = document.createElement("p");
  line.append(...parts("zero-question", { box }));
  equal(line.innerHTML, "Score 0 in <strong>Chance</strong>? Another box would score.");
});

test("a value is text, whatever is in it", () => {
  equal(say("entry-dice", { name: "{dice}", dice: "<b>", box: "$&", points: 1 }), "{dice}: <b>, $& 1");
});

test("what is missing is seen by its name", () => {
  equal(say("nothing-like-it"), "nothing-like-it");
  equal(say("die-removed"), "{face} removed");
});
