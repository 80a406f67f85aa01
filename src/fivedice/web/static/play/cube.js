// A die as a solid: how it is turned, and how it looks from above. Drawn on a canvas of its own, in the colours that the
// dice have at rest. Turns are quaternions [w, x, y, z]; x points right, y down, z towards the player.

/** @typedef {[number, number, number, number]} Turn */
/** @typedef {[number, number, number]} Vector */

const ROUND = 0.2; // radius of edges and corners, in parts of the size
/** @type {Vector} */
const LIGHT = [-0.38, -0.55, 0.74]; // from the upper left
const QUARTER = Math.PI / 2;

/**
 * @param {Turn} a
 * @param {Turn} b
 * @returns {Turn} b first, then a
 */
export const times = ([aw, ax, ay, az], [bw, bx, by, bz]) => [
  aw * bw - ax * bx - ay * by - az * bz, aw * bx + ax * bw + ay * bz - az * by,
  aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw,
];

/** @param {Turn} turn @returns {Turn} */
export const inverse = ([w, x, y, z]) => [w, -x, -y, -z];

/**
 * @param {Vector} axis of length 1
 * @param {number} angle
 * @returns {Turn}
 */
export function around([x, y, z], angle) {
  const sine = Math.sin(angle / 2);
  return [Math.cos(angle / 2), x * sine, y * sine, z * sine];
}

/**
 * The angle of a turn, the short way round.
 * @param {Turn} turn
 */
export const angleOf = ([w]) => 2 * Math.acos(Math.min(1, Math.abs(w)));

/**
 * A part of a turn, the short way round.
 * @param {Turn} turn
 * @param {number} part
 * @returns {Turn}
 */
export function partOf([w, x, y, z], part) {
  const side = w < 0 ? -1 : 1;
  const length = Math.hypot(x, y, z) || 1;
  return around([(side * x) / length, (side * y) / length, (side * z) / length], part * angleOf([w, x, y, z]));
}

/** @param {Turn} turn @param {Vector} vector @returns {Vector} */
function moved(turn, [x, y, z]) {
  const [, a, b, c] = times(times(turn, [0, x, y, z]), inverse(turn));
  return [a, b, c];
}

/** @type {Vector[]} */
const [X, Y, Z] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
/** How a die is turned that shows 1 to 6; opposite faces add up to seven. @type {Turn[]} */
const SHOWING = [
  around(X, 0), around(X, QUARTER), around(Y, QUARTER), around(Y, -QUARTER), around(X, -QUARTER), around(X, 2 * QUARTER),
];
/** The directions of each face in the die: to the right of its drawing, down, and outwards. */
const FACES = SHOWING.map((turn) => [X, Y, Z].map((axis) => moved(inverse(turn), axis)));
/** @type {Vector[]} */
const CORNERS = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => /** @type {Vector} */ ([x, y, z]))));

/**
 * How a die is turned that lies with this face up, on a table seen from above.
 * @param {number} face
 * @param {number} tilt
 */
export const lying = (face, tilt) => times(around(Z, tilt), SHOWING[face - 1]);

/**
 * The faces that are seen, and how much of each: 1 is face on.
 * @param {Turn} turn
 * @returns {{ face: number, seen: number }[]} the uppermost first
 */
export const seenOf = (turn) =>
  FACES.map(([, , out], place) => ({ face: place + 1, seen: moved(turn, out)[2] }))
    .filter(({ seen }) => seen > 0.01)
    .sort((a, b) => b.seen - a.seen);

// Places in a grid of three by three, row by row, as the dice at rest have them.
const SPOTS = ["4", "08", "048", "0268", "02468", "023568"];

/** @param {number} face */
function spotsOf(face) {
  const far = face === 3 || face === 5 ? 14 : 13;
  return [...SPOTS[face - 1]].map((spot) => [
    ((Number(spot) % 3) - 1) * far, (Math.floor(Number(spot) / 3) - 1) * (face === 6 ? 15 : far),
  ]);
}

/**
 * The points around others.
 * @param {number[][]} points
 */
