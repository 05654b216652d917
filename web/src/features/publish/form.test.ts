import { expect, it } from "vitest";
import type { Tender, User } from "@/api/types.ts";
import { DISTRICTS, districtsOf } from "@/shared/tender/vocabulary.ts";
import { toBody } from "./body.ts";
import { BLANK_GRADE, BLANK_LOT, blankForm, type PublishForm, toForm } from "./form.ts";
import { previewTender } from "./previewTender.ts";
import { fieldForPath, findProblems, REQUIRED_FIELDS } from "./problems.ts";
import { STEPS, stepOf } from "./steps.ts";
import { parseStoredForm } from "./storedForm.ts";

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

const problems = (form: PublishForm, publishedClosing = "") =>
  findProblems(form, { publishing: true, today, publishedClosing });
const publishing = (form: PublishForm, publishedClosing = "") =>
  problems(form, publishedClosing).map(({ failure }) => failure);

/** A form with everything that a printed notice has. */
const notice: PublishForm = {
  ...whole,
  method: "NCB",
  grades: [{ grade: "C5", field: "Building construction", alsoAdmits: "higher" }, BLANK_GRADE],
  fee: "3,500",
  saleFrom: "2026-11-23",
  saleUntil: "2026-11-30",
  salePlace: "Shroff",
  bidBond: "240,000",
  bidBondUnit: "LKR",
  preBidDay: "2026-11-25",
  preBidHour: "10:00",
  preBidPlace: "Hall",
  submissionMethods: ["post", "tender-box"],
  submissionPlace: "Room 4",
  lots: [
    { number: "1", title: "Hostel", bidBond: "1.5", bidBondUnit: "percent" },
    { number: "", title: "Canteen", bidBond: "", bidBondUnit: "LKR" },
  ],
};

it("requires the fields for publishing, in order", () => {
  expect(publishing({ ...blank, organizationName: " " })).toEqual([...REQUIRED_FIELDS]);
  expect(problems(blank).map(({ path }) => stepOf(path))).toEqual([
    ...Array(4).fill("what"),
    ...Array(3).fill("dates"),
  ]);
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
  const draft = (form: PublishForm) => findProblems(form, { publishing: false, today, publishedClosing: "" });
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
  expect([body.cida, body.lots, body.documentFee]).toEqual([[], [], {}]);
});

it("maps the path in a server error to a form field, or to null", () => {
  expect(fieldForPath("organization.contactPerson.email", blank)).toBe("contactEmail");
  expect(fieldForPath("tags[3]", blank)).toBe("tags");
  expect(fieldForPath("eligibility.criteria[0]", blank)).toBe("criteria");
  expect(fieldForPath("title", blank)).toBe("title");
  expect(fieldForPath("financials.bidBond.amount", blank)).toBe("bidBond");
  expect(fieldForPath("documentFee.saleUntil", blank)).toBe("saleUntil");
  expect(fieldForPath("cida", blank)).toBe("grades");
  expect(fieldForPath("cida[0].grade", notice)).toBe("grades.0.grade");
  expect(fieldForPath("lots[1].bidBond.amount", notice)).toBe("lots.1.bidBond");
  for (const path of ["", "body", "constructor", "status", "lots[7].title", "cida[0].constructor"]) {
    expect(fieldForPath(path, notice)).toBeNull();
  }
});

it("accepts only a valid stored form, also one of an earlier version", () => {
  const json = JSON.stringify({ ...notice, step: "money" });
  expect(parseStoredForm(json)).toEqual({ form: notice, step: "money" });
  const { grades: _, lots: __, fee: ___, bidBondUnit: ____, ...earlier } = whole;
  expect(parseStoredForm(JSON.stringify(earlier))).toEqual({ form: whole, step: "what" });
  for (const rubbish of [
    null,
    "",
    "{",
    "[]",
    '{"title":7}',
    JSON.stringify({ ...whole, tags: "x" }),
    JSON.stringify({ ...whole, lots: [{ title: 7 }] }),
    JSON.stringify({ ...whole, lots: Array(201).fill(BLANK_LOT) }),
  ]) {
    expect(parseStoredForm(rubbish)).toBeNull();
  }
});

