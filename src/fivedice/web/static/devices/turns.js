// Shows how many games wait for this person: in the title, and on the icon of the installed app.

import { ask } from "../core/page.js";

const EVERY = 60_000; // milliseconds
const NUMBER = /^\(\d+\) /;
const address = new URL("../../../devices/turns", import.meta.url); // from the folder of the static files on
address.searchParams.set("besides", /\/t\/([^/]+)/.exec(location.pathname)?.[1] ?? ""); // that game is open
let waiting = 0;

function show() {
  const plain = document.title.replace(NUMBER, "");
  const title = waiting ? `(${waiting}) ${plain}` : plain;
  if (document.title !== title) document.title = title;
}

async function look() {
  const answer = await ask(address.href);
  if (!answer.ok) return;
  ({ waiting } = await answer.json());
  show();
  if ("setAppBadge" in navigator) await (waiting ? navigator.setAppBadge(waiting) : navigator.clearAppBadge());
}

const lookQuietly = () => { look().catch(() => {}); };
document.addEventListener("fivedice:shown", show); // the page has a new title
document.addEventListener("visibilitychange", lookQuietly);
setInterval(lookQuietly, EVERY);
lookQuietly();
