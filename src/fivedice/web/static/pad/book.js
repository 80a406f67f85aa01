// The rules of a sheet: from this phone, or from where its page says. They never change.

import { keep, kept } from "./queue.js";

/** @typedef {import("./judge.js").Words & { link: string, rules: import("./judge.js").Table, coach: import("./coach_panel.js").Question["links"] }} Told */

/**
 * @param {string} sheet
 * @param {string} link
 * @returns {Promise<Told>}
 */
export async function rulesOf(sheet, link) {
  const found = kept(sheet, "rules", /** @type {Told | null} */ (null));
  if (found && found.link === link) return found;
  const answer = await fetch(link, { credentials: "same-origin" });
  if (!answer.ok) throw new Error("no rules");
  const told = { link, ...(await answer.json()) };
  keep(sheet, "rules", told);
  return told;
}
