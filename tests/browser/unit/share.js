import { say } from "/static/core/page.js";
import { makeCarried, pack } from "/static/pad/carried.js";
import { offerEntries, readSheet, showBrought } from "/static/pad/share.js";
import { append, blank, foldSheet } from "/static/pad/state.js";
import { brokenOff, equal, test } from "./harness.js";
import { padOf, RULES } from "./tiny.js";

/** @typedef {import("/static/pad/state.js").Op} Op */

/** @param {number} turn @returns {Op} */
const write = (turn) => ({ command: "write", game: 0, turn, seat: turn % 2, dice: "13", points: 4, box: "chance", key: `w${turn}` });

/** A page, and what it knows; a fresh part of the server replaces all that is on it. */
function begin() {
  const fresh = () => { document.body.innerHTML = '<div class="pad-play"><div class="status"></div></div>'; };
  fresh();
  const names = { boxes: ["Aces", "Chance"], lines: [], book: "Tiny" };
  const words = /** @type {import("/static/pad/judge.js").Words} */ (/** @type {unknown} */ ({ names }));
  return { fresh, waitingIn: (/** @type {Op[]} */ ops, keeper = true) => {
    const sheet = append(blank("x"), ops);
    return { pad: padOf({ keeper }), sheet, state: foldSheet(sheet, RULES, padOf()), rules: RULES, words };
  } };
}

/** @param {string} id */
const tap = (id) => document.getElementById(id)?.click();

test("only the entries that are shown are discarded, whatever another window has added", () => {
  const waiting = begin().waitingIn([write(0)], false);
  /** @type {string[]} */
  let gone = [];
  offerEntries(waiting, (keys) => { gone = keys; });
  waiting.sheet = append(waiting.sheet, [write(1)]);
  tap("discard-left");
  equal(gone, ["w0"]);
});

test("entries from a link are offered until the person answers, also on a fresh page", async () => {
  const { fresh, waitingIn } = begin();
  history.replaceState(null, "", `#entries=${await pack([write(0)])}`);
  /** @type {string[]} */
  const taken = [];
  const show = () => showBrought(waitingIn([]), (ops) => { taken.push(...ops.map(({ key }) => key)); });
  await show();
  fresh();
  await show();
  tap("take-brought");
  await show();
  equal([taken, document.getElementById("brought")], [["w0"], null]);
});

test("a sheet can be opened again where the rules break off: it is not called unreadable", async () => {
  const sheet = makeCarried(RULES, padOf(), [], { book: "tiny", label: "Tiny", opened: "2026-01-01" });
  document.body.innerHTML = '<input name="book" value="tiny" data-rules="/r" data-fingerprint=""><div id="bring-now"></div>';
  for (const answer of [new Response(""), brokenOff(), new Response("{}", { status: 503 })]) {
    globalThis.fetch = async () => answer;
    await readSheet(JSON.stringify([{ sheet }]));
    equal(document.getElementById("bring-now")?.textContent, say("needs-connection"));
  }
});
