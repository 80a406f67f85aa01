// Lets the score pad be opened without a connection: its pages, the rules of every book, and the sheets of the
// scorekeeper. It answers only where the network does not, and keeps only pages that the server marks as the keeper's.
// VERSION, FILES, PAGES and OFFLINE are put in front of this text by whoever serves it; they are relative to it, as other
// sites may lie beside this one and share its caches.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
/** @param {string} address */
const pathOf = (address) => new URL(address, location.href).pathname;
const OWN = `fivedice-pad-${pathOf("./")}-`;
const CACHE = `${OWN}${VERSION}`;
const LOADED = new Set(FILES.map(pathOf));
const READ = new Set(PAGES.map(pathOf));
const KEPT = "fivedice-pads"; // sheets and house rules that were used: they outlive a new version
const MOST_KEPT = 24;
/** @param {string} path */
const isTable = (path) => /^\/t\/[^/]+$/.test(path);
/** @param {string} path */
const isUsed = (path) => /^\/(pad\/rules|house|rules)\/[^/]+$/.test(path);

async function install() {
  const cache = await caches.open(CACHE);
  await cache.addAll([...FILES, OFFLINE]);
  await Promise.all(PAGES.map((page) => cache.add(page).catch(() => {}))); // one that fails now is kept when it is used
  await worker.skipWaiting();
}

async function activate() {
  for (const name of await caches.keys()) {
    if (name.startsWith(OWN) && name !== CACHE) await caches.delete(name);
  }
  await worker.clients.claim();
}

/**
 * @param {string} name
 * @param {string} path
 * @param {Response} answer
 */
async function put(name, path, answer) {
  const cache = await caches.open(name);
  await cache.delete(path);
  await cache.put(path, answer);
  if (name !== KEPT) return;
  for (const old of (await cache.keys()).slice(0, -MOST_KEPT)) await cache.delete(old);
}

/** @param {string} path */
async function keep(path) {
  const answer = await fetch(path, { credentials: "same-origin", cache: "no-store" });
  if (answer.ok && answer.headers.get("fivedice-pad") === "keeper") await put(KEPT, path, answer);
  else await (await caches.open(KEPT)).delete(path);
}

/**
 * @param {Request} request
 * @param {string} path
 * @param {FetchEvent} event
 */
async function networkFirst(request, path, event) {
  try {
    const answer = await fetch(request);
    const name = READ.has(path) ? CACHE : isUsed(path) ? KEPT : "";
    if (name && answer.ok && !answer.redirected) event.waitUntil(put(name, path, answer.clone()).catch(() => {}));
    return answer;
  } catch (error) {
    const kept = await caches.match(path, { ignoreSearch: true }) ?? (request.mode === "navigate" ? await caches.match(pathOf(OFFLINE)) : undefined);
    if (kept) return kept;
    throw error;
  }
}

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("message", (event) => {
  if (isTable(event.data.keep)) event.waitUntil(keep(event.data.keep).catch(() => {}));
});
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (LOADED.has(pathname) || isUsed(pathname) || request.mode === "navigate") event.respondWith(networkFirst(request, pathname, event));
});
