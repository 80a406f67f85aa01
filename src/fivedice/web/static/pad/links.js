// Links and forms that need the server, while it cannot be reached: they say so instead of opening the browser's error page.

import { isOffline, setOffline } from "../core/live.js";
import { announce, around, ask, byId, isUnwell } from "../core/page.js";
import { say } from "../core/words.js";

/** Say it where everybody sees it, and no longer than it takes to read. */
function complain() {
  const line = byId("toast");
  if (!line) return;
  line.textContent = say("needs-connection");
  line.hidden = false;
  announce(say("needs-connection"));
  setTimeout(() => { line.hidden = true; }, 4000);
}

/** @param {string} address */
async function isKept(address) {
  if (!navigator.serviceWorker?.controller) return false;
  return Boolean(await caches.match(new URL(address).pathname, { ignoreSearch: true }));
}

/** @param {string} address */
async function answers(address) {
  if (isOffline()) return false;
  try { return (await ask(address, { headers: {} })).status < 500; } catch { setOffline(true); return false; }
}

/** @param {HTMLAnchorElement} link */
async function follow(link) {
  if (await isKept(link.href) || await answers(link.href)) location.assign(link.href);
  else complain();
}

/** A form that leads to another page. @param {HTMLFormElement} form */
async function leave(form) {
  try {
    const body = new URLSearchParams(/** @type {[string, string][]} */ ([...new FormData(form)]));
    const answer = await ask(form.action, { method: "POST", headers: {}, body });
    if (isUnwell(answer)) return complain();
    if (answer.redirected) location.assign(answer.url);
    else location.reload(); // refused: the page as it is now tells more
  } catch { setOffline(true); complain(); }
}

export function guardLinks() {
  document.addEventListener("click", (event) => {
    const link = around(event, "a[href]");
    if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.ctrlKey || event.metaKey || link.target || link.dataset.sheet !== undefined) return;
    const here = link.origin === location.origin && link.pathname === location.pathname && link.search === location.search;
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
    else leave(form);
  }, { capture: true });
}
