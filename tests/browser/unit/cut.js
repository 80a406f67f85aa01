// An answer that breaks off in its headers counts as empty, with the status 200. Nothing takes it for a whole one.

import { say } from "/static/core/page.js";
import { change } from "/static/pad/store.js";
import { blank } from "/static/pad/state.js";
import { answering, arrive, brokenOff, equal, test } from "./harness.js";
import { padOf } from "./tiny.js";

/** @param {string} id */
const text = (id) => document.getElementById(id)?.textContent;

/** Follow a way to another page. @param {string} way */
async function leave(way) {
  const { guardLinks } = await import("/static/pad/sending.js");
  guardLinks();
  for (const answer of [new Response(""), brokenOff()]) {
    document.body.className = "";
    document.body.innerHTML = '<p id="toast" hidden></p><form data-leave method="post" action="/again"><input name="as" value="typed"><button>Go</button></form><a href="/rules">Rules</a>';
    globalThis.fetch = async () => answer;
    /** @type {HTMLElement | null} */ (document.querySelector(way))?.click();
    await arrive();
    equal([text("toast"), document.querySelector("input")?.value], [say("needs-connection"), "typed"]);
  }
}

test("a form that leads to another page stays on this one where its answer breaks off", () => leave("button"));
test("a link that breaks off stays on this page", () => leave("a"));

// --- the service worker ---

const [VERSION, FILES, PAGES, OFFLINE] = ["v1", ["/file.js"], ["/page"], "/offline"];

/** The worker, as the browser would run it. */
async function startWorker() {
  const code = await (await fetch("/static/pad/worker.js")).text();
  for (const name of await caches.keys()) await caches.delete(name);
  /** @type {Record<string, (event: any) => void>} */
  const heard = {};
  const self = { addEventListener: (/** @type {string} */ name, /** @type {() => void} */ hear) => { heard[name] = hear; }, skipWaiting: () => {} };
  /** @type {Record<string, Response>} */
  const answers = {};
  const get = async (/** @type {Request | string} */ asked) => answers[new URL(typeof asked === "string" ? asked : asked.url, location.href).pathname]?.clone() ?? Promise.reject(new TypeError("gone"));
  new Function("self", "fetch", "VERSION", "FILES", "PAGES", "OFFLINE", code)(self, get, VERSION, FILES, PAGES, OFFLINE);
  /** @param {string} name @param {object} [more] */
  const happen = async (name, more = {}) => {
    /** @type {Promise<any>[]} */
    const waits = [];
    const wait = (/** @type {Promise<any>} */ each) => { waits.push(each); };
    heard[name]({ waitUntil: wait, respondWith: wait, ...more });
    const [first] = waits.splice(0, 1);
    const found = await first.catch((error) => String(error));
    await Promise.all(waits);
    return found instanceof Response ? found.text() : found;
  };
  const open = (/** @type {string} */ path) => happen("fetch", { request: { url: new URL(path, location.href).href, method: "GET", mode: "navigate" } });
  return { answers, install: () => happen("install"), open };
}

test("a file that breaks off is not kept: the worker is installed another time", async () => {
  const { answers, install } = await startWorker();
  Object.assign(answers, { "/file.js": new Response(""), "/page": new Response("page"), "/offline": new Response("offline") });
  equal(await install(), "Error: the answer broke off");
  answers["/file.js"] = new Response("no", { status: 503 });
  equal(await install(), "Error: the server has no file");
  answers["/file.js"] = new Response("file");
  equal(await install(), undefined);
});

test("a page that breaks off leaves the one that is kept, and that one is shown", async () => {
  const { answers, install, open } = await startWorker();
  Object.assign(answers, { "/file.js": new Response("file"), "/page": new Response("page"), "/offline": new Response("offline") });
  await install();
  for (const answer of [new Response(""), brokenOff()]) {
    answers["/page"] = answer;
    equal([await open("/page"), await (await caches.match("/page"))?.text()], ["page", "page"]);
  }
});

test("a sheet that breaks off opens in the frame that is kept", async () => {
  const { answers, open } = await startWorker();
  await change("x", () => ({ ...blank("x"), base: padOf() }));
  await (await caches.open("frame")).put("/pad/sheet", new Response("frame"));
  for (const answer of [new Response(""), brokenOff()]) {
    answers["/t/x"] = answer;
    equal(await open("/t/x"), "frame");
  }
});

// --- other pages ---

test("the preview of house rules stays where an answer breaks off, or is overtaken while it arrives", async () => {
  document.body.innerHTML = '<form id="build" action="/preview"></form><button id="show-preview"></button><div id="preview">before</div>';
  await import("/static/house_rules/house_form.js");
  const look = async () => { document.getElementById("show-preview")?.click(); await arrive(); };
  answering("");
  await look();
  equal(text("preview"), "before");
  /** @type {ReadableStreamDefaultController | undefined} */
  let body;
  globalThis.fetch = async () => new Response(new ReadableStream({ start: (each) => { body = each; } }));
  await look();
  answering("new");
  await look();
  body?.enqueue(new TextEncoder().encode("old"));
  body?.close();
  await arrive();
  equal(text("preview"), "new");
});

test("a sheet whose set-up breaks off is not asked for twice by the next press", async () => {
  document.body.innerHTML = '<main id="main"><form id="pad-setup" action="/pad"><input name="book" type="radio"><button>Start</button></form></main>';
  await import("/static/pad/set_up.js");
  const asked = answering("", "");
  for (const count of [1, 2]) {
    document.querySelector("button")?.click();
    await arrive();
    equal(asked.length, count);
  }
});
