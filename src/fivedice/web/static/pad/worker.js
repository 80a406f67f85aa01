// Lets the scorekeeper reload the score pad without a connection. It answers only where the network does not,
// keeps only the pages that the server marks as the keeper's, and touches nothing else. VERSION and FILES are put in
// front of this text by the server.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const CACHE = `fivedice-pad-${VERSION}`;
const MOST_PADS = 8;
/** @param {string} path */
const isTable = (path) => /^\/t\/[^/]+$/.test(path);

async function install() {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES);
  await worker.skipWaiting();
}

async function activate() {
  for (const name of await caches.keys()) {
    if (name.startsWith("fivedice-pad-") && name !== CACHE) await caches.delete(name);
  }
  await worker.clients.claim();
}

/** @param {string} path */
async function keep(path) {
  const cache = await caches.open(CACHE);
  const answer = await fetch(path, { credentials: "same-origin", cache: "no-store" });
  if (answer.ok && answer.headers.get("fivedice-pad") === "keeper") await cache.put(path, answer);
  else await cache.delete(path);
  const pads = (await cache.keys()).filter((request) => isTable(new URL(request.url).pathname));
  for (const old of pads.slice(0, -MOST_PADS)) await cache.delete(old);
}

/**
 * @param {Request} request
 * @param {string} path
 */
async function networkFirst(request, path) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await (await caches.open(CACHE)).match(path);
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
  if (FILES.includes(pathname) || (request.mode === "navigate" && isTable(pathname))) event.respondWith(networkFirst(request, pathname));
});
