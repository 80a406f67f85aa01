// Say what to do where the page was opened as a file: a browser runs no modules there. This is none, so it runs.

if (location.protocol === "file:") document.getElementById("opened-as-file")?.removeAttribute("hidden");
