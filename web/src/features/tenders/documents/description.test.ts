import { expect, it } from "vitest";
import { isRepeatedIn } from "./description.ts";

const text =
  "# BID NOTICE\n\n1\\. Bid Number: DI/ICB/8264\\\n2\\. Bid Bond: **LKR 250,000**\n\n| Lot | Item |\n| --- | --- |\n";

it("finds a description that the full text repeats", () => {
  expect(isRepeatedIn("Bid Number : DI/ICB/8264 2. Bid Bond : LKR 250,000", text)).toBe(true);
});

it.each([
  ["The gates of three reservoirs are replaced.", text],
  ["Bid Bond", undefined],
  ["ලංසු", text],
])("finds no repetition of %j", (description, fullText) =>
  expect(isRepeatedIn(description, fullText)).toBe(false),
);
