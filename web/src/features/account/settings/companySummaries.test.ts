import { expect, it } from "vitest";
import { t } from "@/i18n/i18n.ts";
import { type CompanySectionName, SECTIONS, SEPARATORS, summariesOf } from "./companySummaries.ts";

type Company = Parameters<typeof summariesOf>[0];

const at = (day: string) => Date.parse(`${day}T09:00:00+05:30`);

/** The line of each section. */
function linesOf(company: Company): Partial<Record<CompanySectionName, string>> {
  const entries = summariesOf(company, at("2026-09-01"), t);
  return Object.fromEntries(
    SECTIONS.map((name) => [name, entries[name].map(({ text }) => text).join(SEPARATORS[name])]),
  );
}

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
  } as Company;
  expect(linesOf(company)).toEqual({
    cida: "C5 Building construction, C7 Water supply",
    contractsAct: "",
    capacity: "12 years of experience; turnover 2025: LKR 84,000,000, 2024: LKR 61,000,000",
    documents: "Tax clearance (valid until Mon 14 Dec 2026)",
    numbers: "VAT",
    districts: "Everywhere",
  });
});

it("has no line for what is not filled in", () => {
  expect(new Set(Object.values(linesOf({})))).toEqual(new Set([""]));
});

it("marks only what must be renewed within sixty days", () => {
  const company = {
    cida: [
      { grade: "C5", field: "Building", expires: "2027-06-30" },
      { grade: "C6", field: "Roads", expires: "2027-01-20" },
    ],
    documents: [{ kind: "tax-clearance", expires: "2027-01-20" }],
  } as Company;
  const marked = (day: string) =>
    Object.values(summariesOf(company, at(day), t))
      .flat()
      .flatMap(({ text, renewal }) => (renewal ? [`${renewal}: ${text}`] : []));
  expect(marked("2026-11-20")).toEqual([]);
  expect(marked("2026-11-21")).toEqual([
    "soon: C6 Roads (valid until Wed 20 Jan 2027, renew soon)",
    "soon: Tax clearance (valid until Wed 20 Jan 2027, renew soon)",
  ]);
  expect(marked("2027-07-01")).toEqual([
    "expired: C5 Building (valid until Wed 30 Jun 2027, expired)",
    "expired: C6 Roads (valid until Wed 20 Jan 2027, expired)",
    "expired: Tax clearance (valid until Wed 20 Jan 2027, expired)",
  ]);
});
