// The receipt of a dice lock, kept in this browser from the first look at a table on: whoever changes the lock later
// would have to change what lies here. Where the dice are checked, compare.js holds it against the record.

import { ask, one } from "../core/page.js";

const STORE = "fivedice:receipts";
const MOST = 100; // games; the oldest receipt makes room

/** @returns {Record<string, string>} */
export function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(STORE) ?? "{}");
    return typeof found === "object" && found ? found : {};
  } catch {
    return {}; // a browser that keeps nothing
  }
}

/**
 * @param {string} table
 * @param {string} receipt
 */
function put(table, receipt) {
  const entries = Object.entries({ ...kept(), [table]: receipt }).slice(-MOST);
  try { localStorage.setItem(STORE, JSON.stringify(Object.fromEntries(entries))); } catch { /* as above */ }
}

let asked = "";

/** Fetch the receipt of this table, once: what is kept never changes. */
export async function keep() {
  const link = one("a[data-receipt]", HTMLAnchorElement);
  const table = link?.dataset.receipt ?? "";
  if (!link || table === asked || kept()[table]) return;
  asked = table;
  const text = await ask(link.href).then((answer) => (answer.ok ? answer.text() : "")).catch(() => "");
  if (text) put(table, text);
  else asked = ""; // no connection: the next look tries again
}

keep();
