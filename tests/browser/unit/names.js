import { isName, quoteName } from "/static/pad/sheet.js";
import { equal, test } from "./harness.js";

test("a name is visible, on one line and of sixty characters at most", () => {
  const good = ["Ann", "Дмитрий", "李", "🎲", "Ann-Marie O’Hara", "x".repeat(60), "🎲".repeat(60), "Player 1", "?"];
  const bad = ["", "   ", "A\nB", "A\u0000", "\u202eAnn", "A\u2069", "\u200b", "\u2028A", "x".repeat(61), "\ud800"];
  equal(good.filter((name) => !isName(name)), []);
  equal(bad.filter(isName), []);
});

test("a name that cannot be shown is written out", () => {
  equal(quoteName("\u202eAnn\n"), "“\\u202eAnn\\u000a”");
  equal(quoteName("x".repeat(99)).length, 62);
});
