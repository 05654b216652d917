import { describe, expect, it } from "vitest";
import { cropAround } from "./PrintedWords.tsx";

describe("the crop around printed words", () => {
  it("has a margin above and below the words, in which other lines fade out", () => {
    const { top, height, fades } = cropAround([0.4, 0.5, 0.2, 0.02]);
    expect(top).toBeCloseTo(0.488);
    expect(height).toBeCloseTo(0.044);
    expect(fades[0]).toBeCloseTo(0.012);
    expect(fades[1]).toBeCloseTo(0.012);
  });

  it("has a limited margin above and below several lines", () => {
    const { top, height } = cropAround([0.05, 0.3, 0.9, 0.1]);
    expect(top).toBeCloseTo(0.272);
    expect(height).toBeCloseTo(0.156);
  });

  it("does not fade at an edge of the clip, where nothing is cut", () => {
    const [above, below] = cropAround([0.3, 0, 0.1, 0.04]).fades;
    expect(above).toBe(0);
    expect(below).toBeGreaterThan(0);
    expect(cropAround([0.34, 0.94, 0.12, 0.05]).fades[1]).toBe(0);
  });

  it("never fades the words, even if there are more than it shows", () => {
    for (const height of [0.01, 0.1, 0.6]) {
      const { top, height: high, fades } = cropAround([0.1, 0.2, 0.5, height]);
      expect(top + fades[0]).toBeLessThanOrEqual(Math.max(0.2, top) + 1e-9);
      expect(top + high - fades[1]).toBeGreaterThanOrEqual(Math.min(0.2 + height, top + high) - 1e-9);
    }
  });

  it.each([[[0, 0, 0.1, 0.02]], [[0.95, 0.99, 0.05, 0.01]], [[0, 0, 1, 1]], [[0.2, 0.2, 0.7, 0.6]]] as const)(
    "never leaves the clip: %s",
    (box) => {
      const { top, height } = cropAround(box);
      expect(top).toBeGreaterThanOrEqual(0);
      expect(top + height).toBeLessThanOrEqual(1 + 1e-9);
    },
  );
});
