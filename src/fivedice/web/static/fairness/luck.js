// A text of one's own for the dice, for those who do not care to think of one: drawn here, in the browser, so that the
// server cannot have known it when it settled its secret. It can be changed.

import { all } from "../core/page.js";

/** @param {ParentNode} root */
function addLuck(root) {
  for (const field of all("[data-luck]", HTMLInputElement, root)) {
    if (!field.value) field.value = crypto.getRandomValues(new Uint32Array(2)).join("-");
  }
}

addLuck(document);
document.addEventListener(
  "submit",
  (event) => {
    if (event.target instanceof HTMLFormElement) addLuck(event.target);
  },
  { capture: true },
);
