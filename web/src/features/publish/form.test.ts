import { expect, it } from "vitest";
import type { Tender, User } from "@/api/types.ts";
import { DISTRICTS, districtsOf } from "@/shared/tender/vocabulary.ts";
import {
  blankForm,
  fieldForPath,
  formErrors,
  type PublishForm,
  parseStoredForm,
  REQUIRED_FIELDS,
  toBody,
  toForm,
} from "./form.ts";

const user = {
  _id: "1",
  firstName: "Kumari",
  lastName: "Silva",
  email: "kumari@example.lk",
  company: "Silva Supplies",
} as User;
const today = "2026-11-21";
const blank = blankForm(user, today);
const whole: PublishForm = {
  ...blank,
  title: "Chairs",
  description: "Two hundred.",
  referenceNo: "S/1",
  category: "Furniture",
  province: "Western",
  district: "Gampaha",
  closingDay: "2026-12-01",
};

const publishing = (form: PublishForm, publishedClosing = "") =>
  formErrors(form, { publishing: true, today, publishedClosing }).map(({ failure }) => failure);

it("requires the fields for publishing, in order", () => {
  expect(publishing({ ...blank, organizationName: " " })).toEqual([...REQUIRED_FIELDS]);
  expect(publishing(whole)).toEqual([]);
  for (const field of REQUIRED_FIELDS)
    expect(publishing({ ...whole, [field]: " ".repeat(2) })[0]).toBe(field);
});

it("requires a closing day after today, unless it is the published one", () => {
  expect(publishing({ ...whole, closingDay: today })).toEqual(["future"]);
  expect(publishing({ ...whole, closingDay: "2026-11-22" })).toEqual([]);
  expect(publishing({ ...whole, closingDay: "2026-11-01" }, "2026-11-01")).toEqual([]);
});

it("requires nothing of a draft, and valid numbers for publishing", () => {
  const draft = (form: PublishForm) => formErrors(form, { publishing: false, today, publishedClosing: "" });
  expect(draft({ ...blank, bidBond: "two" })).toEqual([]);
  expect(publishing({ ...whole, bidBond: "two" })).toEqual(["number"]);
  expect(publishing({ ...whole, turnover: "1,500,000.50" })).toEqual([]);
});

it("sends a draft as entered, and restores it", () => {
  const body = toBody({ ...whole, bidBond: "two", contactEmail: "nobody" }, "draft");
  expect(body.financials?.bidBond).toEqual({ percentage: "two" });
  const { dates: _, status: __, ...draftInput } = body;
  const record = { _id: "1", title: "Chairs", status: "draft", dates: {} } as unknown as Tender;
  const shown = toForm({ ...record, draftInput });
  expect([shown.bidBond, shown.contactEmail, shown.district]).toEqual(["two", "nobody", "Gampaha"]);
});

it("sends the input, and empty values for cleared fields", () => {
  const body = toBody(
    { ...whole, closingHour: "14:30", estimatedValue: "2.5", bidBond: "2", subcategory: "" },
    "published",
  );
  expect(body.dates?.closing).toBe("2026-12-01T14:30:00+05:30");
  expect(body.financials?.estimatedValue).toEqual({ amount: 2.5, currency: "LKR" });
  expect(body.financials?.performanceBond).toEqual({ percentage: null });
  expect([body.status, body.subcategory]).toEqual(["published", ""]);
  expect(toBody(whole, null)).not.toHaveProperty("status");
  expect(toBody(whole, null).dates?.closing).toBe("2026-12-01");
});

it("sends the fields of a loaded tender back unchanged", () => {
  const tender = {
    _id: "1",
    title: "Chairs",
    status: "published",
    priority: "high",
    organization: { name: "Abans", type: "private", contactPerson: { email: "a@b.lk" } },
    location: { province: "Uva", district: "Badulla" },
    dates: { closing: "2026-12-01T14:30:00+05:30", published: "2026-11-20T00:00:00+05:30" },
    financials: { bidBond: { required: true, percentage: 1.5 } },
    eligibility: { criteria: ["Registered"], experience: { years: 3 } },
    tags: ["chairs"],
  } as unknown as Tender;
  const body = toBody(toForm(tender), null);
  expect(body.dates).toEqual({ published: "2026-11-20", closing: "2026-12-01T14:30:00+05:30", opening: "" });
  expect(body.organization?.contactPerson).toEqual({ name: "", email: "a@b.lk", phone: "" });
  expect(body.eligibility).toMatchObject({ criteria: ["Registered"], experience: { years: 3 } });
  expect([body.priority, body.tags, body.financials?.bidBond]).toEqual([
    "high",
    ["chairs"],
    { percentage: 1.5 },
  ]);
});

it("maps the path in a server error to a form field, or to null", () => {
  expect(fieldForPath("organization.contactPerson.email", blank)).toBe("contactEmail");
  expect(fieldForPath("tags[3]", blank)).toBe("tags");
  expect(fieldForPath("eligibility.criteria[0]", blank)).toBe("criteria");
  expect(fieldForPath("title", blank)).toBe("title");
  for (const path of ["", "body", "constructor", "status"]) expect(fieldForPath(path, blank)).toBeNull();
});

it("accepts only a valid stored form", () => {
  expect(parseStoredForm(JSON.stringify(whole))).toEqual(whole);
  for (const rubbish of [null, "", "{", "[]", '{"title":7}', JSON.stringify({ ...whole, tags: "x" })]) {
    expect(parseStoredForm(rubbish)).toBeNull();
  }
});

it("has all 25 districts, each in one province", () => {
  const all = Object.values(DISTRICTS).flat();
  expect([all.length, new Set(all).size]).toEqual([25, 25]);
  expect(districtsOf("")).toEqual([]);
  expect(districtsOf("toString")).toEqual([]);
});
