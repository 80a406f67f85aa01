// What the phone itself has to do: keep its screen on, and keep the page for a reload without a connection.

import { byId } from "../core/page.js";
import { say } from "../core/words.js";

/** @typedef {import("./pad.js").Pad} Pad */

/** @type {WakeLockSentinel | null} */
let lock = null;
/** @type {Promise<void> | null} */
let coming = null; // one that nobody knows of could not be released

/** @param {Pad} pad */
export async function stayAwake(pad) {
  const wants = pad.keeper && (pad.playing || pad.local);
  if (!wants && lock) await lock.release();
  if (wants && !lock && document.visibilityState === "visible") await (coming ??= request().finally(() => { coming = null; }));
  const line = byId("awake");
  if (!line) return;
  line.hidden = !wants;
  line.textContent = say(lock ? "screen-stays-on" : whyDark());
}

async function request() {
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => { lock = null; }); // also by the phone, when the page is out of sight
  } catch { lock = null; }
}

function whyDark() {
  if (!isSecureContext) return "screen-needs-https";
  return navigator.wakeLock ? "screen-refused" : "screen-unknown";
}

/** Missing over plain http, and in browsers that allow none. */
export function startWorker() {
  const workers = navigator.serviceWorker;
  const address = document.querySelector("meta[name=service-worker]")?.getAttribute("content");
  if (!workers || !address) return;
  workers.addEventListener("controllerchange", keepPage);
  workers.register(address).then(keepPage, () => {});
  workers.getRegistrations().then((all) => all.filter((each) => each.scope.endsWith("/t/")).forEach((old) => old.unregister()), () => {}); // it knew tables alone
}

/**
 * The page as it stands now is the one that a reload without a connection will show; one that is not ours any more is
 * forgotten.
 */
export function keepPage() {
  navigator.serviceWorker?.controller?.postMessage({ keep: location.pathname });
}
