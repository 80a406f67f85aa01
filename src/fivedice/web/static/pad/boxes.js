// The boxes that dice may go in, drawn from what the server has answered before. Nothing is judged here.

import { button, make } from "../core/page.js";

// The legal ones with their points, the closed ones with the reasons; `choose` and `ask` are told box and points.
export function priced(boxes, ruled, sentences, choose, ask) {
  const closed = ruled.closed ?? {};
  const scores = Object.values(ruled.boxes).some(([points]) => points);
  const grid = halves(boxes, (box) => {
    // A zero asks first where another box would score.
    const act = (points) => (!points && scores ? ask(box) : choose(box, points));
    return box.key in ruled.boxes ? legal(box, ruled.boxes[box.key], act) : box.key in closed ? shut(box) : null;
  });
  const why = make("div", "reasons");
  why.append(...[...new Set(Object.values(closed))].map((number) => make("p", "", sentences[number])));
  return why.childElementCount ? [why, grid] : [grid];
}

// Beyond the answers of the server: those that are open, without points.
export function unpriced(boxes, isOpen, choose) {
  const grid = halves(boxes, (box, place) => (isOpen(box, place) ? boxButton(box, "", () => choose(box, null)) : null));
  return [make("p", "hint-line", "Points come with the connection. The rules are checked then, too."), grid];
}

export function zeroQuestion(box, yes, no) {
  const line = make("p", "", "Write a zero in ");
  line.append(make("strong", "", box.label), "? Another box would score.");
  const sure = button("primary", "Write 0", yes);
  sure.id = "confirm-yes";
  const buttons = make("div", "buttons");
  buttons.append(sure, button("", "Choose another box", no));
  const part = make("div", "confirm");
  part.append(line, buttons);
  return [part];
}

// Upper and lower, in the order of the sheet.
function halves(boxes, cell) {
  const grid = make("div", "halves");
  for (const upper of [true, false]) {
    const half = make("div", "half");
    half.append(...boxes.map((box, place) => (box.upper === upper ? cell(box, place) : null)).filter(Boolean));
    if (half.childElementCount) grid.append(half);
  }
  return grid;
}

function legal(box, [points, extra, joker], act) {
  const element = boxButton(box, points ? "" : " zero", () => act(points));
  element.append(make("strong", "", String(points)));
  if (joker) element.append(make("small", "", "joker"));
  if (extra) element.append(make("small", "", `+${extra}`));
  return element;
}

function boxButton(box, look, action) {
  const element = button(`pad-box${look}`, "", action);
  element.id = `box-${box.key}`;
  element.append(make("span", "", box.label));
  return element;
}

function shut(box) {
  const element = make("p", "pad-box shut");
  element.append(make("span", "", box.label), make("small", "", "closed"));
  return element;
}
