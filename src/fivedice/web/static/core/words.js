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
 */
export function parts(key, values) {
  table ??= /** @type {Record<string, Words>} */ (JSON.parse(document.getElementById("words")?.textContent ?? "{}"));
  return pieces(table[key] ?? key, values);
}

/**
 * Words that did not come with the page, filled in.
 * @param {Words} words
 * @param {Record<string, string | number>} [values]
 */
export const filled = (words, values = {}) => pieces(words, values).join("");

/**
 * @template {string | number | Node} T
 * @param {Words} words
 * @param {Record<string, T>} values
 * @returns {(string | T)[]}
 */
function pieces(words, values) {
  const found = form(words, Number(values.count)).split(/\{(\w+)\}/);
  return found.map((piece, place) => (place % 2 ? values[piece] ?? `{${piece}}` : piece));
}

/**
 * @param {Words} words
 * @param {number} count
 */
function form(words, count) {
  if (typeof words === "string") return words;
  const name = new Intl.PluralRules(document.documentElement.lang).select(count);
  return words[count] ?? words[name] ?? words.other ?? "";
}
