// The weeks in which tenders close.

import { Link } from "react-router";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatDay } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { CountTable } from "./CountTable.tsx";
import { type ClosingWeek, useAdvancedSearch } from "./closingWeeks.ts";
import { linkStyle } from "./linkStyle.ts";
import { listingPath } from "./listingPath.ts";
import type { MarketFilters } from "./marketFilters.ts";

/** The weeks in which tenders close. Below them stands the way to the list of these tenders. */
export function Closings({
  weeks,
  without,
  notRead,
  filters,
}: {
  weeks: readonly ClosingWeek[];
  /** The number of open tenders whose closing is not stated or was not read. */
  without: number;
  /** The number of those whose closing was not read. */
  notRead: number;
  filters: MarketFilters;
}) {
  const { t } = useTranslation();
  const isListed = useAdvancedSearch();
  const rows = weeks.map((row) => ({ ...row, label: formatDay(row.week) }));
  const help = [
    without > 0 && t("market.withoutClosing", { count: without }),
    notRead > 0 && isListed && t("market.closingsMayBe"),
  ];
  return (
    <CountTable
      caption={t("market.closings")}
      head={t("market.week")}
      rows={rows.map(({ week, ...row }) => ({ key: week, ...row }))}
      help={help.filter(Boolean).join(" ")}
    >
      {Object.keys(filters).length === 0 && (
        <Link
          to={listingPath(filters, true, { sort: "closing" })}
          className="mt-2 inline-flex min-h-11 items-center font-semibold text-accent hover:underline"
        >
          {t("market.byClosing")}
        </Link>
      )}
      {!isListed && (
        <p className="mt-2 text-sm text-ink-soft">
          {t("market.weeksOfPlan")}{" "}
          <Link to={paths.pricing} className={`${linkStyle} inline-block py-0.5`}>
            {t("shell.nav.pricing")}
          </Link>
        </p>
      )}
    </CountTable>
  );
}