function hullOf(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  /** @param {number[][]} order */
  const half = (order) => {
    /** @type {number[][]} */
    const kept = [];
    for (const [x, y] of order) {
      for (let [a, b] = kept.slice(-2); b && (b[0] - a[0]) * (y - a[1]) <= (b[1] - a[1]) * (x - a[0]);) {
        kept.pop();
        [a, b] = kept.slice(-2);
      }
      kept.push([x, y]);
    }
    return kept.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/**
 * The colours of the dice here.
 * @typedef {{ light: string, ivory: string, edge: string, own: number[], inks: string[], side: string,
 *   black: string, digits: boolean }} Paint own: the ink of each face
 */
/** @returns {Paint} */
export function paint() {
  const style = getComputedStyle(document.body);
  const [light, ivory, edge, side, black, ...inks] =
    ["ivory-light", "ivory", "ivory-edge", "die-side", "black", "pip", "ink-1", "ink-2", "ink-3"].map((name) =>
      style.getPropertyValue(`--${name}`).trim(),
    );
  const own = [...(document.querySelector("[data-inks]")?.getAttribute("data-inks") ?? "000000")].map(Number);
  return { light, ivory, edge, own, inks, side, black, digits: document.body.classList.contains("digits") };
}

/**
 * @typedef {object} Sight
 * @property {Turn} turn
 * @property {number} size of the die, in pixels
 * @property {number} x its middle on the canvas
 * @property {number} y
 * @property {number} height above the felt: 0 lies on it, 1 is the highest
 * @property {number} ground where its shadow is when it lies
 */
/**
 * Draw a die and its shadow.
 * @param {CanvasRenderingContext2D} pen
 * @param {number} density pixels of the screen for each of the page
 * @param {Sight} sight
 * @param {Paint} colours
 */
export function draw(pen, density, { turn, size, x, y, height, ground }, colours) {
  pen.setTransform(density, 0, 0, density, 0, 0);
  pen.clearRect(0, 0, pen.canvas.width, pen.canvas.height);
  castShadow(pen, density, x, ground, size, height, colours.black);
  const inner = size * (0.5 - ROUND);
  const hull = hullOf(CORNERS.map((corner) => moved(turn, corner).map((part) => part * inner)));
  const [{ seen: flat }] = seenOf(turn);
  const lies = Math.max(0, 1 - height * 8) * Math.max(0, flat * 8 - 7);
  if (lies) solid(pen, hull, x, y + 3 * lies, size, colours.edge);
  const body = pen.createLinearGradient(x - size / 2, y - size / 2, x + size / 2, y + size / 2);
  body.addColorStop(0, colours.ivory);
  body.addColorStop(1, colours.edge);
  solid(pen, hull, x, y, size, body);
  const faces = seenOf(turn).reverse();
  for (const layer of LAYERS)
    for (const { face, seen } of faces) drawFace(pen, density, turn, face, seen, layer, size, x, y, colours);
}

/**
 * The shadow on the felt: away from the light, small and pale below a die that is high, larger and darker as it falls.
 * @param {CanvasRenderingContext2D} pen
 * @param {number} density
 * @param {number} x
 * @param {number} ground
 * @param {number} size
 * @param {number} height
 * @param {string} black
 */
function castShadow(pen, density, x, ground, size, height, black) {
  const radius = size * (0.72 - 0.2 * height);
  const [left, top] = [x + size * (0.04 + 0.2 * height), ground + size * (0.13 + 0.3 * height)];
  pen.setTransform(density, 0, 0, density * (1 - 0.45 * height), density * left, density * top);
  const dark = pen.createRadialGradient(0, 0, radius * 0.35, 0, 0, radius);
  dark.addColorStop(0, black);
  dark.addColorStop(1, "transparent");
  pen.globalAlpha = 0.5 - 0.14 * height;
  pen.fillStyle = dark;
  pen.fillRect(-radius, -radius, 2 * radius, 2 * radius);
  pen.globalAlpha = 1;
  pen.setTransform(density, 0, 0, density, 0, 0);
}

/**
 * Fill the outline of a die, whose edges are round.
 * @param {CanvasRenderingContext2D} pen
 * @param {number[][]} hull
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {string | CanvasGradient} colour
 */
function solid(pen, hull, x, y, size, colour) {
  pen.beginPath();
  for (const [left, top] of hull) pen.lineTo(x + left, y + top);
  pen.closePath();
  pen.fillStyle = pen.strokeStyle = colour;
  pen.lineJoin = "round";
  pen.lineWidth = 2 * ROUND * size;
  pen.fill();
  pen.stroke();
}

/** A face bends away at its edges: its half width, how far out it is, and how much it covers; the last has the pips. */
const LAYERS = [{ half: 26, out: 0.45, alpha: 0.5 }, { half: 22.5, out: 0.49, alpha: 1 }];

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {number} density
 * @param {Turn} turn
 * @param {number} face
 * @param {number} seen
 * @param {{ half: number, out: number, alpha: number }} layer
 * @param {number} size
 * @param {number} x
 * @param {number} y
 * @param {Paint} colours
 */
function drawFace(pen, density, turn, face, seen, layer, size, x, y, { light, ivory, edge, own, inks, side, digits }) {
  const [right, down, out] = FACES[face - 1].map((axis) => moved(turn, axis));
  const unit = (density * size) / 60; // a face is 60 units wide, as the drawings of the page are
  pen.setTransform(
    right[0] * unit, right[1] * unit, down[0] * unit, down[1] * unit,
    density * (x + out[0] * size * layer.out), density * (y + out[1] * size * layer.out),
  );
  const isTop = layer.alpha === 1;
  const full = Math.max(0, seen * 10 - 9); // face on it reaches to the edge, else the round edge is seen beside it
  const half = layer.half + (30 - layer.half) * full;
  const dark = 0.62 * Math.max(0, LIGHT[2] - out.reduce((sum, part, place) => sum + part * LIGHT[place], 0));
  pen.beginPath();
  pen.roundRect(-half, -half, 2 * half, 2 * half, 10 + 2 * full);
  pen.globalAlpha = layer.alpha;
  pen.fillStyle = ivory;
  if (isTop && seen > 0.5) { // what is seen from the side is too narrow for the play of light
    const [left, top] = [right, down].map((axis) => -13 * axis[0] - 18 * axis[1]); // the upper left, however it is turned
    const shine = pen.createRadialGradient(left, top, 0, left, top, 72);
    shine.addColorStop(0.3, light);
    shine.addColorStop(0.62, ivory);
    shine.addColorStop(1, edge);
    pen.fillStyle = shine;
  }
  pen.fill();
  if (dark > 0.02) {
    pen.globalAlpha = layer.alpha * Math.min(1, dark);
    pen.fillStyle = side;
    pen.fill();
  }
  pen.globalAlpha = 1;
  if (!isTop) return;
  const ink = own[face - 1];
  pen.fillStyle = inks[ink];
  pen.beginPath();
  for (let stroke = 0; stroke < ink; stroke += 1) pen.rect(10 * stroke - 5 * ink + 2, 22.5, 6, 5);
  if (digits) {
    pen.font = "750 32px sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText(String(face), 0, 2);
  } else
    for (const [across, along] of spotsOf(face)) {
      const radius = face === 1 ? 6.4 : 5.2;
      pen.moveTo(across + radius, along);
      pen.arc(across, along, radius, 0, 7);
    }
  pen.fill();
}
