// This phone and its server. What waits is sent one after the other; without an answer it is tried again, later each
// time, and at once when the connection comes back or something more is written. Links that need the server say so
// while it cannot be reached. And what the browser is asked for: a screen that stays on, and pages without a
// connection.

import { isOffline, pause, setOffline } from "../core/live.js";
import { announce, around, ask, byId, importWhole, isUnwell, say } from "../core/page.js";
import { accept, isTooEarly, listUnsent, move, nextToSend, plainOp, refuse, tryOut } from "./state.js";
import { change, changeAll, load } from "./store.js";

/** @import { Pad, Sheet } from "./state.js" */

const JSON_BODY = { "Content-Type": "application/json" };
/** @type {Set<string>} */
const unexplained = new Set(); // entries before which something is missing at the server, and nothing waits here

/**
 * Send in order, until nothing is left that could be sent. One that is refused stays, with the reason, and holds up
 * what needs it until it is replaced or discarded; the others go on.
 * @param {{ id: string, links: { commands: string } }} pad
 * @param {(sheet: Sheet, isKept: boolean) => void} [show] each step
 * @returns {Promise<boolean>} whether the server took or refused something, or lacks what the base has
 */
export async function flush({ id, links }, show = () => {}) {
  const early = new Set();
  let isNews = false;
  /** @param {(sheet: Sheet) => Sheet} step @param {import("./store.js").How} [how] */
  const changeIt = async (step, how) => {
    const { sheet, isKept } = await change(id, (before) => before && step(before), how);
    if (sheet) show(sheet, isKept);
    return sheet;
  };
  for (let sheet = await load(id); sheet;) {
    const found = nextToSend(sheet, early);
    if (!found) break;
    const { key } = found.op;
    sheet = await changeIt((before) => tryOut(before, key), { quiet: true });
    const sent = sheet?.queue.find((each) => each.op.key === key);
    if (!sheet || !sent) continue; // it was taken back meanwhile
    const isHeldUp = early.size > 0 || listUnsent(sheet).some((each) => each.refused);
    const body = JSON.stringify(plainOp(sheet, sent));
    const answer = await ask(links.commands, { method: "POST", headers: JSON_BODY, body });
    if (isUnwell(answer)) throw new Error("the server is not well, or busy");
    /** @type {{ version: number, table?: { seats: { name: string }[] }, error: string, message: string }} */
    const reply = await answer.json();
    isNews ||= answer.ok || !isTooEarly(reply.error, isHeldUp) || (!isHeldUp && !unexplained.has(key)); // asked once
    if (!isHeldUp) unexplained.add(key);
    if (answer.ok) {
      const names = reply.table?.seats.map(({ name }) => name);
      sheet = await changeIt((before) => accept(before, key, reply.version, names));
      early.clear(); // one of them may have waited for this
    } else if (isTooEarly(reply.error, isHeldUp)) {
      early.add(key);
      sheet = await load(id);
    } else sheet = await changeIt((before) => refuse(before, key, { code: reply.error, message: reply.message }));
  }
  return isNews;
}

/**
 * Open a sheet of this phone at the server, once: the key says that it is the same. Then what was written goes on
 * there, also what is written until its page has come.
 * @param {Sheet} sheet @param {Pad["links"]} links
 * @param {() => void} [refused] where this browser may open nothing there
 * @returns {Promise<Sheet | null>} the sheet of the table; null where the server takes none
 */
export async function sendLocal(sheet, links, refused = () => {}) {
  if (!links.open || !links.table || !sheet.setUp) return null;
  const { book, names, first, games, matchTotal } = sheet.setUp;
  const seats = names.map((name) => ({ name }));
  const opening = { key: sheet.id, book, seats, start: true, first, real_dice: true, games, match_total: matchTotal };
  const answer = await ask(links.open, { method: "POST", headers: JSON_BODY, body: JSON.stringify(opening) });
  if (isUnwell(answer)) throw new Error("the server is not well, or busy");
  if (answer.status === 403) refused();
  if (!answer.ok) return null;
  /** @type {{ id: string }} */
  const { id } = await answer.json();
  const { sheets: [, table], isKept } = await changeAll([sheet.id, id], (both) => move(both, id), { must: true });
  return isKept ? table : null;
}

