// The part of a page that changes, #table. Forms in it are posted in the background, what others do is told by the live
// stream and fetched, and a fresh part takes the place of the old one without disturbing whoever uses it.
// Without this file the page still works: forms post, and the answer is a page.
//
// What the part says about itself: data-here (its address), data-live (its stream), data-version, data-moment (the
// position of the game: the same while nobody has moved), data-title, data-announce, and data-edition where versions
// may begin anew, as the server has gone back to an older copy.

import { all, announce, around, ask, byId, isUnwell, one, parsed, say, showColumn, whenStill } from "./page.js";

const FIRST_PAUSE = 2000; // milliseconds until something that failed is tried again,
const LONGEST_PAUSE = 16000; // twice as long each time, up to this
const SLOW = 1000; // milliseconds after which one wants to know why nothing happens

/**
 * @typedef {object} Change
 * @property {HTMLElement} old
 * @property {HTMLElement} fresh
 * @property {boolean} news whether the version is higher
 * @property {boolean} moved whether the position of the game is another one
 */
/**
 * What a feature adds.
 * @typedef {object} Hooks
 * @property {(change: Change) => void} [shown] a fresh part is in its place
 * @property {(form: HTMLFormElement, submitter: HTMLElement | null) => void} [pressed] a form is on its way
 * @property {(form: HTMLFormElement, submitter: HTMLElement | null) => void} [sent] a form has been answered
 * @property {() => void} [failed] a form could not be sent
 * @property {(slow: boolean) => void} [slow] an answer lets one wait, or has come after all
 * @property {() => boolean} [busy] whether fetching has to wait
 * @property {(offline: boolean) => void} [connection] the connection came or went
 * @property {Record<string, (event: MessageEvent) => void>} [heard] further events of the stream, by their names
 */

/** @type {Hooks} */
let hooks = {};
let sending = false;
let newest = 0; // the highest version that the stream has spoken of
let failures = 0; // in a row
let timer = 0;
let looks = 0; // that were begun,
let latest = 0; // and the last of them that was answered
let missed = false; // whether something was heard while a form was on its way

export function part() {
  const found = byId("table");
  if (!found) throw new Error("this page has no part that changes");
  return found;
}

/** @param {HTMLElement} element */
const versionOf = (element) => Number(element.dataset.version);
export const isOffline = () => document.body.classList.contains("offline");

/**
 * How long to wait after so many failures: longer each time, and not all at once when many wait for the same server.
 * @param {number} times
 */
export const pause = (times) => Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (times - 1)) * (0.8 + 0.4 * Math.random());

// --- showing ---

/**
 * Put a fresh part in the place of the old one; false if there is none in the answer. An older one is left alone.
 * @param {string} html
 * @param {boolean} [unasked] whether nobody here asked for it: then a question that is open stays
 * @param {boolean} [isLate] whether a later look was answered before: then only a higher version is shown
 */
export function show(html, unasked = false, isLate = false) {
  const fresh = one("#table", HTMLElement, parsed(html));
  if (!fresh) return false;
  const old = part();
  const isOther = fresh.dataset.edition !== old.dataset.edition;
  if (isOther) newest = versionOf(fresh);
  const news = isOther || versionOf(fresh) > versionOf(old);
  if (!news && (isLate || versionOf(fresh) < versionOf(old))) return true;
  const moved = old.dataset.moment !== fresh.dataset.moment;
  const focused = document.activeElement?.id;
  keepState(old, fresh, moved, unasked);
  if (unasked && !moved) keepQuestion(old, fresh);
  const scrolled = one(".sheet-scroll", HTMLElement, old)?.scrollLeft;
  old.replaceWith(fresh);
  document.title = fresh.dataset.title ?? document.title;
  if (news) announce(fresh.dataset.announce);
  const change = { old, fresh, news, moved };
  hooks.shown?.(change);
  document.dispatchEvent(new CustomEvent("fivedice:shown", { detail: change }));
  const sheet = one(".sheet-scroll", HTMLElement, fresh);
  if (sheet && scrolled) sheet.scrollLeft = scrolled;
  if (news) showColumn();
  restoreFocus(focused);
  return true;
}

/**
 * Somebody else's doings must not undo the dice a player is just choosing, fold up what is open, or wipe out what is
 * just being typed.
 * @param {HTMLElement} old
 * @param {HTMLElement} fresh
 * @param {boolean} moved
 * @param {boolean} unasked
 */
function keepState(old, fresh, moved, unasked) {
  if (!moved) {
    one(".just-rolled", HTMLElement, fresh)?.classList.remove("just-rolled");
    for (const box of all("input[type=checkbox][id]", HTMLInputElement, old)) {
      const same = one(`#${box.id}`, HTMLInputElement, fresh);
      if (same) same.checked = box.checked;
    }
  }
  // The answer to something in the menu is not hidden below the menu.
  const answered = !unasked && all(".drawers > [id], .toast", HTMLElement, fresh).some(({ id }) => !one(`#${id}`, Element, old));
  for (const folded of all("details[id]", HTMLDetailsElement, old))
    one(`#${folded.id}`, HTMLDetailsElement, fresh)?.toggleAttribute(
      "open", folded.open && !(answered && folded.matches(".more")),
    );
  for (const field of all("input[data-keep]", HTMLInputElement, old)) {
    const same = one(`#${field.id}`, HTMLInputElement, fresh);
    if (same && (document.activeElement === field || field.dataset.keep === same.dataset.keep))
      same.value = field.value;
  }
}

/**
 * Somebody came or went while a question was open here.
 * @param {HTMLElement} old
 * @param {HTMLElement} fresh
 */
