import { expect, it } from "vitest";
import { t } from "@/i18n/i18n.ts";
import { summariesOf } from "./companySummaries.ts";

it("says in a line what each section has", () => {
  const company = {
    cida: [
      { grade: "C5", field: "Building construction" },
      { grade: "C7", field: "Water supply" },
    ],
    turnover: [
      { year: 2025, amount: 84_000_000 },
      { year: 2024, amount: 61_000_000 },
    ],
    experienceYears: 12,
    vat: "114730225-7000",
    documents: [{ kind: "tax-clearance" }],
  } as Parameters<typeof summariesOf>[0];
  expect(summariesOf(company, t)).toEqual({
    cida: "C5 Building construction, C7 Water supply",
    contractsAct: "",
    capacity: "12 years of experience; turnover of 2025, 2024",
    documents: "Tax clearance",
    numbers: "VAT",
    districts: "Everywhere",
  });
});

it("has no line for what is not filled in", () => {
  expect(new Set(Object.values(summariesOf({}, t)))).toEqual(new Set([""]));
});
