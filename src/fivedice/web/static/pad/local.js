// A sheet that lives on this phone: its base, and its way to a server that has come back.

import { ask } from "../core/page.js";
import { find, list, moved } from "./sheets.js";

/** @typedef {import("./pad.js").Pad} Pad */
/** @typedef {import("./sheets.js").Local} Local */

const MOST_SEATS = 12; // of a server, which is to take the sheet one day
/** @type {Local} */
const NONE = { id: "none", opened: "", setUp: { rules: "", page: "", book: "", label: "", names: [""], first: 0, games: 1, matchTotal: false, mode: "quick" } };

/** The sheet that the address names, or the newest. */
const chosen = () => find(location.hash.slice(1)) ?? list()[0] ?? NONE;

/**
 * An empty sheet, as it was set up. Where things are, the shell says.
 * @param {HTMLElement} shell
 * @returns {Pad}
 */
export function baseOf(shell) {
  const sheet = chosen();
  const { names, first, games, matchTotal, mode, rules, page } = sheet.setUp;
  /** @type {Pad["links"]} */
  const links = JSON.parse(shell.dataset.links ?? "{}");
  return {
    id: sheet.id, version: 0, keeper: true, local: true, mode, most: MOST_SEATS, coach: true, names, first, games, matchTotal, out: [], played: [{ first, turns: [] }],
    links: { ...links, rules: rules || null, book: page },
  };
}

/**
 * Open it at the server, once: the key says that it is the same. Then what was written goes on there, also what is written
 * until its page has come.
 * @param {Pad} pad
 * @returns {Promise<string>} the name of its queue from now on
 */
export async function sendLocal({ id, links }) {
  const sheet = find(id);
  if (!links.open || !links.table || !sheet) return id;
  const { book, names, first, games, matchTotal } = sheet.setUp;
  const seats = names.map((name) => ({ name }));
  const body = JSON.stringify({ key: id, book, seats, start: true, first, real_dice: true, games, match_total: matchTotal });
  const answer = await ask(links.open, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  if (!answer.ok) return id;
  /** @type {{ id: string }} */
  const table = await answer.json();
  if (!moved(id, table.id)) return id;
  location.replace(`${links.table}${table.id}`);
  return table.id;
}
