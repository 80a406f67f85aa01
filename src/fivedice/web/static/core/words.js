// What scripts say. The server sends all sentences with the page, in its language: words/sentences/script_sentences.py.

/** @typedef {string | Partial<Record<string, string>>} Words */

/** @type {Record<string, Words> | undefined} */
let table;

/**
 * The sentence of this name, filled in. One with several forms is chosen by `count`.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export const say = (key, values = {}) => parts(key, values).join("");

/**
 * The same in pieces, so that a value may be an element.
 * @template {string | number | Node} T
 * @param {string} key
 * @param {Record<string, T>} values
 * @returns {(string | T)[]}
 */
export function parts(key, values) {
  const pieces = form(key, Number(values.count)).split(/\{(\w+)\}/);
  return pieces.map((piece, place) => (place % 2 ? values[piece] ?? `{${piece}}` : piece));
}

/**
 * @param {string} key
 * @param {number} count
 */
function form(key, count) {
  table ??= /** @type {Record<string, Words>} */ (JSON.parse(document.getElementById("words")?.textContent ?? "{}"));
  const words = table[key];
  if (words === undefined || typeof words === "string") return words ?? key;
  const name = new Intl.PluralRules(document.documentElement.lang).select(count);
  return words[count] ?? words[name] ?? words.other ?? key;
}
