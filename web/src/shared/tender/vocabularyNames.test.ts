import { expect, it } from "vitest";
import { en } from "@/i18n/en/index.ts";
import { si } from "@/i18n/si/index.ts";
import { ta } from "@/i18n/ta/index.ts";
import { createTranslator } from "@/i18n/translate.ts";
import { placeName, placeWithDoubt } from "./place.ts";
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

it("says of each part of a place whether it is certain, and once if none is", () => {
  const english = createTranslator("en", () => en);
  const location = { city: "Bulathsinhala", district: "Kalutara", province: "Western" } as const;
  const place = (...doubtful: string[]) => {
    const fieldStates = Object.fromEntries(doubtful.map((path) => [`location.${path}`, "doubtful" as const]));
    return placeWithDoubt({ location, fieldStates }, english);
  };
  expect(place()).toBe("Bulathsinhala, Kalutara");
  expect(place("city")).toBe("Bulathsinhala (not certain), Kalutara");
  expect(place("district")).toBe("Bulathsinhala, Kalutara (not certain)");
  expect(place("city", "district")).toBe("Bulathsinhala, Kalutara (not certain)");
  // The province is not shown.
  expect(place("province")).toBe("Bulathsinhala, Kalutara");
  const fieldStates = { "location.city": "doubtful" } as const;
  const galle = { location: { city: "Galle", district: "Galle" }, fieldStates } as const;
  expect(placeWithDoubt(galle, english)).toBe("Galle");
  const southern = {
    location: { province: "Southern" },
    fieldStates: { "location.province": "doubtful" },
  } as const;
  expect(placeWithDoubt(southern, english)).toBe("Southern Province (not certain)");
  expect(placeWithDoubt({}, english)).toBe("");
});
