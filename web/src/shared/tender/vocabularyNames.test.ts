import { expect, it } from "vitest";
import { en } from "@/i18n/en/index.ts";
import { si } from "@/i18n/si/index.ts";
import { ta } from "@/i18n/ta/index.ts";
import { createTranslator } from "@/i18n/translate.ts";
import { placeName } from "./place.ts";
import { CATEGORIES, DISTRICTS, PROVINCES } from "./vocabulary.ts";
import { vocabularyName } from "./vocabularyNames.ts";

const sinhala = createTranslator("si", (language) => (language === "si" ? si : en));

it("names every category, province and district in each language", () => {
  for (const { names } of [en, si, ta]) {
    expect(Object.keys(names.category)).toEqual([...CATEGORIES]);
    expect(Object.keys(names.province)).toEqual([...PROVINCES]);
    expect(Object.keys(names.district)).toEqual(Object.values(DISTRICTS).flat());
  }
});

it("translates a known name, and returns an unknown one unchanged", () => {
  expect(vocabularyName("district", "Galle", sinhala)).toBe("ගාල්ල");
  expect(vocabularyName("district", "Malé. North", sinhala)).toBe("Malé. North");
  expect(vocabularyName("category", "toString", sinhala)).toBe("toString");
});

it("names a place in the page's language, each name once", () => {
  const place = { city: "Weligama", district: "Matara", province: "Southern" } as const;
  expect(placeName(place, sinhala)).toBe("Weligama, මාතර");
  expect(placeName(place, sinhala, true)).toBe("Weligama, මාතර, දකුණු පළාත");
  expect(placeName({ city: "Galle", district: "Galle" }, sinhala)).toBe("ගාල්ල");
  expect(placeName({ city: "Galle" }, sinhala)).toBe("Galle");
  expect(placeName(undefined, sinhala)).toBe("");
});
