// The form for house rules: fields that a choice makes useless fold away, and the preview follows what is filled in.
// Without this file every field is shown, and a button previews.

import { all, around, ask, byId, one, parsed } from "../core/page.js";

const PAUSE = 400; // milliseconds after the last change

const form = one("#build", HTMLFormElement);
const preview = byId("preview");
const gist = byId("gist");

let changes = 0; // since the page was opened: an answer to an earlier one is not shown
let waiting = 0;

/**
 * With another pattern come all fields that any pattern has: in every box from the start they would be half of the
 * page.
 */
function bring() {
  const fields = byId("needs-more")?.innerHTML;
  for (const place of all("[data-pattern]", HTMLElement)) {
    const prefix = place.dataset.needs ?? "";
    const chosen = byId(`${prefix}pattern`);
    if (!fields || !(chosen instanceof HTMLSelectElement) || chosen.value === place.dataset.pattern) continue;
    const dice = one("input", HTMLInputElement, place)?.value ?? "";
    place.replaceWith(parsed(fields.replaceAll("@", prefix)));
    const field = byId(`${prefix}dice`);
    if (field instanceof HTMLInputElement) field.value = dice;
  }
}

function hint() {
  const hints = new Map(all("#hints li", HTMLElement).map((line) => [line.dataset.of, line.textContent]));
  for (const place of all("[data-hint]", HTMLElement)) {
    const chosen = byId(place.dataset.hint);
    if (chosen instanceof HTMLSelectElement) place.replaceChildren(hints.get(chosen.value) ?? "");
  }
}

/** Show what the choices of other fields ask for. */
function unfold() {
  bring();
  hint();
  for (const part of all("[data-for]", HTMLElement)) {
    const needs = part.closest("[data-needs]");
    const field = byId(needs instanceof HTMLElement ? `${needs.dataset.needs}pattern` : part.dataset.when);
    const wanted = field instanceof HTMLSelectElement && part.dataset.for?.split(" ").includes(field.value);
    part.toggleAttribute("data-other", !wanted);
  }
}

/**
 * A field and what is wrong with it, until the next answer.
 * @param {HTMLAnchorElement} link
 */
function blame(link) {
  const name = link.dataset.field ?? "";
  const field = byId(name);
  if (!field || byId(`wrong-${name}`)) return;
  const sentence = document.createElement("span");
  sentence.className = "wrong";
  sentence.id = `wrong-${name}`;
  sentence.textContent = link.lastElementChild?.textContent ?? "";
  if (field instanceof HTMLFieldSetElement) field.prepend(sentence);
  else field.parentElement?.append(sentence);
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", sentence.id);
}

function pardon() {
  for (const sentence of all(".wrong", HTMLElement)) {
    const field = one(`[aria-describedby="${sentence.id}"]`, HTMLElement);
    field?.removeAttribute("aria-invalid");
    field?.removeAttribute("aria-describedby");
    sentence.remove();
  }
}

/** @param {string} html */
function show(html) {
  const open = one("#preview details", HTMLDetailsElement)?.open ?? false;
  preview?.replaceChildren(parsed(html));
  one("#preview details", HTMLDetailsElement)?.toggleAttribute("open", open);
  pardon();
  all("#preview [data-field]", HTMLAnchorElement).forEach(blame);
  for (const rule of all("#preview [data-rule]", HTMLElement)) {
    one(`[data-rule-of="${rule.dataset.rule}"]`, HTMLElement)?.replaceChildren(rule.textContent ?? "");
  }
  gist?.replaceChildren(one("#preview [data-gist]", HTMLElement)?.dataset.gist ?? "");
}

async function look() {
  if (!form) return;
  clearTimeout(waiting);
  const asked = changes;
  try {
    const answer = await ask(form.action, { method: "POST", body: new FormData(form) });
    const html = await answer.text(); // empty where the answer broke off in its headers
    if (answer.ok && html && asked === changes) show(html);
  } catch {
    // no connection: the next change asks again, and so does the button
  }
}

/** @param {number} pause */
function soon(pause) {
  changes += 1;
  clearTimeout(waiting);
  waiting = setTimeout(look, pause);
}

/**
 * A field that is folded away is brought into sight.
 * @param {HTMLElement} field
 */
function reveal(field) {
  for (let fold = field.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null)
    fold.open = true;
  field.focus();
}

form?.addEventListener("input", () => soon(PAUSE));
form?.addEventListener("change", () => {
  unfold();
  soon(0);
});
form?.addEventListener("toggle", ({ target }) => {
  if (target instanceof HTMLDetailsElement && target.open) target.scrollIntoView({ block: "nearest" });
}, true);
byId("show-preview")?.addEventListener("click", async (event) => {
  event.preventDefault();
  changes += 1;
  await look();
  preview?.scrollIntoView({ block: "start" });
  preview?.focus({ preventScroll: true });
});
preview?.addEventListener("click", (event) => {
  const field = byId(around(event, "[data-field]")?.dataset.field);
  if (!field) return;
  event.preventDefault();
  reveal(field);
});
form?.setAttribute("data-live", "");
unfold();
