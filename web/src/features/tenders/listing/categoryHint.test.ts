import { expect, it } from "vitest";
import type { Category } from "@/shared/tender/vocabulary.ts";
import { namedCategory } from "./categoryHint.ts";

const words: Partial<Record<Category, string>> = {
  "Office Supplies": "stationery ලිපිද්‍රව්‍ය",
  "Security Services": "ආරක්ෂක සේවා",
};
const named = (search: string) => namedCategory(search, (category) => [category, words[category] ?? ""]);

it.each([
  ["security services", "Security Services"],
  ["Security", "Security Services"],
  ["stationery", "Office Supplies"],
  ["computers", "Computers & Laptops"],
  ["vehicle", "Vehicles"],
  ["ආරක්ෂක සේවාව", "Security Services"],
  ["ලිපිද්‍රව්‍ය", "Office Supplies"],
])("%s names %s", (search, category) => {
  expect(named(search)).toBe(category);
});

it.each([
  "",
  "security at Galle",
  '"security services"',
  "-security",
  "security OR cleaning",
  "title:security",
  "it",
])("“%s” names no category", (search) => {
  expect(named(search)).toBeNull();
});
