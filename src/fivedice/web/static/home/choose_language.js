// The first page of a score pad in several languages goes on to the language that was chosen here, or to the phone's.

const links = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll("a[hreflang]")]);
const STORE = "fivedice-language";
const NEAR = { no: "nb", nn: "nb" };

/** The nearest language for a name such as "pt-PT". @param {string} name */
function nearest(name) {
  const wanted = name.toLowerCase();
  const base = wanted.split("-")[0];
  const near = NEAR[/** @type {keyof typeof NEAR} */ (base)] ?? base;
  const find = (/** @type {(language: string) => boolean} */ fits) => links.find((link) => fits(link.hreflang.toLowerCase()));
  return find((each) => each === wanted) ?? find((each) => each === near) ?? find((each) => each.startsWith(`${base}-`));
}

/** @param {string} asked @returns {string} what was chosen on this phone, now or before */
function remember(asked) {
  try {
    if (asked) localStorage.setItem(STORE, asked);
    return localStorage.getItem(STORE) ?? "";
  } catch { return asked; } // no storage is allowed here
}

const asked = nearest(new URLSearchParams(location.search).get("lang") ?? "")?.hreflang ?? "";
const found = [remember(asked), ...navigator.languages].map(nearest).find(Boolean) ?? links[0];
if (found) location.replace(found.href + location.hash);
