// A text of one's own for the dice, for those who do not care to think of one: drawn here, in the browser, so that the
// server cannot have known it when it promised its secret. It can be changed.
for (const field of document.querySelectorAll("[data-luck]")) {
  if (!field.value) field.value = crypto.getRandomValues(new Uint32Array(2)).join("-");
}
