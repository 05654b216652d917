import { describe, expect, it } from "vitest";
import { cropAround } from "./PrintedWords.tsx";

describe("the crop around printed words", () => {
  it("has a minimum width, and a margin above and below the words", () => {
    const [left, top, width, height] = cropAround([0.4, 0.5, 0.2, 0.02]);
    expect([left, width]).toEqual([0.125, 0.75]);
    expect(top).toBeCloseTo(0.488);
    expect(height).toBeCloseTo(0.044);
  });

  it("has a limited margin above and below several lines", () => {
    const [left, top, width, height] = cropAround([0.05, 0.3, 0.9, 0.1]);
    expect(left).toBeCloseTo(0.02);
    expect(width).toBeCloseTo(0.96);
    expect(top).toBeCloseTo(0.272);
    expect(height).toBeCloseTo(0.156);
  });

  it.each([[[0, 0, 0.1, 0.02]], [[0.95, 0.99, 0.05, 0.01]], [[0, 0, 1, 1]], [[0.2, 0.2, 0.7, 0.6]]] as const)(
    "never leaves the clip: %s",
    (box) => {
      const [left, top, width, height] = cropAround(box);
      expect(Math.min(left, top)).toBeGreaterThanOrEqual(0);
      expect(Math.max(left + width, top + height)).toBeLessThanOrEqual(1 + 1e-9);
    },
  );
});
