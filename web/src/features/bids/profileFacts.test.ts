import { expect, it } from "vitest";
import type { BidChecklistRow, Company } from "@/api/types.ts";
import { t } from "@/i18n/i18n.ts";
import { profileFacts } from "./profileFacts.ts";

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
const facts = (kind: string, held: Company = company) =>
  profileFacts({ derived: { kind } } as BidChecklistRow, held, closing, t).map(({ text, isTooShort }) =>
    isTooShort ? `${text} (too short)` : text,
  );

it.each([
  ["business-registration", ["In your company profile: PV 123"]],
  ["vat", ["In your company profile: 101-7000"]],
  [
    "cida",
    [
      "In your company profile: C4 Building, valid until Wed 31 Mar 2027",
      "In your company profile: C5 Roads, expires on Tue 1 Dec 2026, before bids close (too short)",
    ],
  ],
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
