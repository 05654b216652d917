import { expect, it } from "vitest";
import { readFilters } from "@/shared/tender/filters.ts";
import {
  alertLikePath,
  bodyAlertPath,
  isNewAlertPath,
  newAlertPath,
  titleWords,
} from "@/shared/tender/newAlertPath.ts";
import { TOPICS } from "@/shared/tender/vocabulary.ts";
import type { Alert } from "./api.ts";
import { derivedFigures } from "./derivedFigures.ts";
import { type AlertForm, alertSchema, newAlert, toBody, toForm, toPreviewBody, withQuery } from "./form.ts";
import { droppedFilters, prefilledAlert } from "./prefill.ts";

const validForm: AlertForm = {
  ...newAlert,
  name: " Bridges ",
  keywords: [{ term: " bridge ", matchType: "contains" }],
};

/** The path and the message of the first issue of the changed form; `null` without an issue. */
function firstIssue(change: Partial<AlertForm>): [string, string] | null {
  const checked = alertSchema.safeParse({ ...validForm, ...change });
  const [issue] = checked.error?.issues ?? [];
  return issue ? [issue.path.join("."), issue.message] : null;
}

it("accepts a new alert with a name and a keyword, and trims both", () => {
  expect(firstIssue({})).toBeNull();
  expect(toBody(validForm)).toMatchObject({
    name: "Bridges",
    description: null,
    keywords: [{ term: "bridge", matchType: "contains" }],
    emailSettings: { enabled: true, frequency: "immediate", customEmail: null, dailySummaryTime: "09:00" },
    estimatedValue: { min: null, max: null, currency: "LKR" },
    advancedFilters: { includedStatuses: ["published"], minDaysUntilClosing: null },
  });
});

it.each([
  [{ name: " " }, "name", "name"],
  [{ name: "x".repeat(101) }, "name", "nameLong"],
  [{ description: "x".repeat(501) }, "description", "descriptionLong"],
  [{ keywords: [] }, "keywords", "keywords"],
  [{ keywords: [{ term: " ", matchType: "contains" as const }] }, "keywords.0.term", "keyword"],
  [{ keywords: [{ term: "--", matchType: "contains" as const }] }, "keywords.0.term", "keywordEmpty"],
  [{ customEmail: "nobody" }, "customEmail", "email"],
  [{ dailySummaryTime: "24:00" }, "dailySummaryTime", "time"],
  [{ categories: TOPICS.slice(0, 11) }, "categories", "categoriesMany"],
  [{ minValue: "-1" }, "minValue", "amount"],
  [{ minValue: "x" }, "minValue", "amount"],
  [{ minValue: "2", maxValue: "1" }, "minValue", "values"],
  [{ minDays: "366" }, "minDays", "days"],
  [{ minDays: "1.5" }, "minDays", "days"],
  [{ minDays: "9", maxDays: "3" }, "minDays", "daysOrder"],
  [{ excludeKeywords: ["x".repeat(51)] }, "excludeKeywords.0", "keywordLong"],
])("rejects %j", (change, path, message) => {
  expect(firstIssue(change)).toEqual([path, message]);
});

it("converts an alert to form values and back without changes", () => {
  const body = toBody({ ...validForm, minValue: "1.5", minDays: "3", cities: ["Galle"], categories: ["it"] });
  const alert = {
    ...body,
    _id: "1",
    emailSettings: { ...body.emailSettings, customEmail: null },
  } as unknown as Alert;
  expect(toBody(toForm(alert))).toEqual(body);
});

it("previews an unfinished form without its recipient and blank keywords", () => {
  const blank = { term: " ", matchType: "contains" as const };
  expect(toPreviewBody(newAlert)).toBeNull();
  expect(toPreviewBody({ ...validForm, minValue: "x" })).toBeNull();
  const preview = toPreviewBody({
    ...validForm,
    name: "",
    customEmail: "half@",
    keywords: [...validForm.keywords, blank],
  });
  expect(preview?.keywords).toEqual([{ term: "bridge", matchType: "contains" }]);
  expect(preview?.emailSettings).toEqual({ frequency: "immediate" });
});

it("prefills an alert with the filters of the listing", () => {
  const filters = readFilters(new URLSearchParams("search=road&districts=Galle|Matara&minValue=2"));
  const address = new URL(newAlertPath(filters), "http://here.invalid");
  expect(address.pathname).toBe("/alert-settings");
  expect(prefilledAlert(address.searchParams)).toMatchObject({
    name: "road",
    keywords: [{ term: "road", matchType: "contains" }],
    districts: ["Galle", "Matara"],
    minValue: "2",
  });
  expect(prefilledAlert(new URLSearchParams("search=road"))).toBeNull();
});

