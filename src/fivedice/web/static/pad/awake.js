// What the phone itself has to do: keep its screen on, and keep the page for a reload without a connection.

import { byId } from "../core/page.js";

let lock = null;

export async function stayAwake(pad) {
  const wants = pad.keeper && pad.playing;
  if (!wants && lock) await lock.release();
  if (wants && !lock && document.visibilityState === "visible") await request();
  const line = byId("awake");
  line.hidden = !wants;
  line.textContent = lock ? "The screen stays on while the game runs." : why();
}

async function request() {
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => { lock = null; }); // also by the phone, when the page is out of sight
  } catch { lock = null; }
}

function why() {
  if (!isSecureContext) return "The screen may go dark: over plain http a page cannot keep it on. Set a longer time-out on the phone, or use https.";
  if (!navigator.wakeLock) return "The screen may go dark: this browser cannot keep it on.";
  return "The screen may go dark: the phone did not allow to keep it on, perhaps to save power.";
}

export function startWorker(pad) {
  const workers = navigator.serviceWorker; // missing over plain http
  if (!workers || !pad.keeper) return;
  workers.addEventListener("controllerchange", keepPage);
  workers.register("/sw.js", { scope: "/t/" }).then(keepPage, () => {});
}

// The page as it stands now is the one that a reload without a connection will show; one that is not ours any more
// is forgotten.
export function keepPage() {
  navigator.serviceWorker?.controller?.postMessage({ keep: location.pathname });
}
