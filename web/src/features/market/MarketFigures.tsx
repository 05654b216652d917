// The figures of a part of the market, and the tenders of a district or a sector that close next.

import { useQuery } from "@tanstack/react-query";
import { ChartColumn } from "lucide-react";
import { useDeferredValue } from "react";
import { Link } from "react-router";
import { messageOf } from "@/api/error.ts";
import type { Facets, Market } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { enumLabel } from "@/i18n/translate.ts";
import { formatDay } from "@/shared/format/dates.ts";
import { RequestId } from "@/shared/page/RequestId.tsx";
import { paths } from "@/shared/paths.ts";
import { PrintedTitle } from "@/shared/tender/PrintedTitle.tsx";
import { tenderFacets } from "@/shared/tender/tenderQueries.ts";
import { vocabularyName } from "@/shared/tender/vocabularyNames.ts";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { EmptyState, ErrorBanner } from "@/ui/StatusMessages.tsx";
import { market as marketQuery, nextClosings } from "./api.ts";
import { Closings } from "./Closings.tsx";
import { CountTable } from "./CountTable.tsx";
import { closingWeeks, useAdvancedSearch } from "./closingWeeks.ts";
import { countRows } from "./countRows.tsx";
import { listingFilters, listingPath, otherListingPath } from "./listingPath.ts";
import { type MarketFilters, marketQueryPath } from "./marketFilters.ts";
import { OpenTenders } from "./OpenTenders.tsx";
import { ShortNotices, showsShare } from "./ShortNotices.tsx";

type FacetCount = Facets["organizations"][number];

/** The category whose tenders belong to no sector. */
const isCategory = (value: string) => value === "Other";

/** A number with what it counts. It is a link where the listing can show what it counts. */
function Figure({
  value,
  text,
  note,
  to,
}: {
  value: number;
  text: string;
  /** How many of them are not certain. */
  note?: string | false | undefined;
  to?: string | undefined;
}) {
  const content = (
    <>
      <span className="block text-3xl font-bold tabular-nums">{value}</span>{" "}
      <span className="text-[0.9375rem]">{note ? `${text}, ${note}` : text}</span>
    </>
  );
  const style = "min-w-0 rounded-xl border border-line bg-sheet px-4 py-3";
  if (!to || value === 0) return <p className={style}>{content}</p>;
  return (
    <Link
      to={to}
      className={`${style} group hover:border-accent [&>span:first-child]:text-accent [&>span:last-child]:underline [&>span:last-child]:underline-offset-2`}
    >
      {content}
    </Link>
  );
}

/** The months from the first one with tenders on. */
function knownMonths(months: Market["months"]): Market["months"] {
  const first = months.findIndex(({ count }) => count > 0);
  return first < 0 ? [] : months.slice(first);
}

function Empty({ filters }: { filters: MarketFilters }) {
  const { t } = useTranslation();
  const isWhole = Object.keys(filters).length === 0;
  return (
    <EmptyState
      icon={<ChartColumn size={22} />}
      title={t("market.none")}
      action={
        <ButtonLink to={isWhole ? paths.tenders : paths.market} variant="outlined">
          {t(isWhole ? "market.find" : "market.whole")}
        </ButtonLink>
      }
    />
  );
}

function Loading() {
  const { t } = useTranslation();
  return (
    <div role="status" aria-label={t("market.loading")} className="grid gap-5 lg:grid-cols-2">
      {["a", "b", "c", "d"].map((key) => (
        <div key={key} className="skeleton h-64 rounded-xl" />
      ))}
    </div>
  );
}

/** The bodies with the most open tenders, for readers whose listing can show them. */
function OpenBuyers({ buyers, filters }: { buyers: readonly FacetCount[]; filters: MarketFilters }) {
  const { t } = useTranslation();
  const rows = buyers
    .filter(({ count }) => count > 0)
    .map(({ _id, name, count }) => ({
      key: _id,
      label: <PrintedTitle printed={name} />,
      count,
      path: listingPath(filters, true, { organizations: _id }),
    }));
  return <CountTable caption={t("market.openBuyers")} head={t("market.list.name")} rows={rows} />;
}

/** The bodies with the most open tenders in a part of the market. */
function useOpenBuyers({ grade, ...rest }: MarketFilters) {
  const isPart = rest.district !== undefined || rest.sector !== undefined;
  // The listing can't show a grade to everybody.
  const { data, isLoading } = useQuery({
    ...tenderFacets(listingFilters(rest, true)),
    enabled: isPart && !grade,
  });
  return { buyers: (isPart && !grade && data?.organizations) || [], isLoading };
}