it("names the filters of the listing that an alert does not have", () => {
  const filters = readFilters(new URLSearchParams("search=road&districts=Galle&grades=C5&kinds=purchase"));
  const address = new URL(newAlertPath(filters), "http://here.invalid");
  expect(droppedFilters(address.searchParams)).toEqual([
    { name: "kinds", value: "purchase" },
    { name: "grades", value: "C5" },
  ]);
  expect(droppedFilters(new URLSearchParams("search=road&minValue=2"))).toEqual([]);
});

it("prefills an alert with the category, the district and the telling words of a tender", () => {
  const path = alertLikePath({
    title: "Supply and Delivery of 40 tyres for Road Rollers (Tyres), Phase II",
    category: "Vehicles",
    location: { district: "Galle" },
  } as never);
  expect(isNewAlertPath(path)).toBe(true);
  expect(prefilledAlert(new URL(path, "http://here.invalid").searchParams)).toMatchObject({
    name: "Tyres, Road, Rollers",
    keywords: ["Tyres", "Road", "Rollers"].map((term) => ({ term, matchType: "contains" })),
    categories: ["Vehicles"],
    districts: ["Galle"],
  });
  expect(isNewAlertPath("/alert-settings?alert=1")).toBe(false);
  expect(isNewAlertPath("/tenders?new=1")).toBe(false);
  expect(isNewAlertPath(null)).toBe(false);
});

it.each([
  ["", []],
  ["Supply of the 2 Lots", []],
  ["ක්‍රීඩාංගණය ඉදිකිරීම", ["ක්‍රීඩාංගණය", "ඉදිකිරීම"]],
  ["Alpha Beta1 Gamma Delta Epsilons Zetaa Thetas", ["Alpha", "Gamma", "Delta", "Epsilons", "Thetas"]],
])("finds the telling words of %j", (title, words) => {
  expect(titleWords(title)).toEqual(words);
});

it("computes the derived figures, also without alerts", () => {
  const stats = { totalAlerts: 3, activeAlerts: 2, totalMatches: 4, totalEmailsSent: 3 };
  expect(derivedFigures(stats as never)).toEqual({
    matchEfficiency: "133.3",
    emailsPerAlert: "1.5",
    activeRate: "67",
  });
  expect(
    derivedFigures({ totalAlerts: 0, activeAlerts: 0, totalMatches: 0, totalEmailsSent: 0 } as never),
  ).toEqual({
    matchEfficiency: "0.0",
    emailsPerAlert: "0.0",
    activeRate: "0",
  });
});

it("needs no keyword if there are bodies", () => {
  const bodies = ["Road Development Authority"];
  expect(firstIssue({ keywords: newAlert.keywords, bodies })).toBeNull();
  expect(toBody({ ...validForm, keywords: newAlert.keywords, bodies })).toMatchObject({
    keywords: [],
    bodies,
  });
  expect(toPreviewBody({ ...newAlert, bodies })).toMatchObject({ keywords: [], bodies });
  expect(toBody(validForm)).not.toHaveProperty("bodies");
  expect(toBody(validForm)).not.toHaveProperty("titleAndScopeOnly");
});

it("prefills the bodies of an offer and of the listing", () => {
  const path = bodyAlertPath("Road & Development Authority");
  expect(isNewAlertPath(path)).toBe(true);
  expect(prefilledAlert(new URL(path, "http://here.invalid").searchParams)).toMatchObject({
    name: "Road & Development Authority",
    bodies: ["Road & Development Authority"],
  });
  const listed = prefilledAlert(
    new URLSearchParams(`new=1&organizations=Water+Board&body=-&body=${"x".repeat(201)}`),
  );
  expect(listed?.bodies).toEqual(["Water Board"]);
});

it("takes a proposed query and keeps the rest of the form", () => {
  const query = {
    keywords: [{ term: "road" }],
    locations: { districts: ["Galle" as const] },
    titleAndScopeOnly: true,
  };
  const form = withQuery({ ...validForm, categories: ["it"], frequency: "weekly" }, query);
  expect(form).toMatchObject({
    name: " Bridges ",
    frequency: "weekly",
    keywords: [{ term: "road", matchType: "contains" }],
    categories: [],
    districts: ["Galle"],
    titleAndScopeOnly: true,
  });
  expect(withQuery(form, {}).keywords).toEqual(newAlert.keywords);
});
