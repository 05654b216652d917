import { expect, it } from "vitest";
import type { Plan } from "@/api/types.ts";
import { t } from "@/i18n/i18n.ts";
import { comparisonGroups } from "./comparisonRows.ts";

const plan = (name: string, archiveDays: number | null, features: Partial<Plan["features"]>) =>
  ({
    name,
    archiveDays,
    features: { maxTenderViews: 10, savedSearches: 3, maxUsers: 1, ...features },
  }) as Plan;

const plans = [
  plan("free", 14, { openBids: 3, calendarFeed: false }),
  plan("professional", 365, { documents: true, savedTenders: true, emailAlerts: true }),
  plan("enterprise", null, {
    openBids: -1,
    calendarFeed: true,
    emailAlerts: true,
    directAlerts: true,
    maxTenderViews: -1,
    maxUsers: 5,
  }),
];

const rows = comparisonGroups(plans, t).flatMap(({ rows }) => rows);
const valuesOf = (label: string) => {
  const row = rows.find((one) => one.label === label);
  return [row?.guest, ...plans.map((one) => row?.of(one))];
};

it("compares all that is sold, and gives guests what they have", () => {
  expect(valuesOf("Tenders opened a month")).toEqual(["3", "10", "10", "Unlimited"]);
  expect(valuesOf("How far back")).toEqual(["14 days", "14 days", "365 days", "Everything"]);
  expect(valuesOf("Documents of tenders").slice(2)).toEqual([true, undefined]);
  expect(valuesOf("Users").slice(1)).toEqual(["1", "1", "5"]);
  expect(valuesOf("“May I bid?” for your company")).toEqual([false, true, true, true]);
  expect(valuesOf("Open bids on the bid board").slice(1, 2)).toEqual(["3"]);
  expect(valuesOf("Open bids on the bid board").slice(3)).toEqual(["Unlimited"]);
  expect(valuesOf("Calendar feed of your deadlines").slice(3)).toEqual([true]);
  expect(valuesOf("Closings as calendar entries")).toEqual([true, true, true, true]);
});

it("compares the weekly mail and the room for files of bids on every plan", () => {
  expect(valuesOf("Weekly e-mail summary")).toEqual([
    false,
    undefined,
    "As a weekly alert",
    "As a weekly alert",
  ]);
  expect(valuesOf("Storage for files of bids")).toEqual([false, "100 MB", "2,000 MB", "10,000 MB"]);
});

it("says of every plan with alerts that they are unlimited", () => {
  expect(valuesOf("E-mail alerts").slice(2)).toEqual(["Unlimited", "Unlimited"]);
});
