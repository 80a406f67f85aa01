// Where the dice of a game are checked: the receipt that this browser kept is held against the record.

import { all, byId, one } from "../core/page.js";
import { kept } from "./receipt.js";

/** @param {string} receipt */
function lockOf(receipt) {
  try { return String(JSON.parse(receipt).lock); } catch { return ""; }
}

/** Say whether the receipt kept here is for the lock of this record, and offer it to be checked too. */
function compare() {
  const said = one("[data-kept]", HTMLElement);
  if (!said) return;
  const receipt = kept()[said.dataset.kept ?? ""];
  const found = !receipt ? "none" : lockOf(receipt) === said.dataset.lock ? "same" : "other";
  for (const each of all("[data-if]", HTMLElement, said)) each.hidden = each.dataset.if !== found;
  said.hidden = false;
  said.classList.toggle("notice", found === "other");
  const field = byId("receipt");
  if (receipt && field instanceof HTMLTextAreaElement && !field.value) field.value = receipt;
}

compare();
