// The smallest rules: two dice of three faces, two boxes. Enough for the order of seats and entries.

import { prepare } from "/static/pad/judge.js";

/** @type {import("/static/pad/judge.js").Table} */
export const TABLE = {
  key: "tiny", fingerprint: "", dice: 2, faces: 3, rolls: 3, saves: false, order: "free", stages: [3],
  boxes: [["aces", "1s", "upper"], ["chance", "ch", "lower"]],
  points: [[2, 1, 1, 0, 0, 0], [2, 3, 4, 0, 5, 6]],
  alike: null, bonuses: [], course: [], lines: [["box", "upper", "aces", 0], ["box", "lower", "chance", 1], ["grand", "lower", "grand_total", 6]],
};
export const RULES = prepare(TABLE);

/** @param {Partial<import("/static/pad/state.js").Pad>} [more] @returns {import("/static/pad/state.js").Pad} */
export const padOf = (more = {}) => ({
  id: "x", version: 1, keeper: true, most: 12, mode: "quick", names: ["Ann", "Bob"], first: 0, games: 2, matchTotal: true, out: [],
  played: [{ first: 0, turns: [] }], links: { rules: "/r", commands: "/commands", setUp: "/pad", book: "/b" }, ...more,
});
