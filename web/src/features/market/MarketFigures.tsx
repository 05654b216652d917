// The figures of a part of the market, and the tenders of a district or a sector that close next.

import { useQuery } from "@tanstack/react-query";
import { ChartColumn } from "lucide-react";
import { useDeferredValue } from "react";
import { Link } from "react-router";
import { messageOf } from "@/api/error.ts";
import type { Facets, LockedTender, Market, Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { enumLabel } from "@/i18n/translate.ts";
import { addDays, dayOf, formatDay } from "@/shared/format/dates.ts";
import { RequestId } from "@/shared/page/RequestId.tsx";
import { paths } from "@/shared/paths.ts";
import { PrintedTitle } from "@/shared/tender/PrintedTitle.tsx";
import { vocabularyName } from "@/shared/tender/vocabularyNames.ts";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { EmptyState, ErrorBanner } from "@/ui/StatusMessages.tsx";
import { market as marketQuery, nextClosings } from "./api.ts";
import { Closings } from "./Closings.tsx";
import { CountTable } from "./CountTable.tsx";
import { closingsInNoWeek, DAYS_AFTER_FIRST, useAdvancedSearch, useClosingWeeks } from "./closingWeeks.ts";
import { countRows, uncertainOf } from "./countRows.tsx";
import { listedInPart, useListed, useUncategorised } from "./listedCounts.ts";
import { listingPath } from "./listingPath.ts";
import { type MarketFilters, marketQueryPath } from "./marketFilters.ts";
import { OpenTenders } from "./OpenTenders.tsx";
import { ShortNotices, showsShare } from "./ShortNotices.tsx";

type FacetCount = Facets["organizations"][number];

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

/** Whether a tender closes in the week that begins on a day. */
function closesIn({ dates }: Tender | LockedTender, week: string): boolean {
  const day = dates?.closing ? dayOf(dates.closing) : "";
  return day >= week && day <= addDays(week, DAYS_AFTER_FIRST);
}

function Figures({ data, filters }: { data: Market; filters: MarketFilters }) {
  const { t } = useTranslation();
  const monthName = (date: string) => {
    const [year = "", month = "1"] = date.split("-");
    const key = String(Number(month)) as "1";
    return t("market.monthOf", { month: t(`shell.date.month.${key}`), year });
  };
  const withFilter = (more: Record<string, string>) => marketQueryPath({ ...filters, ...more });
  const { listed: listedOpen, buyers, isLoading: isOpenLoading } = useListed(filters, true);
  const { listed: listedAll, isLoading: isAllLoading } = useListed(filters, false);
  const { weeks, isLoading: areWeeksLoading } = useClosingWeeks(data.closings, filters);
  const isListed = useAdvancedSearch();
  const isWhole = Object.keys(filters).length === 0;
  const showsTenders = !isWhole && (isListed || !filters.grade);
  const { data: tenders = [], isLoading: areTendersLoading } = useQuery({
    ...nextClosings(filters),
    enabled: showsTenders,
  });
  const withoutCategory = { open: useUncategorised(filters, true), all: useUncategorised(filters, false) };
  // Otherwise, the numbers and the order would change at once.
  if (isOpenLoading || isAllLoading || areWeeksLoading || areTendersLoading) return <Loading />;
  if (data.total === 0) return <Empty filters={filters} />;
  const nextWeek = weeks[0];
  // The figures leave out tenders that the list on the page shows. A number below theirs is not shown.
  const isNextWeekComplete =
    nextWeek && nextWeek.count >= tenders.filter((tender) => closesIn(tender, nextWeek.week)).length;
  const months = knownMonths(data.months);
  const part = filters.district && filters.sector ? "part" : filters.district ? "district" : "sector";
  /** A figure with the number of the listing, to which it leads. */
  const figure = (isOpenOnly: boolean, counted: number) => {
    // The listing can't show a grade to everybody, so that its numbers would be others.
    if (filters.grade) return { value: counted };
    const uncertain = uncertainOf(listedInPart(isOpenOnly ? listedOpen : listedAll, filters), counted);
    return {
      value: counted + uncertain,
      to: listingPath(filters, isOpenOnly),
      note: uncertain > 0 && t(`market.ofThem.${part}`, { count: uncertain }),
    };
  };
  const open = figure(true, data.open);
  const all = figure(false, data.total);
  const { open: openWithout, all: allWithout } = withoutCategory;
  const uncategorised =
    openWithout === undefined || allWithout === undefined
      ? undefined
      : { open: openWithout, all: allWithout };
  const inListing = (name: keyof MarketFilters) => ({
    listingOf: (value: string) => listingPath({ ...filters, [name]: value } as MarketFilters, true),
    listed: { open: listedOpen(name), all: listedAll(name) },
  });
  const unsure = { open: open.value - data.open, all: all.value - data.total };
  const inNoWeek = isListed ? 0 : closingsInNoWeek(data, open.value);
  const closings = (
    <Closings
      weeks={weeks}
      notCertain={data.closingsNotCertain}
      missing={unsure.open > 0 && inNoWeek > 0 && t(`market.inNoWeek.${part}`, { count: inNoWeek })}
      filters={filters}
    />
  );
  return (
    <>
      <div className="grid grid-cols-2 gap-3 max-lg:[&>:last-child:nth-child(odd)]:col-span-2 lg:grid-cols-3">
        <Figure {...open} text={t("market.open", { count: open.value })} />
        {nextWeek && isNextWeekComplete && (
          <Figure
            value={nextWeek.count}
            text={t("market.closingInWeek", { day: formatDay(nextWeek.week) })}
            note={nextWeek.uncertain > 0 && t("market.uncertain", { count: nextWeek.uncertain })}
            to={nextWeek.path}
          />
        )}
        {data.since && (
          <Figure {...all} text={t("market.published", { count: all.value, day: formatDay(data.since) })} />
        )}
      </div>
      {showsTenders && (
        <div className="mt-5 empty:hidden">
          <OpenTenders filters={filters} count={open.value} />
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
                name: (value) => enumLabel(t, "tenders.sector", value),
                ...inListing("sector"),
                unsure,
                uncategorised,
                part: (value) => (isWhole ? paths.marketSector(value) : withFilter({ sector: value })),
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
                ...inListing("district"),
                unsure,
                part: (value) => (isWhole ? paths.marketDistrict(value) : withFilter({ district: value })),
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
                ...inListing("grade"),
                part: (value) => withFilter({ grade: value }),
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