/** Sends now and then, one sending at a time. */
export class Sender {
  isSending = false;
  failures = 0; // in a row
  #again = false; // something came meanwhile
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #send;

  /** @param {() => Promise<void>} send fails where there is no answer */
  constructor(send) { this.#send = send; }

  async send() {
    if (this.isSending) { this.#again = true; return; }
    clearTimeout(this.#timer);
    this.isSending = true;
    try {
      do {
        this.#again = false;
        await this.#send();
      } while (this.#again);
      this.failures = 0;
    } catch {
      this.failures += 1;
      const resend = () => { this.send(); };
      this.#timer = setTimeout(resend, pause(this.failures));
    } finally {
      this.isSending = false;
    }
  }
}

// --- links, forms and scripts that need the server ---

/** @returns {Promise<typeof import("./share.js")>} */
export const loadShare = () => importWhole(() => import("./share.js"), () => import(`./share.js?${Date.now()}`));

/** Say it where everybody sees it, and no longer than it takes to read. @param {string} [what] */
export function complain(what = "needs-connection") {
  const line = byId("toast");
  if (!line) return;
  line.textContent = say(what);
  line.hidden = false;
  announce(say(what));
  setTimeout(() => { line.hidden = true; }, 4000);
}

/** @param {string} address */
async function isKept(address) {
  if (!navigator.serviceWorker?.controller) return false;
  return Boolean(await caches.match(new URL(address).pathname, { ignoreSearch: true }));
}

/** @param {string} address */
async function isAnswered(address) {
  if (isOffline()) return false;
  try {
    const answer = await ask(address, { headers: {} });
    return !isUnwell(answer) && (await answer.text()) !== ""; // one that broke off in its headers has no text
  } catch { setOffline(true); return false; }
}

/** @param {HTMLAnchorElement} link */
async function follow(link) {
  if (await isKept(link.href) || await isAnswered(link.href)) location.assign(link.href);
  else complain();
}

/** A form that leads to another page. @param {HTMLFormElement} form */
async function sendForm(form) {
  try {
    const body = new URLSearchParams(/** @type {[string, string][]} */ ([...new FormData(form)]));
    const answer = await ask(form.action, { method: "POST", headers: {}, body });
    if (isUnwell(answer) || !(answer.redirected || await answer.text())) return complain(); // as above
    if (answer.redirected) location.assign(answer.url);
    else location.reload(); // refused: the page as it is now tells more
  } catch { setOffline(true); complain(); }
}

export function guardLinks() {
  document.addEventListener("click", (event) => {
    const link = around(event, "a[href]");
    if (
      !(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.ctrlKey || event.metaKey ||
      link.target || link.dataset.sheet !== undefined
    )
      return;
    const here =
      link.origin === location.origin && link.pathname === location.pathname && link.search === location.search;
    if (here || link.origin !== location.origin) return;
    event.preventDefault();
    follow(link);
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !(form instanceof HTMLFormElement) || form.dataset.here !== undefined) return;
    if (!isOffline() && form.dataset.leave === undefined) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (isOffline()) complain();
    else sendForm(form);
  }, { capture: true });
}

// --- what the browser is asked for ---

/** @type {WakeLockSentinel | null} */
let lock = null;
/** @type {Promise<void> | null} */
let coming = null; // a second lock could not be released

/** @param {Pad} pad */
export async function stayAwake(pad) {
  const wants = pad.keeper && (pad.playing || pad.local);
  if (!wants && lock) await lock.release();
  if (wants && !lock && document.visibilityState === "visible")
    await (coming ??= requestLock().finally(() => {
      coming = null;
    }));
  const line = byId("awake");
  if (!line) return;
  line.hidden = !wants;
  line.textContent = say(lock ? "screen-stays-on" : whyDark());
}

async function requestLock() {
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
  workers.register(address).catch(() => {});
  // A page that was on its way while the worker began is not among those that it took over.
  workers.ready.then(({ active }) => { if (!workers.controller) active?.postMessage("take over"); });
  const { href } = new URL("t/", new URL(address, location.href));
  workers.getRegistrations().then(
    (all) => all.filter((each) => each.scope === href).forEach((old) => old.unregister()),
    () => {},
  ); // it knew tables alone
}
