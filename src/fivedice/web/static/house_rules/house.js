// The state of the exact strategy, asked for until it is known. Without this file the page says how to look again.

const PAUSE = 1500; // milliseconds
const line = document.getElementById("solution");

async function look() {
  try {
    const answer = await fetch(`/api/books/${line.dataset.book}/solution`, { cache: "no-store" });
    if (answer.status >= 500 || answer.status === 429) throw new Error("the server is not well, or busy");
    if (!answer.ok) return;
    const found = await answer.json();
    if (line.textContent !== found.sentence) line.textContent = found.sentence;
    line.dataset.state = found.state;
    if (!["running", "waiting"].includes(found.state)) {
      document.getElementById("solved").textContent = found.sentence; // told once, at the end
      return;
    }
  } catch {
    // no connection, or no room just now: asked again as if nothing had been said
  }
  setTimeout(look, PAUSE);
}

setTimeout(look, PAUSE);
