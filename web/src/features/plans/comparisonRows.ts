// The rows of the comparison: all that is sold, and what each plan has of it.

import type { Plan } from "@/api/types.ts";
import type { Translate } from "@/i18n/translate.ts";
import { BID_FILE_MEGABYTES } from "@/shared/plans/bidFileQuota.ts";
import { GUEST_DETAILS_PER_MONTH } from "@/shared/plans/guestQuota.ts";
import { isPaidPlan } from "@/shared/plans/plans.ts";

export interface ComparisonRow {
  label: string;
  /** What a plan has: a text, or whether it is included. */
  of: (plan: Plan) => string | boolean;
  /** What visitors without an account have. */
  guest: string | boolean;
}

export interface ComparisonGroup {
  title: string;
  rows: ComparisonRow[];
}

export function comparisonGroups(plans: readonly Plan[], t: Translate): ComparisonGroup[] {
  const amount = (count: number) => (count === -1 ? t("plans.unlimited") : String(count));
  const days = (count: number | null) =>
    count === null ? t("plans.everything") : t("plans.days", { count });
  const bidFileSizes = new Map<string, number>(Object.entries(BID_FILE_MEGABYTES));
  const bidFiles = (plan: string) => {
    const size = bidFileSizes.get(plan);
    return size !== undefined && t("plans.megabytes", { size: size.toLocaleString("en-LK") });
  };
  // The archive of a guest goes back as many days as the archive of the free plan.
  const free = plans.find(({ name }) => !isPaidPlan(name));
  const row = (
    label: string,
    of: (features: Plan["features"]) => string | boolean,
    guest: string | boolean = false,
  ): ComparisonRow => ({ label, of: ({ features }) => of(features), guest });
  return [
    {
      title: t("plans.group.read"),
      rows: [
        row(t("plans.row.views"), (has) => amount(has.maxTenderViews), String(GUEST_DETAILS_PER_MONTH)),
        {
          label: t("plans.row.archive"),
          of: ({ archiveDays }) => days(archiveDays),
          guest: free ? days(free.archiveDays) : false,
        },
        row(t("plans.row.advanced"), (has) => has.advancedFiltering),
        row(t("plans.row.documents"), (has) => has.documents),
        row(t("plans.row.saved"), (has) => has.savedTenders),
        row(t("plans.row.searches"), (has) => amount(has.savedSearches)),
        row(t("plans.row.calendar"), () => true, true),
      ],
    },
    {
      title: t("plans.group.told"),
      rows: [
        // With a plan that has alerts, an alert with a weekly mail takes the summary's place.
        row(
          t("plans.row.summary"),
          (has) => has.weeklySummary || (has.emailAlerts && t("plans.asWeeklyAlert")),
        ),
        row(t("plans.row.alerts"), (has) => has.emailAlerts && t("plans.unlimited")),
        row(t("plans.row.direct"), (has) => has.directAlerts),
      ],
    },
    {
      title: t("plans.group.bid"),
      rows: [
        row(t("plans.row.mayBid"), () => true),
        row(t("plans.row.openBids"), (has) => amount(has.openBids)),
        { label: t("plans.row.bidFiles"), of: ({ name }) => bidFiles(name), guest: false },
        row(t("plans.row.calendarFeed"), (has) => has.calendarFeed),
      ],
    },
    {
      title: t("plans.group.company"),
      rows: [
        row(t("plans.row.uploads"), (has) => amount(has.maxTenderUploads)),
        row(t("plans.row.users"), (has) => amount(has.maxUsers)),
        row(t("plans.row.api"), (has) => has.apiAccess),
        row(t("plans.row.reports"), (has) => has.customReports),
        row(t("plans.row.support"), (has) => has.prioritySupport),
        row(t("plans.row.manager"), (has) => has.accountManager),
      ],
    },
  ];
}
