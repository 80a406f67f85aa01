// The least that a test of a module needs. Each test runs on a page of its own: see test_unit.py.

/** @type {Map<string, () => void | Promise<void>>} */
const tests = new Map();

/**
 * @param {string} name
 * @param {() => void | Promise<void>} run
 */
export const test = (name, run) => { tests.set(name, run); };

/**
 * What went wrong, or nothing.
 * @param {string} name
 */
export async function result(name) {
  try {
    const found = tests.get(name);
    if (!found) throw new Error(`no test is named ${name}`);
    await found();
    return "";
  } catch (error) {
    return String(error instanceof Error ? error.stack : error);
  }
}

/**
 * @param {unknown} found
 * @param {unknown} wanted
 */
export function equal(found, wanted) {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) throw new Error(`${JSON.stringify(found)} is not ${JSON.stringify(wanted)}`);
}

/** Let everything happen that only waits for its turn. */
export const settled = () => new Promise((done) => {
  setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 20); // what is announced comes with a frame
});

/**
 * Answer fetches from a list, and keep what was asked for; an Error is a connection that broke.
 * @param {(string | Error | { status: number, body: string })[]} answers
 */
export function answering(...answers) {
  /** @type {{ address: string, body: string }[]} */
  const asked = [];
  globalThis.fetch = async (address, options) => {
    asked.push({ address: String(address), body: String(options?.body ?? "") });
    const answer = answers.shift() ?? new Error("nobody there");
    if (answer instanceof Error) throw answer;
    return typeof answer === "string" ? new Response(answer) : new Response(answer.body, { status: answer.status });
  };
  return asked;
}

/** An answer that breaks off after its head. */
export const brokenOff = () => new Response(new ReadableStream({ start: (body) => body.error(new TypeError("connection lost")) }));

/** Timers that wait for nobody: they are kept, and run when the test says so. */
export function heldTimers() {
  /** @type {{ run: () => void, after: number }[]} */
  const timers = [];
  Object.assign(globalThis, { setTimeout: (/** @type {() => void} */ run, /** @type {number} */ after) => timers.push({ run, after }) });
  return timers;
}

const later = globalThis.setTimeout;

/** Let every answer arrive that is on its way; no clock is needed for that. */
export async function arrive() {
  for (let turns = 0; turns < 8; turns += 1) {
    await new Promise((done) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = done; port2.postMessage(0); });
  }
}

/** A clock that stands still until the test moves it, for timers and for requests that are given up. */
export function heldClock() {
  let now = 0;
  let count = 0;
  /** @type {Map<number, { run: () => void, due: number }>} */
  const timers = new Map();
  /** @type {(run: () => void, after?: number) => number} */
  const start = (run, after = 0) => { timers.set(++count, { run, due: now + after }); return count; };
  const timeout = (/** @type {number} */ after) => {
    const giving = new AbortController();
    start(() => giving.abort(new DOMException("too late", "TimeoutError")), after);
    return giving.signal;
  };
  Object.assign(globalThis, { setTimeout: start, clearTimeout: (/** @type {number} */ id) => timers.delete(id) });
  Object.assign(AbortSignal, { timeout });
  return {
    timers,
    /** @param {number} milliseconds */
    async pass(milliseconds) {
      const end = now + milliseconds;
      for (;;) {
        await arrive();
        const [id, next] = [...timers].sort(([, one], [, other]) => one.due - other.due)[0] ?? [0, { run: () => {}, due: Infinity }];
        if (next.due > end) break;
        timers.delete(id);
        now = next.due;
        next.run();
      }
      now = end;
    },
    restore: () => Object.assign(globalThis, { setTimeout: later }),
  };
}

/** A server that answers when, and in which order, the test says so. */
export function heldFetch() {
  /** @type {{ address: string, body: string, answer: (text: string, status?: number) => Promise<void>, lose: () => Promise<void> }[]} */
  const asked = [];
  globalThis.fetch = (address, options) => new Promise((done, failed) => {
    options?.signal?.addEventListener("abort", () => failed(options.signal?.reason));
    asked.push({
      address: String(address), body: String(options?.body ?? ""),
      answer: (text, status = 200) => { done(new Response(text, { status })); return arrive(); },
      lose: () => { failed(new TypeError("connection lost")); return arrive(); },
    });
  });
  return asked;
}
