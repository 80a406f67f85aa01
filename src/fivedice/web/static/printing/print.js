// The button appears only where it can do something.

const button = document.getElementById("print");
if (button) button.hidden = false;
button?.addEventListener("click", () => window.print());