function keepQuestion(old, fresh) {
  const open = one(".drawers > .confirm", HTMLElement, old);
  if (open && !one(".confirm", HTMLElement, fresh)) one(".drawers", HTMLElement, fresh)?.append(open);
}

/**
 * A question comes first; else stay where the hand was; else go to the one obvious next action.
 * @param {string | undefined} id
 */
function restoreFocus(id) {
  const next =
    one("[data-focus=first]", HTMLElement) ?? byId(id) ?? (id ? one("[data-focus=next]", HTMLElement) : null);
  next?.focus({ preventScroll: !next.closest(".pad-play .confirm") });
}

// --- fetching and posting ---

/** @param {string} address @param {RequestInit} [options] @param {boolean} [unasked] @param {() => boolean} [isLate] */
export async function fetchPart(address, options, unasked = false, isLate = () => false) {
  const answer = await ask(address, options);
  if (answer.redirected) return location.assign(answer.url);
  const html = await answer.text();
  await whenStill();
  if (!show(html, unasked, isLate())) {
    if (isUnwell(answer) || !html) throw new Error("the server is not well, or busy, or the answer broke off");
    return location.reload();
  }
  setOffline(false);
}

/**
 * Fetch the part as it is now; where that fails, try again until it does not.
 * @param {boolean} [unasked]
 */
export async function look(unasked = false) {
  clearTimeout(timer);
  missed = false;
  const number = ++looks;
  const isLate = () => number < latest;
  try {
    await fetchPart(part().dataset.here ?? location.href, undefined, unasked, isLate);
    latest = Math.max(latest, number);
  } catch {
    if (isLate()) return; // a later one came through
    setOffline(true);
    failures += 1;
    clearTimeout(timer);
    timer = setTimeout(() => look(true), pause(failures));
  }
}

/**
 * Send a form as the browser would. It carries its version and its key, so that sent twice it counts once.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter
 */
async function send(form, submitter) {
  if (sending) return;
  sending = true;
  const slow = setTimeout(() => hooks.slow?.(true), SLOW);
  const fields = new FormData(form);
  if (submitter instanceof HTMLButtonElement && submitter.name) fields.append(submitter.name, submitter.value);
  // It has been used.
  if (form.contains(document.activeElement)) one("input[data-keep]:focus", HTMLInputElement)?.blur();
  try {
    const body = new URLSearchParams(/** @type {[string, string][]} */ ([...fields]));
    const coming = fetchPart(addressOf(form, submitter), { method: "POST", body });
    hooks.pressed?.(form, submitter); // while the answer is on its way
    await coming;
    hooks.sent?.(form, submitter);
  } catch {
    hooks.failed?.();
    announce(say("not-sent"));
    setOffline(true, say("not-sent"));
  } finally {
    clearTimeout(slow);
    hooks.slow?.(false);
    sending = false;
  }
  catchUp();
}

/** @param {HTMLFormElement} form @param {HTMLElement | null} submitter */
function addressOf(form, submitter) {
  return submitter instanceof HTMLButtonElement && submitter.hasAttribute("formaction")
    ? submitter.formAction
    : form.action;
}

/**
 * @param {boolean} offline
 * @param {string} [why] what the page says about it, where that is more than that there is no connection
 */
export function setOffline(offline, why) {
  if (!offline) failures = 0;
  const status = one(".status", HTMLElement);
  if (why && status) status.dataset.offline = why;
  if (offline === isOffline()) return;
  document.body.classList.toggle("offline", offline);
  hooks.connection?.(offline);
}

const catchUp = () => { if (!sending && (missed || (!hooks.busy?.() && newest > versionOf(part())))) look(true); };

function fetchNews() {
  missed = true;
  catchUp();
}

// --- the stream ---

/**
 * Listen to a stream. The browser opens one again that broke; one that was turned away, by a limit or by a proxy whose
 * server restarts, it gives up for good: that is asked for again here.
 * @param {() => string} address
 * @param {Record<string, (event: MessageEvent) => void>} heard
 */
export function listen(address, heard) {
  let again = 0;
  let refusals = 0;
  let stream = open();

  function open() {
    const fresh = new EventSource(address());
    for (const [name, hear] of Object.entries(heard)) fresh.addEventListener(name, /** @type {EventListener} */ (hear));
    fresh.addEventListener("open", () => { refusals = 0; });
    fresh.addEventListener("error", () => {
      if (fresh.readyState !== EventSource.CLOSED) return;
      refusals += 1;
      again = setTimeout(() => { stream = open(); }, pause(refusals));
    });
    return fresh;
  }

  addEventListener("pagehide", () => { clearTimeout(again); stream.close(); });
}

/**
 * Begin to live.
 * @param {Hooks} added
 */
export function start(added) {
  hooks = added;
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.closest("#table") || form.hasAttribute("data-leave")) return;
    event.preventDefault();
    if (event.submitter?.getAttribute("aria-disabled") !== "true") send(form, event.submitter);
  });
  document.addEventListener("click", (event) => {
    if (!around(event, "[data-cancel]")) return;
    event.preventDefault();
    look();
  });
  // A link is there to be copied.
  document.addEventListener("focusin", (event) => {
    const field = around(event, "#table input[readonly], #table textarea");
    if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.select();
  });
  // A page from the back button may be old.
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  showColumn();
  let broke = false;
  listen(() => `${part().dataset.live}?after=${versionOf(part())}`, {
    ...added.heard,
    open: (event) => {
      setOffline(false);
      added.heard?.open?.(event);
      if (broke) fetchNews(); // people may have come and gone meanwhile
      broke = false;
    },
    error: () => { broke = true; fetchNews(); }, // the stream may be cut where pages still come through
    people: fetchNews,
    version: (event) => { newest = Math.max(newest, Number(event.data)); catchUp(); },
  });
}