it("sends the parts of a notice, and restores them", () => {
  const body = toBody(notice, null);
  expect(body).toMatchObject({
    method: "NCB",
    cida: [{ grade: "C5", field: "Building construction", alsoAdmits: "higher" }, {}],
    documentFee: {
      amount: 3500,
      currency: "LKR",
      saleFrom: "2026-11-23",
      saleUntil: "2026-11-30",
      place: "Shroff",
    },
    financials: { bidBond: { amount: 240000, currency: "LKR" } },
    preBid: { at: "2026-11-25T10:00:00+05:30", place: "Hall" },
    submission: { methods: ["post", "tender-box"], place: "Room 4" },
    lots: [
      { number: "1", title: "Hostel", bidBond: { percentage: 1.5 } },
      { number: null, title: "Canteen", bidBond: null },
    ],
  });
  const loaded = { ...body, _id: "1", cida: body.cida?.slice(0, 1), dates: {} } as unknown as Tender;
  const shown = toForm(loaded);
  expect(shown.grades).toEqual(notice.grades.slice(0, 1));
  expect(shown.lots).toEqual(notice.lots);
  expect([shown.bidBond, shown.bidBondUnit, shown.fee]).toEqual(["240000", "LKR", "3500"]);
  expect([shown.preBidDay, shown.preBidHour, shown.saleUntil]).toEqual(["2026-11-25", "10:00", "2026-11-30"]);
  expect([shown.submissionMethods, shown.submissionPlace]).toEqual([["post", "tender-box"], "Room 4"]);
  // A blank form sends nothing that could become a part.
  expect(toBody(whole, null)).toMatchObject({
    cida: [],
    lots: [],
    documentFee: {},
    preBid: { at: null },
    submission: { methods: [], place: null },
  });
});

it("keeps the currency of a bond, and a meeting without an hour", () => {
  const tender = {
    _id: "1",
    title: "Chairs",
    financials: { bidBond: { required: true, amount: 500, currency: "USD" } },
    preBid: { at: "2026-11-25" },
  } as unknown as Tender;
  const form = toForm(tender);
  expect([form.preBidDay, form.preBidHour]).toEqual(["2026-11-25", ""]);
  expect(toBody(form, null).financials?.bidBond).toEqual({ amount: 500, currency: "USD" });
});

it.each([
  [{ saleUntil: "2026-11-22" }, "saleUntil", "saleOrder"],
  [{ saleUntil: "2026-12-02" }, "saleUntil", "saleClosing"],
  [{ preBidDay: "2026-12-01", closingHour: "09:00" }, "preBidDay", "preBidClosing"],
  [{ preBidDay: "2026-12-02" }, "preBidDay", "preBidClosing"],
  [{ preBidDay: "2026-11-20" }, "preBidDay", "preBidPublished"],
  [{ preBidDay: "" }, "preBidDay", "day"],
  [{ openingHour: "10:00" }, "openingDay", "day"],
  [{ fee: "much" }, "fee", "number"],
  [{ bidBond: "101", bidBondUnit: "percent" }, "bidBond", "percentage"],
  [{ grades: [{ ...BLANK_GRADE, field: "Bridges" }] }, "grades.0.grade", "grade"],
  [{ lots: [BLANK_LOT, { ...BLANK_LOT, number: "2" }] }, "lots.1.title", "lotTitle"],
  [{ lots: [{ ...BLANK_LOT, title: "Hostel", bidBond: "two" }] }, "lots.0.bidBond", "number"],
] as const)("finds the problem of %j", (change, path, failure) => {
  expect(problems({ ...notice, ...change } as PublishForm)).toEqual([{ path, failure }]);
});

it("has no problem with a notice, and finds all problems in the order of the steps", () => {
  expect(problems(notice)).toEqual([]);
  const found = problems({
    ...notice,
    title: "",
    fee: "x",
    district: "",
    lots: [{ ...BLANK_LOT, number: "1" }],
  });
  expect(found.map(({ path }) => path)).toEqual(["title", "lots.0.title", "fee", "district"]);
  const steps = found.map(({ path }) => STEPS.indexOf(stepOf(path)));
  expect(steps).toEqual([...steps].sort());
});

it("previews the tender without invalid input", () => {
  const file = new File(["%PDF"], "plan.pdf");
  const attachment = { key: "a", name: "plan.pdf", size: 4, file, id: null, progress: null, message: null };
  const attachments = [attachment, { ...attachment, file: null }];
  const tender = previewTender({ ...notice, estimatedValue: "much" }, attachments, "draft");
  expect(tender).toMatchObject({
    status: "draft",
    title: "Chairs",
    cida: [{ grade: "C5", alsoAdmits: "higher" }],
    dates: { closing: "2026-12-01T23:59:59+05:30", published: "2026-11-21T00:00:00+05:30" },
    documentFee: { amount: 3500 },
    financials: { bidBond: { required: true, amount: 240000, currency: "LKR" } },
    preBid: { at: "2026-11-25T10:00:00+05:30" },
    lots: [{ title: "Hostel", bidBond: { percentage: 1.5 } }, { title: "Canteen" }],
  });
  expect(tender.financials?.estimatedValue).toBeUndefined();
  expect(tender.documents?.map(({ name }) => name)).toEqual(["plan.pdf"]);
  expect(previewTender(blank, [], "draft").documentFee).toBeUndefined();
});

it("has all 25 districts, each in one province", () => {
  const all = Object.values(DISTRICTS).flat();
  expect([all.length, new Set(all).size]).toEqual([25, 25]);
  expect(districtsOf("")).toEqual([]);
  expect(districtsOf("toString")).toEqual([]);
});
