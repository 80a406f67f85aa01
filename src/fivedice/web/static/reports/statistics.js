// Statistics, or a report, that are not all there yet: asked for again, ever more rarely, until they are. Without this
// file there is a link to do so.

import { all, ask, one, parsed, whenStill } from "../core/page.js";

const FIRST = 1500; // milliseconds until it is asked again,
const LONGEST = 15000; // half as long again each time, up to this
const MOST = 60; // times: what is not there then will not come
const FOCUSABLE = "a, button, select, summary, [tabindex]";

let pause = FIRST;
let times = 0;

const WHOLE = "article.report";

const waits = () => Boolean(one(WHOLE, HTMLElement)?.hasAttribute("data-wait"));

function later() {
  times += 1;
  if (!waits()) return;
  const steady = Number(one(WHOLE, HTMLElement)?.dataset.wait); // milliseconds, for a page that is shown for hours
  if (!steady && times > MOST) return;
  setTimeout(look, steady || pause);
  pause = Math.min(LONGEST, pause * 1.5);
}

async function look() {
  if (!document.hidden) await fetchAgain().catch(() => {}); // no connection: the next time perhaps
  later();
}

async function fetchAgain() {
  const answer = await ask(location.href);
  const fresh = answer.ok ? one(WHOLE, HTMLElement, parsed(await answer.text())) : null;
  await whenStill();
  const old = one(WHOLE, HTMLElement);
  if (fresh && old && fresh.innerHTML !== old.innerHTML) put(old, fresh);
}

/**
 * What is unfolded stays so, and the focus where it was.
 * @param {HTMLElement} old
 * @param {HTMLElement} fresh
 */
function put(old, fresh) {
  const unfolded = all("details[id][open]", HTMLElement, old).map((each) => each.id);
  const at = all(FOCUSABLE, HTMLElement, old).findIndex((each) => each === document.activeElement);
  for (const id of unfolded) one(`#${id}`, HTMLElement, fresh)?.setAttribute("open", "");
  old.replaceWith(fresh);
  document.dispatchEvent(new Event("fivedice:shown"));
  if (at >= 0) all(FOCUSABLE, HTMLElement, fresh)[at]?.focus({ preventScroll: true });
}

later();
