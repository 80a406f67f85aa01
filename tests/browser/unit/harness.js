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
export const settled = () => new Promise((done) => { setTimeout(done, 20); });

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

/** Timers that wait for nobody: they are kept, and run when the test says so. */
export function heldTimers() {
  /** @type {{ run: () => void, after: number }[]} */
  const timers = [];
  Object.assign(globalThis, { setTimeout: (/** @type {() => void} */ run, /** @type {number} */ after) => timers.push({ run, after }) });
  return timers;
}
