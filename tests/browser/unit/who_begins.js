import { findLeaders, readTotal } from "/static/pad/set_up.js";
import { equal, test } from "./harness.js";

test("a roll is told as its total, or by its dice", () => {
  equal(["5", "30", "17", "66453", "6-6-4-5-3", "1 1 1 1 1"].map((text) => readTotal(text, 5, 6)), [5, 30, 17, 24, 24, 5]);
  equal(["", "4", "31", "6645", "66457", "06645", "x", "-5x", "1e1"].map((text) => readTotal(text, 5, 6)), Array(9).fill(null));
  equal([readTotal("12", 2, 6), readTotal("66", 2, 6), readTotal("665", 3, 6)], [12, 12, 17]); // a total first
});

test("the highest total begins, and those who have it tie", () => {
  equal(findLeaders([{ points: 7 }, { points: 20 }, { points: 12 }]), [{ points: 20 }]);
  equal(findLeaders([{ points: 20 }, { points: 7 }, { points: 20 }]).length, 2);
});