function Figures({ data, filters }: { data: Market; filters: MarketFilters }) {
  const { t } = useTranslation();
  const monthName = (date: string) => {
    const [year = "", month = "1"] = date.split("-");
    const key = String(Number(month)) as "1";
    return t("market.monthOf", { month: t(`shell.date.month.${key}`), year });
  };
  const withFilter = (more: Record<string, string>) => marketQueryPath({ ...filters, ...more });
  const isListed = useAdvancedSearch();
  const isWhole = Object.keys(filters).length === 0;
  // The listing can't show a grade to everybody.
  const hasListing = isListed || !filters.grade;
  const { buyers, isLoading: areBuyersLoading } = useOpenBuyers(filters);
  const showsTenders = !isWhole && hasListing;
  const { isLoading: areTendersLoading } = useQuery({ ...nextClosings(filters), enabled: showsTenders });
  // Otherwise, what stands below them would move.
  if (areBuyersLoading || areTendersLoading) return <Loading />;
  if (data.total === 0) return <Empty filters={filters} />;
  const weeks = closingWeeks(data, filters, isListed);
  const nextWeek = weeks[0];
  const months = knownMonths(data.months);
  const part = filters.district && filters.sector ? "part" : filters.district ? "district" : "sector";
  /** A figure that leads to the listing. It says how many of its tenders have a doubtful place or sector. */
  const figure = (isOpenOnly: boolean, value: number, uncertain: number) => ({
    value,
    to: hasListing ? listingPath(filters, isOpenOnly) : undefined,
    note: uncertain > 0 && t(`market.ofThem.${part}`, { count: uncertain }),
  });
  const inListing = (name: string) =>
    hasListing ? (value: string) => listingPath({ ...filters, [name]: value }, true) : undefined;
  const closings = (
    <Closings weeks={weeks} without={data.withoutClosing} notRead={data.closingsNotRead} filters={filters} />
  );
  return (
    <>
      <div className="grid grid-cols-2 gap-3 max-lg:[&>:last-child:nth-child(odd)]:col-span-2 lg:grid-cols-3">
        <Figure
          {...figure(true, data.open, data.uncertainOpen)}
          text={t("market.open", { count: data.open })}
        />
        {nextWeek && (
          <Figure
            value={nextWeek.count}
            text={t("market.closingInWeek", { day: formatDay(nextWeek.week) })}
            note={nextWeek.uncertain > 0 && t("market.uncertain", { count: nextWeek.uncertain })}
            to={nextWeek.path}
          />
        )}
        {data.since && (
          <Figure
            {...figure(false, data.total, data.uncertain)}
            text={t("market.published", { count: data.total, day: formatDay(data.since) })}
          />
        )}
      </div>
      {showsTenders && (
        <div className="mt-5 empty:hidden">
          <OpenTenders filters={filters} count={data.open} />
        </div>
      )}
      <div className="mt-5 grid items-start gap-5 lg:grid-cols-2">
        <div className="grid min-w-0 gap-5">
          {!isWhole && <OpenBuyers buyers={buyers} filters={filters} />}
          {!filters.sector && (
            <CountTable
              caption={t("market.sectors")}
              head={t("market.filter.sector")}
              rows={countRows(t, {
                counts: data.sectors,
                // A category that belongs to no sector stands among the sectors.
                name: (value) =>
                  isCategory(value)
                    ? vocabularyName("category", value, t)
                    : enumLabel(t, "tenders.sector", value),
                part: (value) => {
                  if (isCategory(value)) return null;
                  return isWhole ? paths.marketSector(value) : withFilter({ sector: value });
                },
                listingOf: (value) => {
                  if (!isCategory(value)) return inListing("sector")?.(value);
                  return isListed ? otherListingPath(filters) : undefined;
                },
              })}
            />
          )}
          {(isWhole || filters.sector) && closings}
        </div>
        <div className="grid min-w-0 gap-5">
          {!isWhole && !filters.sector && closings}
          {!filters.district && (
            <CountTable
              caption={t("market.districts")}
              head={t("market.filter.district")}
              rows={countRows(t, {
                counts: data.districts,
                name: (value) => vocabularyName("district", value, t),
                part: (value) => (isWhole ? paths.marketDistrict(value) : withFilter({ district: value })),
                listingOf: inListing("district"),
              })}
            />
          )}
          {!filters.grade && (
            <CountTable
              caption={t("market.grades")}
              head={t("market.filter.grade")}
              rows={countRows(t, {
                counts: data.grades,
                name: (value) => value,
                part: (value) => withFilter({ grade: value }),
                listingOf: isListed ? inListing("grade") : undefined,
              })}
              help={t("market.gradesHelp")}
            />
          )}
          {months.length > 1 && (
            <CountTable
              caption={t("market.months")}
              head={t("market.month")}
              rows={months.map(({ month, count }) => ({ key: month, label: monthName(month), count }))}
              help={t("market.monthsHelp")}
            />
          )}
        </div>
      </div>
      {(isWhole || showsShare(data.shortNotices)) && (
        <div className="mt-5">
          <ShortNotices rows={data.shortNotices} />
        </div>
      )}
      {!isWhole && <p className="mt-5 max-w-[70ch] text-sm text-ink-soft">{t("market.lead")}</p>}
    </>
  );
}

export function MarketFigures({ filters }: { filters: MarketFilters }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useDeferredValue(useQuery(marketQuery(filters)));
  if (error && !data) {
    return (
      <ErrorBanner
        title={t("market.error", { message: messageOf(error, t("market.errorFallback")) })}
        action={
          <Button variant="outlined" size="small" onClick={() => void refetch()}>
            {t("shell.tryAgain")}
          </Button>
        }
      >
        <RequestId error={error} />
      </ErrorBanner>
    );
  }
  if (!data) return <Loading />;
  return <Figures data={data} filters={filters} />;
}
