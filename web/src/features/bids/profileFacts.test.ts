import { expect, it } from "vitest";
import type { BidChecklistRow, Company } from "@/api/types.ts";
import { t } from "@/i18n/i18n.ts";
import { type AskedGrades, profileFacts } from "./profileFacts.ts";

const company: Company = {
  businessRegistration: "PV 123",
  vat: "101-7000",
  cida: [
    { grade: "C4", field: "Building", expires: "2027-03-31" },
    { grade: "C5", field: "Roads", expires: "2026-12-01" },
  ],
  documents: [
    { kind: "pca-3", expires: "2026-06-30" },
    { kind: "pca-3", note: "in the safe", expires: "2027-06-30" },
  ],
};

const closing = "2026-12-24T14:00:00+05:30";
const facts = (kind: string, held: Company = company, asked: AskedGrades | null = null) =>
  profileFacts({ derived: { kind } } as BidChecklistRow, held, closing, asked, t).map(
    ({ text, isWarning }) => (isWarning ? `${text} (warning)` : text),
  );

/** A notice that asks for a grade in irrigation, and what the server found. */
const asksIrrigation = (found: object): AskedGrades =>
  ({
    cida: [{ grade: "C6", field: "Irrigation and Drainage Canals", alsoAdmits: "higher" }],
    bidding: { requirements: [{ kind: "turnover" }, { kind: "grade", path: "cida.0", ...found }] },
  }) as AskedGrades;

it.each([
  ["business-registration", ["In your company profile: PV 123"]],
  ["vat", ["In your company profile: 101-7000"]],
  ["contracts-act", ["In your company profile: in the safe, valid until Wed 30 Jun 2027"]],
  ["price-schedule", []],
])("tells what the profile has of %s", (kind, expected) => {
  expect(facts(kind)).toEqual(expected);
});

it("tells nothing of an empty profile", () => {
  for (const kind of ["business-registration", "vat", "cida", "contracts-act"]) {
    expect(facts(kind, {})).toEqual([]);
  }
});

it.each<[object, string[]]>([
  [
    { verdict: "missing", reason: "other-field", row: 0 },
    [
      "Missing: CIDA C6 or above (Irrigation and Drainage Canals). " +
        "Your registration is for another field of work. (warning)",
      "In your company profile: C4 Building, valid until Wed 31 Mar 2027",
    ],
  ],
  [{ verdict: "met", row: 0 }, ["In your company profile: C4 Building, valid until Wed 31 Mar 2027"]],
  [
    { verdict: "missing", reason: "expired", row: 1 },
    [
      "Missing: CIDA C6 or above (Irrigation and Drainage Canals). " +
        "Your registration ends before the closing day. (warning)",
      "In your company profile: C5 Roads, expires on Tue 1 Dec 2026, before bids close (warning)",
    ],
  ],
  [
    { verdict: "not-certain", reason: "field-unclear", row: 0 },
    [
      "Not certain: CIDA C6 or above (Irrigation and Drainage Canals). " +
        "Please compare the fields of work. (warning)",
      "In your company profile: C4 Building, valid until Wed 31 Mar 2027",
    ],
  ],
  [{}, []],
])("names the registration that the server compared: %o", (found, expected) => {
  expect(facts("cida", company, asksIrrigation(found))).toEqual(expected);
});

it("says nothing of registrations that no one has compared, and names a document without them", () => {
  expect(facts("cida")).toEqual([]);
  expect(facts("cida", { documents: [{ kind: "cida", note: "in the safe" }] })).toEqual([
    "In your company profile: in the safe",
  ]);
});
