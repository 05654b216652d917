import { expect, it } from "vitest";
import { t } from "@/i18n/i18n.ts";
import { expiringSections, summariesOf } from "./companySummaries.ts";

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
    documents: [{ kind: "tax-clearance", expires: "2026-12-14" }],
  } as Parameters<typeof summariesOf>[0];
  expect(summariesOf(company, t)).toEqual({
    cida: "C5 Building construction, C7 Water supply",
    contractsAct: "",
    capacity: "12 years of experience; turnover 2025: LKR 84,000,000, 2024: LKR 61,000,000",
    documents: "Tax clearance (valid until Mon 14 Dec 2026)",
    numbers: "VAT",
    districts: "Everywhere",
  });
});

it("has no line for what is not filled in", () => {
  expect(new Set(Object.values(summariesOf({}, t)))).toEqual(new Set([""]));
});

it("knows the sections with something to renew within sixty days", () => {
  const company = {
    cida: [{ grade: "C5", field: "Building", expires: "2027-06-30" }],
    documents: [{ kind: "tax-clearance", expires: "2027-01-20" }],
  } as Parameters<typeof expiringSections>[0];
  const sections = (day: string) => [...expiringSections(company, Date.parse(`${day}T09:00:00+05:30`))];
  expect(sections("2026-11-20")).toEqual([]);
  expect(sections("2026-11-21")).toEqual(["documents"]);
  expect(sections("2027-07-01")).toEqual(["cida", "documents"]);
});
