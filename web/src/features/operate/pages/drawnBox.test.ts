import { expect, it } from "vitest";
import { boxAfterKey, boxBetween, isReadable } from "./drawnBox.ts";

it("draws between two corners in any direction, within the picture", () => {
  expect(boxBetween([0.5, 0.6], [0.2, 0.1])).toEqual([0.2, 0.1, 0.3, 0.5]);
  expect(boxBetween([0.9, 0.9], [1.4, -0.2])).toEqual([0.9, 0, 0.1, 0.9]);
  expect(isReadable(boxBetween([0.5, 0.5], [0.505, 0.9]))).toBe(false);
  expect(isReadable(boxBetween([0.5, 0.5], [0.52, 0.9]))).toBe(true);
});

it("moves with the arrows and resizes with Shift, within the picture", () => {
  const box = [0.3, 0.3, 0.3, 0.2] as const;
  expect(boxAfterKey(null, "ArrowRight", false), "the first arrow places a box").toEqual(box);
  expect(boxAfterKey(null, "Enter", false), "Enter places none").toBeNull();
  expect(boxAfterKey(box, "ArrowRight", false)).toEqual([0.31, 0.3, 0.3, 0.2]);
  expect(boxAfterKey(box, "ArrowUp", false)).toEqual([0.3, 0.29, 0.3, 0.2]);
  expect(boxAfterKey(box, "ArrowDown", true)).toEqual([0.3, 0.3, 0.3, 0.21]);
  expect(boxAfterKey([0, 0.8, 0.01, 0.2], "ArrowLeft", false)).toEqual([0, 0.8, 0.01, 0.2]);
  expect(boxAfterKey([0, 0.8, 0.01, 0.2], "ArrowLeft", true)).toEqual([0, 0.8, 0.01, 0.2]);
  expect(boxAfterKey([0, 0.8, 0.01, 0.2], "ArrowDown", true)).toEqual([0, 0.8, 0.01, 0.2]);
  expect(boxAfterKey(box, "a", false)).toBeNull();
});
