// What a person does on the page of a score pad, and what they see there. Every tap waits for what it leads to, as a
// person does, so it does not matter whether the page paints at once or a moment later.

const PATIENCE = 15_000; // milliseconds; only ever waited out by a test that fails
const LEGAL = "#card .pad-box.legal";
const ZERO = "#card .pad-box.zero";
const CHOICES = "#panel .buttons button, #waiting button, #left-behind .buttons button"; // of what is asked

/** A person stops where the page has gone on to another player, or asks something, under their hand. */
class Overtaken extends Error {}

/** @param {string} selector @returns {HTMLElement[]} */
const visible = (selector) => {
  const found = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(selector)]);
  return found.filter((each) => each.offsetParent);
};
/** @param {string} selector */
const there = (selector) => visible(selector).find((each) => !each.matches(":disabled")) ?? null;
/** @param {string} selector @returns {HTMLElement | null} */
const one = (selector) => document.querySelector(selector);
/** @param {HTMLElement | null | undefined} element */
const textOf = (element) => element?.innerText.replace(/\s+/g, " ").trim() ?? "";
/** @param {string} selector */
const text = (selector) => textOf(there(selector));
const wait = (/** @type {number} */ pause) => new Promise((done) => { setTimeout(done, pause); });
const shownText = () => ["headline", "net", "dock", "waiting"].map((id) => `${id}: ${text(`#${id}`)}`).join(". ");

/**
 * @template T
 * @param {string} what
 * @param {() => T} check
 */
async function until(what, check, patience = PATIENCE) {
  const end = performance.now() + patience;
  for (;;) {
    const found = check();
    if (found) return found;
    if (performance.now() > end) throw new Error(`never: ${what}. ${shownText()}`);
    await wait(5);
  }
}

/** @param {() => unknown} check */
const soon = (check) => until("", check, 2000).catch(() => null);

/** Whether a question is in the place of the keys, or others keep the score by now. */
const isStopped = () => Boolean(there("#panel .clash, #panel .refused, #left-behind"));
const isAsked = () => isStopped() || Boolean(there("#waiting button"));
const isFollowing = () => document.body.classList.contains("following");

/** @param {string} selector */
async function tap(selector) {
  await until(`tap ${selector}`, () => there(selector) ?? (isStopped() || isFollowing()));
  const found = there(selector);
  if (!found) throw new Overtaken();
  found.click();
  await until(`${selector} is kept`, () => document.body.dataset.keeping === undefined);
}

// --- what is seen ---

const typedDice = () => document.querySelectorAll("#slots .die:not(.empty)").length;
const heads = () => [...document.querySelectorAll("#sheet thead th")];
const seatOnTurn = () => heads().findIndex((head) => head.classList.contains("on-turn")) - 1;
const names = () => [...document.querySelectorAll("#sheet thead th bdi")].map((each) => each.textContent ?? "");
/** @param {number} seat @param {string} box */
const cell = (seat, box) => document.querySelector(`#cell-${seat}-${box} [id^=turn-]`);
const numbers = () => visible("#panel .number").filter((each) => !each.querySelector("small"));
/** @param {Element | null} element */
const numberIn = (element) => parseInt(element?.textContent ?? "", 10);

/** What is written there; where the page can be written on, an open cell may show what the dice would score. */
function pointsIn(/** @type {HTMLElement} */ place) {
  const isWatched = document.body.classList.contains("following");
  return numberIn(isWatched ? place : place.querySelector("[id^=turn-]"));
}

/** The sheet of this game, as it is on the screen: names, and points by "seat label". */
function sheet() {
  /** @type {[string, number][]} */
  const cells = [...document.querySelectorAll("#sheet tr.row-box")].flatMap((row) => {
    const label = row.querySelector("th")?.firstChild?.textContent?.trim();
    const found = [...row.querySelectorAll("td")].map((each, seat) => [`${seat} ${label}`, pointsIn(each)]);
    return /** @type {[string, number][]} */ (found.filter(([, points]) => !Number.isNaN(points)));
  });
  return { names: names(), cells: Object.fromEntries(cells.sort(([one], [other]) => (one < other ? -1 : 1))) };
}

/** What the person could do something about. */
function look() {
  const { classList } = document.body;
  const following = classList.contains("following");
  return {
    offline: classList.contains("offline"),
    following,
    isWaiting: (!following && classList.contains("has-waiting")) || Boolean(there("#waiting li, #left-behind")),
    headline: text("#headline"),
    net: text("#net"),
    clash: visible("#panel .clash li").map((row) => [...row.querySelectorAll("p")].map(textOf)),
    refused: text("#panel .refused"),
    waits: visible("#waiting li").map(textOf),
    buttons: visible(CHOICES).map((each) => ({ id: each.id, label: textOf(each), line: lineOf(each) })),
    canWrite: Boolean(there("#keypad .key")) && seatOnTurn() >= 0,
    isFull: Boolean(there("#next-game, #ending")),
  };
}

/** What a button is about: its own line, or all that is asked. @param {HTMLElement} button */
function lineOf(button) {
  const place = /** @type {HTMLElement | null} */ (button.closest("#panel, section"));
  return textOf(button.closest("li") ?? one("#panel .refused") ?? place);
}

/** All that is asked, where there is a button to answer it with. */
function asks() {
  const { buttons, clash, refused, waits } = look();
  return buttons.length ? [refused, ...waits, ...clash.flat(), ...buttons.map(({ line }) => line)].join(" ") : "";
}

// --- entering ---

/** Leave what is half typed, as a person does who sees a question behind it. */
async function clear() {
  there("#confirm-no")?.click();
  for (let most = 20; most && (there("#cancel-entry") || (typedDice() && there("#back"))); most -= 1) {
    (there("#cancel-entry") ?? there("#back"))?.click();
    await wait(20);
  }
}

/** The seat on turn; less than 0 where something else is asked first. */
async function onTurn() {
  const isElsewhere = () => isStopped() || isFollowing() || there("#next-game, #ending");
  const find = () => (isElsewhere() ? -1 : (there("#keypad .key") && seatOnTurn() + 1) || null);
  const seat = Number(await until("a player is on turn", find)) - 1;
  entered = countEntries();
  return seat;
}

let entered = 0; // entries on the sheet when the person began

/** @param {number} seat */
function stay(seat) {
  if (isFollowing() || seatOnTurn() !== seat || countEntries() !== entered) throw new Overtaken();
  return true;
}

const countEntries = () => document.querySelectorAll("#sheet [id^=turn-]").length;

/** Another phone may have taken the entry back that is being corrected. */
function stayFixing() {
  if (!document.body.classList.contains("fixing")) throw new Overtaken();
  return true;
}

/** @param {string} faces @param {() => boolean} goesOn throws where the person stops */
async function type(faces, goesOn) {
  for (const face of faces) {
    const before = typedDice();
    await until(`key ${face}`, () => goesOn() && there(`#face-${face}`));
    await tap(`#face-${face}`);
    const isJudged = () => there("#save-fix, #panel .problem"); // on a fresh page it has no dice above it
    await until(`die ${face} is typed`, () => goesOn() && (typedDice() > before || isJudged()));
  }
}

/** A box by its key, or by a number one of those that are offered. @param {string} wanted @param {string} from */
async function choose(wanted, from) {
  if (!/^\d+$/.test(wanted)) return wanted;
  await until("a box is offered", () => there(from));
  const boxes = visible(from);
  return boxes[Number(wanted) % boxes.length].id.slice("box-".length);
}

const scoring = () => (document.querySelector(LEGAL) ? LEGAL : ZERO);

/**
 * Wait until the entry is on the sheet. `shown` is false where it is neither there nor named by a question: a question
 * about an earlier entry came first, or the page went on.
 * @param {number} seat
 * @param {string} box
 * @param {string} named its dice or its number, as a question names them
 */
async function written(seat, box, named) {
  const name = names()[seat];
  const label = textOf(one(`#box-${box} .name`));
  await until(`${box} of ${name} is written`, () => {
    there("#confirm-yes")?.click();
    return cell(seat, box) || isStopped() || isFollowing() || seatOnTurn() !== seat;
  });
  await until(`${box} of ${name} is kept`, () => document.body.dataset.keeping === undefined);
  const shown = cell(seat, box);
  const isAskedAbout = Boolean(named) && asks().includes(named.includes("-") ? `${named}, ${label}` : `${label} ${named}`);
  const points = shown ? numberIn(shown) : named.includes("-") ? -1 : Number(named || -1);
  return { seat, name, box, points, shown: Boolean(shown) || isAskedAbout };
}

/** As the page says them. @param {string} dice */
const saidAs = (dice) => [...dice].join("-");

/** Score these dice; tap the box, or one of those that score. @param {{ dice: string, box: string }} entry */
async function enter({ dice, box }) {
  const seat = await onTurn();
  if (seat < 0) return null;
  await type(dice, () => stay(seat));
  const key = await choose(box, scoring());
  await tap(`#box-${key}`);
  return written(seat, key, saidAs(dice));
}

/**
 * A box first, then a number that says everything; null where none is offered that is not taken.
 * @param {{ pick: number, taken: string[] }} entry
 */
async function enterBox({ pick, taken }) {
  const seat = await onTurn();
  if (seat < 0) return null;
  const box = await choose(String(pick), "#card .pad-box:not(.done)");
  await tap(`#box-${box}`);
  await until("numbers are offered", () => there("#panel .number, #panel .reasons") || seatOnTurn() !== seat);
  const keys = numbers().filter((each) => !taken.includes(`${box} ${numberIn(each)}`));
  if (!keys.length || seatOnTurn() !== seat) return clear().then(() => null);
  const key = keys[pick % keys.length];
  key.click();
  return written(seat, box, String(numberIn(key)));
}

/** Roll by roll: the first die stays. @param {{ rolls: string[], box: string }} entry */
async function enterRolls({ rolls, box }) {
  const seat = await onTurn();
  if (seat < 0) return null;
  await tap("[data-mode=rolls]");
  await type(rolls[0], () => stay(seat));
  for (const dice of rolls.slice(1)) {
    await tap("#die-0");
    await until("the first die stays", () => stay(seat) && there("#die-0[aria-pressed=true]"));
    for (const face of dice.slice(1)) await tap(`#face-${face}`);
    await until("the next roll is complete", () => stay(seat) && there(`${LEGAL}, ${ZERO}`));
  }
  const key = await choose(box, scoring());
  await tap(`#box-${key}`);
  return written(seat, key, saidAs(rolls.at(-1) ?? ""));
}

/** The refused entry is written into another box, or with another number. @param {{ pick: number }} change */
async function change({ pick }) {
  if (!(await soon(() => there(`${LEGAL}, ${ZERO}, #panel .number`)))) return clear().then(() => null);
  const seat = seatOnTurn();
  const [number] = numbers();
  const chosen = document.querySelector("#card [aria-pressed=true]")?.id.slice("box-".length) ?? "";
  const box = number ? chosen : await choose(String(pick), scoring());
  if (number) number.click();
  else await tap(`#box-${box}`);
  return { ...(await written(seat, box, number ? String(numberIn(number)) : "")), byNumber: Boolean(number) };
}

/** What vanished from the sheet by a tap. */
async function undo() {
  if (!there("#undo-last, #undo")) throw new Overtaken(); // another phone has ended the sheet
  const before = Object.entries(sheet().cells);
  await tap("#undo-last, #undo");
  const vanished = () => before.filter(([place, points]) => sheet().cells[place] !== points);
  await until("an entry is taken back", () => vanished().length || isStopped());
  return vanished().map(([place, points]) => ({ place, points }));
}

/**
 * Give an entry other dice, or another number; null where the page says that it cannot be.
 * @param {{ seat: number, box: string, dice: string, points: number | null, taken?: string[] }} fix
 */
async function correct({ seat, box, dice, points, taken = [] }) {
  const was = numberIn(cell(seat, box));
  if (Number.isNaN(was)) throw new Overtaken(); // another phone has taken it back
  await tap(`#cell-${seat}-${box} [id^=turn-]`);
  await until("a correction begins", () => stayFixing() && there("#dice-instead, #panel .number, #panel .reasons"));
  const isChosen = dice && there("#dice-instead") ? await chooseDice(box, dice) : chooseNumber(box, was, points, taken);
  if (!isChosen) return clear().then(() => null);
  await until("the effect is shown", () => stayFixing() && there("#panel .effect, #panel .reasons"));
  if (!there("#save-fix")) return clear().then(() => null);
  await tap("#save-fix");
  const isFixing = () => document.body.classList.contains("fixing");
  await until("the correction is over", () => !isFixing() && (cell(seat, box) || isAsked() || isFollowing()));
  const stands = cell(seat, box) ? numberIn(cell(seat, box)) : -1; // another phone has written there meanwhile
  return { seat, name: names()[seat], box, was, points: stands, shown: stands >= 0 && stands !== was };
}

/** @param {string} box @param {string} dice */
async function chooseDice(box, dice) {
  await tap("#dice-instead");
  await type(dice, stayFixing);
  const judged = `${LEGAL}, ${ZERO}, #save-fix, #panel .problem, #panel .reasons`;
  await until("the dice are judged", () => stayFixing() && there(judged));
  if (there("#save-fix, #panel .problem")) return true;
  stayFixing();
  const found = there(`#box-${box}.legal, #box-${box}.zero`);
  found?.click();
  return Boolean(found);
}

/** @param {string} box @param {number} was @param {number | null} points @param {string[]} taken */
function chooseNumber(box, was, points, taken) {
  const isOther = (/** @type {number} */ number) => number !== was && !taken.includes(`${box} ${number}`);
  const key = numbers().map(numberIn).findIndex((each) => (points === null ? isOther(each) : each === points));
  numbers()[key]?.click();
  return key >= 0;
}

// --- people ---

const open = (/** @type {string} */ selector) => document.querySelector(selector)?.setAttribute("open", "");

async function skip() {
  open("#people");
  const who = seatOnTurn();
  if (!there("#skip") || visible("#people-now li:not(.gone)").length < 2) return null;
  await tap("#skip");
  await soon(() => seatOnTurn() !== who || !there("#skip"));
  return { who };
}

/** @param {{ id: string, name: string }} naming */
async function name({ id, name: value }) {
  open("#people");
  const field = /** @type {HTMLInputElement} */ (await until(`field ${id}`, () => there(`#${id}`)));
  const before = field.defaultValue;
  field.value = value;
  field.form?.requestSubmit();
  await until(`${value} is kept`, () => document.body.dataset.keeping === undefined);
  await until(`${value} is on the sheet`, () => names().includes(value) || isAsked());
  return { before };
}

/** @param {{ seat: number }} leaving */
async function leave({ seat }) {
  open("#people");
  const isOut = () => document.querySelector(`#name-${seat}`)?.closest("li")?.classList.contains("gone");
  const before = isOut();
  if (!there(`#leave-${seat}`)) return null;
  await tap(`#leave-${seat}`);
  await until("the player has left or is back", () => isOut() !== before || isAsked());
  return { seat };
}

async function end() {
  open("#people");
  open("#end-early");
  await tap("#end-now");
  await until("the sheet has ended", () => there("#ending") || isAsked());
  return {};
}

async function nextGame() {
  await tap("#next-game");
  await until("the next game has begun", () => (seatOnTurn() >= 0 && !there("#next-game")) || isAsked());
  return {};
}

// --- what is asked, and the phone itself ---

/**
 * Tap one of the buttons, and return what it said when it was tapped: a moment before it may have been another one.
 * @param {{ pick: number }} which
 */
async function answer({ pick }) {
  const asked = () => JSON.stringify([look().clash, look().refused, look().waits]);
  const [before, buttons] = [asked(), visible(CHOICES)];
  if (!buttons.length) return null;
  const button = buttons[pick % buttons.length];
  const tapped = { label: textOf(button), line: lineOf(button) };
  button.click();
  await soon(() => asked() !== before || !there("#panel .refused, #panel .clash, #left-behind"));
  return tapped;
}

/** Wait until nothing is on its way, or something is asked. @param {{ version: number }} least that the page shows */
async function calm({ version }) {
  const shows = () => Number(document.getElementById("table")?.dataset.version ?? version) >= version;
  await soon(() => isAsked() || (!look().isWaiting && !look().offline && shows()));
}

/** Wait until the phone has nothing left to do, or asks; what it fetches for a question takes a moment. */
async function settle() {
  const isAnswerable = () => visible(CHOICES).length > 0;
  const isContent = () => !look().isWaiting && !look().offline && document.body.dataset.keeping === undefined;
  let since = 0;
  await until("the phone is content, or asks", () => {
    since = isContent() ? since || performance.now() : 0;
    return isAnswerable() || (since && performance.now() - since > 300);
  });
  while (look().following && !isAnswerable() && await hasLeft()) await wait(20); // their panel is fetched
}

/** Whether the phone has entries that no server has taken. @returns {Promise<boolean>} */
const hasLeft = () => new Promise((done) => {
  const opening = indexedDB.open("fivedice-pad", 1);
  opening.onerror = () => done(false);
  opening.onsuccess = () => {
    const found = opening.result.transaction("sheets").objectStore("sheets").get(location.pathname.replace("/t/", ""));
    found.onsuccess = () => {
      opening.result.close();
      done(found.result?.queue.some((/** @type {{ version?: number }} */ { version }) => version === undefined) ?? false);
    };
  };
});

const wake = async () => { dispatchEvent(new Event("online")); };

const { setItem } = Storage.prototype;
const { add, put } = IDBObjectStore.prototype;
const full = () => { throw new DOMException("full", "QuotaExceededError"); };

/** @param {{ isFull: boolean }} storage */
async function store({ isFull }) {
  Storage.prototype.setItem = isFull ? full : setItem;
  Object.assign(IDBObjectStore.prototype, isFull ? { add: full, put: full } : { add, put });
}

/** @param {{ hours: number }} by how much the clock of the phone is set on */
async function setClock({ hours }) {
  const { now } = Date;
  Date.now = () => now.call(Date) + hours * 3_600_000;
}

/** @type {Record<string, (given: any) => any>} */
const doings = {
  answer, calm, change, clear, correct, end, enter, enterBox, enterRolls, leave, look, name, nextGame, setClock,
  settle, sheet, skip, store, undo, wake, until: ({ what, check }) => until(what, (0, eval)(check)),
};

/** Do something; null where a person would have stopped. @param {string} doing @param {unknown} given */
async function perform(doing, given) {
  try { return await doings[doing](given); } catch (error) {
    if (!(error instanceof Overtaken)) throw error;
    await clear();
    return null;
  } finally {
    if (doing === "enterRolls") there("[data-mode=quick]")?.click();
  }
}

export const hand = { asks, look, perform, sheet };
