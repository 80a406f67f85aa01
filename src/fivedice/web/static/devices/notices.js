// Turns notices on and off in this browser. The server gets an address of its push service, and two keys with which only
// this browser reads a notice.

import { ask, byId } from "../core/page.js";

const STATES = ["on", "off", "blocked", "failed", "none"];
const place = byId("notices");
const { key = "", root = "", known = "" } = place?.dataset ?? {};

/** @param {string} state */
function show(state) {
  for (const each of STATES) byId(`notices-state-${each}`)?.toggleAttribute("hidden", each !== state);
  byId("notices-on")?.toggleAttribute("hidden", !["off", "failed"].includes(state));
  byId("notices-off")?.toggleAttribute("hidden", state !== "on");
}

/** @param {string} path @param {PushSubscription} subscription */
async function send(path, subscription) {
  const { endpoint, keys } = subscription.toJSON();
  const body = new URLSearchParams({ endpoint: endpoint ?? "", ...keys });
  const answer = await ask(`${root}/devices/${path}`, { method: "POST", body });
  if (!answer.ok) throw new Error(String(answer.status));
}

/** @param {PushManager} manager */
async function turnOn(manager) {
  if ((await Notification.requestPermission()) !== "granted") return show("blocked");
  const known = await manager.getSubscription();
  const subscription = known ?? (await manager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  await send("notices", subscription);
  return show("on");
}

/** @param {PushManager} manager */
async function turnOff(manager) {
  const subscription = await manager.getSubscription();
  if (subscription) {
    await subscription.unsubscribe();
    await send("notices/end", subscription);
  }
  return show("off");
}

/** Whether the server has this subscription: after a change of the key it has not. @param {string} endpoint */
async function isKnown(endpoint) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
  return known.split(" ").includes([...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join(""));
}

async function begin() {
  const address = document.querySelector("meta[name=service-worker]")?.getAttribute("content");
  if (!address || !("serviceWorker" in navigator) || !("PushManager" in window)) return;
  const { pushManager } = await navigator.serviceWorker.register(address);
  await navigator.serviceWorker.ready;
  byId("notices-on")?.addEventListener("click", () => turnOn(pushManager).catch(() => show("failed")));
  byId("notices-off")?.addEventListener("click", () => turnOff(pushManager).catch(() => show("failed")));
  if (Notification.permission === "denied") return show("blocked");
  const subscription = await pushManager.getSubscription();
  return show(subscription && (await isKnown(subscription.endpoint)) ? "on" : "off");
}

begin().catch(() => show("none"));
