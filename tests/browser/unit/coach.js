import { equal, heldClock, heldFetch, test } from "./harness.js";

const ODDS = '<div id="odds" data-odds="/t/x/odds">none</div>';
const WAITING = '<details id="coach-panel" data-wait open>a moment</details>';

async function begin() {
  document.body.innerHTML = `<div id="live"></div><a id="ask-coach" href="/t/x/coach" data-coach>Coach</a><div id="coach"></div><div id="table">${ODDS}</div>`;
  const asked = heldFetch();
  const clock = heldClock();
  await import("/static/coach/coach.js");
  return { asked, clock };
}

/** A fresh table is there. */
function move() {
  const old = document.getElementById("table");
  const fresh = document.createElement("div");
  fresh.id = "table";
  fresh.innerHTML = ODDS;
  old?.replaceWith(fresh);
  document.dispatchEvent(new CustomEvent("fivedice:shown", { detail: { old, fresh, moved: true } }));
}

const odds = () => document.getElementById("odds")?.textContent;
/** @param {string} text */
const told = (text) => `<div id="odds" data-odds="/t/x/odds">${text}</div>`;

test("odds of a position that is over are not shown", async () => {
  const { asked, clock } = await begin();
  await clock.pass(0);
  move();
  await asked[0].answer(told("before the move"));
  equal(odds(), "none");
  await clock.pass(250);
  move();
  await clock.pass(250);
  await asked[2].answer(told("now"));
  await asked[1].answer(told("too late"));
  equal([odds(), asked.length], ["now", 3]);
});

test("odds that did not come are asked for again", async () => {
  const { asked, clock } = await begin();
  await clock.pass(0);
  await asked[0].answer("<p>Too many</p>", 429);
  await clock.pass(3000);
  await asked[1].lose();
  await clock.pass(3000);
  await asked[2].answer(told("now"));
  equal(odds(), "now");
});

test("a hint that is being worked out is asked for until it comes, whatever is lost in between", async () => {
  const { asked, clock } = await begin();
  await clock.pass(0);
  await asked[0].answer(told("now"));
  document.getElementById("ask-coach")?.click();
  await asked[1].answer(WAITING);
  await clock.pass(700);
  await asked[2].answer("<p>Away</p>", 503);
  await clock.pass(3000);
  await asked[3].lose();
  await clock.pass(3000);
  await asked[4].answer('<details id="coach-panel" open>Keep 6-6</details>');
  await clock.pass(60_000);
  equal([document.getElementById("coach")?.textContent, asked.length], ["Keep 6-6", 5]);
});

test("a hint for dice that lie there no more is not shown", async () => {
  const { asked, clock } = await begin();
  await clock.pass(0);
  document.getElementById("ask-coach")?.click();
  move();
  await asked[1].answer(WAITING);
  equal(document.getElementById("coach")?.textContent, "");
});
