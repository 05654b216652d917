import { expect, test } from "vitest";
import type { ReviewNotice } from "@/api/types.ts";
import { changedFields, exampleOf, reviewFields, valueAsText, valueOfWords } from "./reviewFields.ts";
import { partsOf } from "./SplitDialog.tsx";

const word = (text: string) => ({ text, line: 0, box: [0.1, 0.1, 0.1, 0.01] });
const words: ReviewNotice["words"] = {
  words: ["Closes", "14.05.2027", "at", "2.30", "p.m.", "Fee", "Rs.", "500"].map(word),
  values: [
    { kind: "date", value: "2027-05-14", first: 1, last: 1 },
    { kind: "date", value: "2027-05-14 14:30", first: 1, last: 4 },
    { kind: "amount", value: "500", first: 6, last: 7 },
  ],
};
const review = {
  words,
  notice: {
    title: "Chairs",
    dates: { closing: "2027-05-15T14:30:00+05:30" },
    cida: [{ grade: "C5" }],
    fieldStates: {
      "dates.closing": "doubtful",
      cida: "doubtful",
      notice: "doubtful",
      referenceNo: "not-read",
    },
    otherReadings: {
      "dates.closing": [{ value: "2027-05-14T14:30:00+05:30", reader: "classifier", confidence: 0.5 }],
    },
    evidence: { "dates.closing": { text: "14.05.2027 at 2.30 p.m." } },
  },
} as unknown as ReviewNotice;

test("values are shown as people type them", () => {
  expect(valueAsText("2027-05-14T14:30:00+05:30")).toBe("2027-05-14 14:30");
  expect(valueAsText("2027-05-14T23:59:59+05:30")).toBe("2027-05-14");
  expect(valueAsText("2027-05-14T00:00:00+05:30")).toBe("2027-05-14");
  expect([valueAsText(50000), valueAsText(null), valueAsText(["a"]), valueAsText("C5")]).toEqual([
    "50000",
    "",
    '["a"]',
    "C5",
  ]);
});

test("fields to check come first, and whether it is a notice is no field", () => {
  const fields = reviewFields(review);
  expect(fields.slice(0, 3).map(({ path }) => path)).toEqual(["referenceNo", "dates.closing", "cida"]);
  expect(fields.some(({ path }) => path === "notice")).toBe(false);
  expect(fields.find(({ path }) => path === "cida")?.kind).toBe("list");
  expect(fields.at(-1)?.state).toBe("certain");
});

test("a field offers the other readings and the printed values of its kind, each once", () => {
  const closing = reviewFields(review).find(({ path }) => path === "dates.closing");
  expect(closing?.proposals).toEqual([
    { value: "2027-05-14 14:30", reader: "classifier" },
    { value: "2027-05-14", reader: null },
  ]);
});

test("selected words fill a field by its kind", () => {
  expect(valueOfWords(words, "date", 3, 3)).toBe("2027-05-14 14:30");
  expect(valueOfWords(words, "amount", 7, 7)).toBe("500");
  expect(valueOfWords(words, "text", 5, 7)).toBe("Fee Rs. 500");
  expect(valueOfWords(words, "amount", 0, 1)).toBe("Closes 14.05.2027");
});

test("selected words choose a value of a vocabulary, or nothing", () => {
  const printed = { words: ["in", "NUWARA", "ELIYA"].map(word), values: [] };
  expect(valueOfWords(printed, "district", 1, 2)).toBe("Nuwara Eliya");
  expect(valueOfWords(printed, "district", 0, 2)).toBeNull();
});

test("fields with a vocabulary are chosen from a list, wherever they are doubtful", () => {
  const paths = ["language", "organization.type", "location.province", "priority"];
  const fieldStates = Object.fromEntries(paths.map((path) => [path, "doubtful" as const]));
  const fields = reviewFields({ ...review, notice: { ...review.notice, fieldStates } });
  const kindOf = (path: string) => fields.find((field) => field.path === path)?.kind;
  expect([...paths, "category", "kind", "location.district"].map(kindOf)).toEqual([
    "language",
    "organizationType",
    "province",
    "priority",
    "category",
    "kind",
    "district",
  ]);
});

test("a date, a day and an amount have an example", () => {
  expect(exampleOf({ path: "dates.closing", kind: "date" })).toBe("2026-12-01 14:00");
  expect(exampleOf({ path: "documentFee.saleUntil", kind: "date" })).toBe("2026-12-01");
  expect(exampleOf({ path: "documentFee.amount", kind: "amount" })).toBe("50,000.00");
  expect(exampleOf({ path: "title", kind: "long" })).toBeNull();
});

test("only changed fields are sent", () => {
  const fields = reviewFields(review);
  expect(changedFields(fields, { title: " Chairs ", "dates.closing": "2027-05-14" })).toEqual({
    "dates.closing": "2027-05-14",
  });
});

test("cuts divide the clip on the page", () => {
  const clip = [0.5, 0.2, 0.4, 0.2];
  const rounded = (areas: number[][]) =>
    areas.map((area) => area.map((part) => Math.round(part * 100) / 100));
  expect(rounded(partsOf(clip, "across", [0.75, 0.5]))).toEqual([
    [0.5, 0.2, 0.4, 0.1],
    [0.5, 0.3, 0.4, 0.05],
    [0.5, 0.35, 0.4, 0.05],
  ]);
  expect(rounded(partsOf(clip, "down", [0.5]))).toEqual([
    [0.5, 0.2, 0.2, 0.2],
    [0.7, 0.2, 0.2, 0.2],
  ]);
});
