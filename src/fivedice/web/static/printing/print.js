// The button appears only where it can do something.
const button = document.getElementById("print");
button.hidden = false;
button.addEventListener("click", () => window.print());
