import { stayAwake } from "/static/pad/sending.js";
import { arrive, equal, test } from "./harness.js";

test("a screen that is asked twice to stay on is asked once, and can be let go", async () => {
  /** @type {EventTarget[]} */
  const held = [];
  /** @type {(() => void)[]} */
  const grants = [];
  const request = () => new Promise((done) => {
    const lock = Object.assign(new EventTarget(), { release: async () => { held.splice(held.indexOf(lock), 1); lock.dispatchEvent(new Event("release")); } });
    grants.push(() => { held.push(lock); done(lock); });
  });
  Object.defineProperty(navigator, "wakeLock", { value: { request } });
  const pad = /** @type {any} */ ({ keeper: true, playing: true });
  stayAwake(pad);
  stayAwake(pad);
  for (const grant of grants) grant();
  await arrive();
  equal(held.length, 1);
  await stayAwake({ ...pad, playing: false });
  equal(held.length, 0);
});
