// People who come back find a page here without a connection too: the service worker of the score pad has one.

const address = document.querySelector("meta[name=service-worker]")?.getAttribute("content");
if (address) addEventListener("load", () => { navigator.serviceWorker?.register(address).catch(() => {}); });
import("../devices/turns.js").catch(() => {});
