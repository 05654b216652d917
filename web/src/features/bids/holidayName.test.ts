import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import en from "@/i18n/en/bids.json";
import si from "@/i18n/si/bids.json";
import ta from "@/i18n/ta/bids.json";
import { createTranslator } from "@/i18n/translate.ts";
import { holidayName } from "./holidayName.ts";

/** The names of the holidays with which the database begins. */
const names = new Set(
  [
    ...readFileSync("../api/migrations/0039_coverage.sql", "utf8").matchAll(
      /\('\d{4}-\d\d-\d\d', '(.+?)', '(?:poya|public)'\)/g,
    ),
  ].map(([, name = ""]) => name),
);

describe.each([
  ["English", en],
  ["Sinhala", si],
  ["Tamil", ta],
])("%s", (_, { holiday }) => {
  it("has a name for every holiday of the calendar", () => {
    expect(names.size).toBeGreaterThan(20);
    expect([...names].filter((name) => !Object.hasOwn(holiday, name))).toEqual([]);
  });
});

it("names a holiday in the language, and leaves another name as it was entered", () => {
  const t = createTranslator("ta", (language) => ({ bids: language === "ta" ? ta : en }));
  expect(holidayName("Christmas Day", t)).toBe("நத்தார் தினம்");
  expect(holidayName("Election Day", t)).toBe("Election Day");
});
