// Lets the score pad be opened without a connection: its pages, the rules of every book, and an empty frame for the
// sheets that the phone keeps (store.js), and shows notices. It answers only where the network does not, and keeps no page with a sheet
// on it. VERSION, FILES, PAGES and OFFLINE are put in front of this text by the server; they are relative to it, as
// other sites may share this origin and its caches.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
/** @param {string} address */
const pathOf = (address) => new URL(address, location.href).pathname;
const HOME = pathOf("./");
const OWN = `fivedice-pad-${HOME}-`;
const CACHE = `${OWN}${VERSION}`;
const LOADED = new Set(FILES.map(pathOf));
const READ = new Set(PAGES.map(pathOf));
// House rules that were used: they outlive a new version.
const KEPT = HOME === "/" ? "fivedice-pads" : `fivedice-pads-${HOME}`;
const MOST_KEPT = 24;
const FRAME = pathOf("pad/sheet");
const PATIENCE = 8000; // milliseconds: a phone in a dead spot may never hear that its request is lost
/** The path from this site on; "" elsewhere. @param {string} path */
const below = (path) => (path.startsWith(HOME) ? path.slice(HOME.length) : "");
/** @param {string} path */
const isTable = (path) => /^t\/[^/]+$/.test(below(path));
/** @param {string} path */
const isUsed = (path) => !LOADED.has(path) && /^(pad\/rules|house|rules)\/[^/]+$/.test(below(path));

/**
 * Fetch all of an answer: one that broke off in its headers counts as empty, and would be kept so.
 * @param {Request | string} request @param {RequestInit} [options]
 */
async function fetchWhole(request, options) {
  const answer = await fetch(request, options);
  const { byteLength } = await answer.clone().arrayBuffer();
  if (answer.ok && !byteLength) throw new Error("the answer broke off");
  return answer;
}

async function install() {
  const cache = await caches.open(CACHE);
  const add = async (/** @type {string} */ path) => {
    const answer = await fetchWhole(path);
    if (!answer.ok) throw new Error("the server has no file");
    await cache.put(path, answer);
  };
  await Promise.all([...FILES, OFFLINE].map(add));
  await Promise.all(PAGES.map((page) => add(page).catch(() => {}))); // one that fails now is kept when it is used
  await worker.skipWaiting();
}

async function activate() {
  for (const name of await caches.keys()) {
    if (name.startsWith(OWN) && name !== CACHE) await caches.delete(name);
  }
  await worker.clients.claim();
}

/** @param {string} name @param {string} path @param {Response} answer */
async function put(name, path, answer) {
  const cache = await caches.open(name);
  await cache.delete(path);
  await cache.put(path, answer);
  if (name !== KEPT) return;
  for (const old of (await cache.keys()).slice(0, -MOST_KEPT)) await cache.delete(old);
}

/** Whether the phone keeps a sheet. @param {string} id @returns {Promise<boolean>} */
function isKept(id) {
  return new Promise((done) => {
    const request = indexedDB.open("fivedice-pad");
    request.onupgradeneeded = () => request.transaction?.abort(); // there is none, and none is made here
    request.onerror = () => done(false);
    request.onsuccess = () => {
      const found = request.result.transaction("sheets").objectStore("sheets").get(id);
      found.onsuccess = () => { request.result.close(); done(Boolean(found.result?.base ?? found.result?.setUp)); };
      found.onerror = () => { request.result.close(); done(false); };
    };
  });
}

/**
 * A sheet that is kept here opens in the frame where the server does not answer, is not well, or breaks off amid the
 * page.
 * @param {Request} request @param {string} path @param {FetchEvent} event
 */
async function openTable(request, path, event) {
  if (!(await isKept(below(path).slice("t/".length)).catch(() => false))) return networkFirst(request, path, event);
  event.waitUntil(caches.open(KEPT).then((cache) => cache.delete(path))); // by an older version of this worker
  try {
    const answer = await fetchWhole(request, { signal: AbortSignal.timeout(PATIENCE) });
    if (answer.status < 500 && answer.status !== 429) return answer;
  } catch { /* as above */ }
  return await caches.match(FRAME) ?? networkFirst(request, path, event);
}

/** @param {Request} request @param {string} path @param {FetchEvent} event */
async function networkFirst(request, path, event) {
  try {
    const name = READ.has(path) ? CACHE : isUsed(path) ? KEPT : "";
    const answer = await (name || LOADED.has(path) ? fetchWhole : fetch)(request);
    if (name && answer.ok && !answer.redirected) event.waitUntil(put(name, path, answer.clone()).catch(() => {}));
    return answer;
  } catch (error) {
    const kept =
      (await caches.match(path, { ignoreSearch: true })) ??
      (request.mode === "navigate" ? await caches.match(pathOf(OFFLINE)) : undefined);
    if (kept) return kept;
    throw error;
  }
}

/**
 * Show a notice, unless its game is in sight.
 * @param {{ title: string, body: string, path: string, count: number }} notice
 */
async function showNotice({ title, body, path, count }) {
  const pages = await worker.clients.matchAll({ type: "window" });
  if (pages.some((page) => page.visibilityState === "visible" && new URL(page.url).pathname === path)) return;
  const { navigator: badge } = worker;
  if ("setAppBadge" in badge) await badge.setAppBadge(count).catch(() => {});
  await worker.registration.showNotification(title, { body, tag: path, data: path });
}

/** @param {string} path */
async function openNotice(path) {
  const pages = await worker.clients.matchAll({ type: "window" });
  const open = pages.find((page) => new URL(page.url).pathname === path);
  await (open ? open.focus() : worker.clients.openWindow(new URL(path, location.origin).href));
}

worker.addEventListener("push", (event) => { if (event.data) event.waitUntil(showNotice(event.data.json())); });
worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openNotice(String(event.notification.data)));
});
worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("message", (event) => event.waitUntil(worker.clients.claim())); // a page asks to be taken over
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate" && isTable(pathname)) event.respondWith(openTable(request, pathname, event));
  else if (LOADED.has(pathname) || isUsed(pathname) || request.mode === "navigate")
    event.respondWith(networkFirst(request, pathname, event));
});
