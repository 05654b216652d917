import { expect, it } from "vitest";
import { fieldsOf, formPath, profileOf } from "./companyFields.ts";

const profile = {
  vat: "114-7000",
  cida: [{ grade: "C5", field: "Buildings", expires: "2027-03-31" }],
  contractsAct: [{ sector: "Works" }],
  turnover: [{ year: 2025, amount: 25_000_000 }],
  experienceYears: 12,
  districts: ["Matara" as const],
  bondLimit: 2_500_000.5,
  documents: [{ kind: "tax-clearance" as const, note: "in the safe" }],
};

it("a profile that is not changed stays the same", () => {
  expect(profileOf(fieldsOf(profile))).toEqual({ company: profile, problems: [] });
  const nothing = profileOf(fieldsOf({}));
  expect(nothing.company).toEqual({ cida: [], contractsAct: [], turnover: [], districts: [], documents: [] });
});

it("numbers are read with commas, and other texts are named", () => {
  const fields = fieldsOf(profile);
  fields.bondLimit = " 2,500,000 ";
  fields.experienceYears = "twelve";
  fields.turnover = [{ year: "2025", amount: "-3" }];
  const { company, problems } = profileOf(fields);
  expect(company.bondLimit).toBe(2_500_000);
  expect(problems).toEqual(["turnover.0.amount", "experienceYears"]);
});

it("the portal's name of a field is a path of the form", () => {
  expect(formPath("cida[1].grade")).toBe("cida.1.grade");
  expect(formPath("vat")).toBe("vat");
});
