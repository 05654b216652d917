import { expect, it } from "vitest";
import type { Tender } from "@/api/types.ts";
import { fieldPosition } from "./fieldPosition.ts";

/** A tender with a clip that begins in the middle of its page, and a field at `box` of the page. */
function tender(box: unknown, sources = 1): Tender {
  const source = { publication: "Daily Lanka", box: [0.5, 0.5, 0.2, 0.4] };
  const evidence = { "dates.closing": { text: "14 May", box } };
  return { sources: Array.from({ length: sources }, () => source), evidence } as unknown as Tender;
}

it("covers the words with a margin", () => {
  const [left = 0, top = 0, width = 0, height = 0] =
    fieldPosition(tender([0.6, 0.7, 0.05, 0.02]), "dates.closing") ?? [];
  expect(left).toBeCloseTo(0.5 - 0.008);
  expect(top).toBeCloseTo(0.5 - 0.008);
  expect(width).toBeCloseTo(0.25 + 0.016);
  expect(height).toBeCloseTo(0.05 + 0.016);
});

it("stays on the clip", () => {
  const [left = 1, top = 1, width = 1, height = 1] =
    fieldPosition(tender([0.498, 0.5, 0.203, 0.4]), "dates.closing") ?? [];
  expect([left, top, width, height]).toEqual([0, 0, 1, 1]);
});

it.each([null, [], [0.6, 0.7, 0, 0.02], [0.6, 0.7, Number.NaN, 0.1], [0.1, 0.7, 0.05, 0.02], "box"])(
  "is unknown for %j",
  (box) => {
    expect(fieldPosition(tender(box), "dates.closing")).toBeNull();
  },
);

it("is unknown for another field, without a source, and with several sources", () => {
  const known = [0.6, 0.7, 0.05, 0.02];
  expect(fieldPosition(tender(known), "title")).toBeNull();
  expect(fieldPosition(tender(known, 0), "dates.closing")).toBeNull();
  expect(fieldPosition(tender(known, 2), "dates.closing")).toBeNull();
});
