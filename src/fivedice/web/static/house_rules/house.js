// The state of the exact strategy, asked for until it is known. Without this file the page says how to look again.

import { ask, byId, isUnwell } from "../core/page.js";

const PAUSE = 1500; // milliseconds
const line = byId("solution");

/** @param {HTMLElement} line it names the address, and the states that pass */
async function look(line) {
  try {
    const answer = await ask(line.dataset.ask ?? "");
    if (isUnwell(answer)) throw new Error("the server is not well, or busy");
    if (!answer.ok) return;
    /** @type {{ state: string, sentence: string }} */
    const found = await answer.json();
    if (line.textContent !== found.sentence) line.textContent = found.sentence;
    line.dataset.state = found.state;
    if (!line.dataset.passing?.split(" ").includes(found.state)) {
      byId("solved")?.replaceChildren(found.sentence); // told once, at the end
      return;
    }
  } catch {
    // no connection, or no room just now: asked again as if nothing had been said
  }
  setTimeout(look, PAUSE, line);
}

if (line) setTimeout(look, PAUSE, line);
