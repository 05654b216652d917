// The market in figures: all of it, a district or a sector. The address has the filters.

import { useQuery } from "@tanstack/react-query";
import { ChartColumn } from "lucide-react";
import { useDeferredValue } from "react";
import { Link, useNavigate, useParams, useSearchParams } from "react-router";
import { parseEnum } from "@/api/enums.ts";
import { messageOf } from "@/api/error.ts";
import type { Facets, LockedTender, Market, Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { enumLabel, type Translate } from "@/i18n/translate.ts";
import { addDays, dayOf, formatDay } from "@/shared/format/dates.ts";
import { MarketTabs } from "@/shared/page/MarketTabs.tsx";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { RequestId } from "@/shared/page/RequestId.tsx";
import { paths } from "@/shared/paths.ts";
import { PrintedTitle } from "@/shared/tender/PrintedTitle.tsx";
import { tenderFacets } from "@/shared/tender/tenderQueries.ts";
import { tenderStatsWithin } from "@/shared/tender/tenderStats.ts";
import { ALL_DISTRICTS, SECTORS } from "@/shared/tender/vocabulary.ts";
import { vocabularyName } from "@/shared/tender/vocabularyNames.ts";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { SelectField } from "@/ui/Field.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { EmptyState, ErrorBanner } from "@/ui/StatusMessages.tsx";
import { market as marketQuery, nextClosings } from "./api.ts";
import { type CountRow, CountTable } from "./CountTable.tsx";
import {
  type ClosingWeek,
  closingsInNoWeek,
  DAYS_AFTER_FIRST,
  useAdvancedSearch,
  useClosingWeeks,
} from "./closingWeeks.ts";
import { listingFilters, listingPath } from "./listingPath.ts";
import { MARKET_GRADES, type MarketFilters, marketPath, readMarketFilters } from "./marketFilters.ts";
import { OpenTenders } from "./OpenTenders.tsx";
import { ShortNotices, showsShare } from "./ShortNotices.tsx";

type Counts = Market["districts"];
type FacetCount = Facets["organizations"][number];

const linkStyle = "text-accent underline underline-offset-2";
const footLinkStyle = "mt-2 inline-flex min-h-11 items-center font-semibold text-accent hover:underline";

/** The name of a day such as 2026-11-30. */
const dayName = (day: string) => formatDay(`${day}T12:00:00+05:30`);

function titleOf({ district, sector, grade }: MarketFilters, t: Translate): string {
  if (grade || (district && sector)) return t("market.title");
  if (district) return t("market.inDistrict", { name: vocabularyName("district", district, t) });
  if (sector) return t("market.inSector", { name: enumLabel(t, "tenders.sector", sector) });
  return t("market.title");
}

/** Chooses the district, the sector and the grade. A choice opens its address at once. */
function Filters({ filters }: { filters: MarketFilters }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const choose = (name: keyof MarketFilters) => (value: string) => {
    const parameters = new URL(marketQueryPath({ ...filters, [name]: value }), "http://x").searchParams;
    const chosen = readMarketFilters({}, parameters) ?? {};
    navigate(marketPath(chosen), { preventScrollReset: true });
  };
  const options = {
    district: ALL_DISTRICTS.map((value) => [value, vocabularyName("district", value, t)] as const),
    sector: SECTORS.map((value) => [value, enumLabel(t, "tenders.sector", value)] as const),
    grade: MARKET_GRADES.map((value) => [value, value] as const),
  };
  return (
    <search aria-label={t("market.filter.label")} className="grid grid-cols-2 gap-3 sm:grid-cols-3">
      {(["district", "sector", "grade"] as const).map((name) => (
        <SelectField
          key={name}
          label={t(`market.filter.${name}`)}
          value={filters[name] ?? ""}
          onChange={(event) => choose(name)(event.target.value)}
        >
          <option value="">{t("market.filter.all")}</option>
          {options[name].map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
      ))}
    </search>
  );
}

/** The filters as query parameters, before they are known to be valid. */
function marketQueryPath(filters: Partial<Record<keyof MarketFilters, string>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value) query.set(name, value);
  return `${paths.market}?${query}`;
}

type PartName = keyof MarketFilters;

/** The numbers of tenders that the listing shows for the values of a part of the market. */
type Listed = (name: PartName) => ReadonlyMap<string, number>;

/**
 * The numbers of the listing. It also finds tenders whose value is not certain, which the figures leave
 * out. Without the advanced search, the listing has no numbers of grades. It has none at all while a grade
 * narrows the figures.
 */
function useListed(
  { grade, ...rest }: MarketFilters,
  isOpenOnly: boolean,
): { listed: Listed; buyers: readonly FacetCount[]; isLoading: boolean } {
  const { data, isLoading } = useQuery({
    ...tenderFacets(listingFilters(rest, isOpenOnly)),
    enabled: !grade,
  });
  const grades = data?.grades?.filter(({ _id }) => parseEnum(MARKET_GRADES, _id) !== null);
  const counts = { district: data?.districts, sector: data?.sectors, grade: grades };
  const listed: Listed = (name) =>
    new Map(grade ? [] : counts[name]?.map(({ _id, count }) => [_id, count] as const));
  return { listed, buyers: (!grade && data?.organizations) || [], isLoading };
}

/** How many of the listed tenders a figure leaves out. */
function uncertainOf(listed: number | undefined, counted: number): number {
  return Math.max(0, (listed ?? counted) - counted);
}

/** The number of listed tenders of a part of the market. A filter does not narrow its own numbers. */
function listedInPart(listed: Listed, { district, sector }: MarketFilters): number | undefined {
  if (district) return listed("district").get(district);
  return sector ? listed("sector").get(sector) : undefined;
}

/** Numbers of open tenders and of all tenders. */
interface OpenAndAll {
  open: number;
  all: number;
}

/**
 * How many tenders of the listing have no category. The others without a sector have the category "Other".
 * `undefined` while it is not known.
 */
function useUncategorised({ grade, ...rest }: MarketFilters, isOpenOnly: boolean): number | undefined {
  const { data } = useQuery({ ...tenderStatsWithin(listingFilters(rest, isOpenOnly)), enabled: !grade });
  if (grade || !data) return;
  const listed = isOpenOnly ? data.liveTenders : data.totalTenders;
  return Math.max(0, listed - data.categoryStats.reduce((sum, { count }) => sum + count, 0));
}

interface RowSource {
  counts: Counts;
  name: (value: string) => string;
  /** The part of the market that a value leads to. */
  part: (value: string) => string;
  /** The open tenders of a value in the listing. */
  listingOf: (value: string) => string;
  /** The numbers of the listing: its open tenders, and all. */
  listed: { open: ReadonlyMap<string, number>; all: ReadonlyMap<string, number> };
  /** The listed tenders that `counts` leave out, because they are in this part of the market without certainty. */
  unsure?: OpenAndAll;
  /** The listed tenders without a category. With them, the table has a row of the category "Other". */
  uncategorised?: OpenAndAll | undefined;
}

/**
 * The rows of a table of values, most open tenders first. They have the numbers of the listing where it can
 * show the value, because they lead to it.
 */
function countRows(t: Translate, source: RowSource): CountRow[] {
  const { counts, name, part, listingOf, listed } = source;
  const known = new Set(counts.map(({ value }) => value));
  const others = [...listed.all]
    .filter(([value, count]) => count > 0 && !known.has(value))
    .map(([value]) => ({ value, count: 0, open: 0 }));
  const stated = [...counts, ...others].flatMap(({ value, count, open }) => {
    if (!value) return [];
    const uncertain = uncertainOf(listed.open.get(value), open);
    const all = Math.max(count, listed.all.get(value) ?? 0, open + uncertain);
    return {
      key: value,
      label: (
        <Link to={part(value)} className={linkStyle}>
          {name(value)}
        </Link>
      ),
      count: all,
      open: open + uncertain,
      path: listed.open.has(value) ? listingOf(value) : undefined,
      uncertain,
      added: all - count,
    };
  });
  const sorted = stated.toSorted((one, other) => other.open - one.open || other.count - one.count);
  return [...sorted, ...restRows(t, sorted, source)];
}

/**
 * The last rows, which count what is not stated. The server also counts there what is not certain. What other
 * rows have from the listing is subtracted, so that no tender counts twice.
 */
function restRows(
  t: Translate,
  stated: readonly { uncertain: number; added: number }[],
  { counts, unsure = { open: 0, all: 0 }, uncategorised }: RowSource,
): CountRow[] {
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const notStated = counts.find(({ value }) => !value);
  const added = sum(stated.map((row) => row.added));
  const uncertain = sum(stated.map((row) => row.uncertain));
  const open = Math.max(0, (notStated?.open ?? 0) + unsure.open - uncertain);
  const count = Math.max(open, (notStated?.count ?? 0) + unsure.all - added);
  const row = (key: string, label: string, { open, all }: OpenAndAll): CountRow[] =>
    all === 0
      ? []
      : [{ key, label: <span className="text-ink-soft">{label}</span>, count: all, open, isRest: true }];
  if (!uncategorised) {
    return row("", t(added > 0 ? "market.notStatedAlone" : "market.notStated"), { open, all: count });
  }
  const without = { open: Math.min(open, uncategorised.open), all: Math.min(count, uncategorised.all) };
  const other = { open: open - without.open, all: count - without.all };
  return [
    ...row("other", vocabularyName("category", "Other", t), other),
    ...row("", t("market.notStatedAlone"), without),
  ];
}

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

/** Whether a tender closes in the week that begins on a day. */
function closesIn({ dates }: Tender | LockedTender, week: string): boolean {
  const day = dates?.closing ? dayOf(dates.closing) : "";
  return day >= week && day <= addDays(week, DAYS_AFTER_FIRST);
}

/** The weeks in which tenders close. Below them stands the way to the list of these tenders. */
function Closings({
  weeks,
  notCertain,
  missing,
  filters,
}: {
  weeks: readonly ClosingWeek[];
  /** The number of open tenders without a certain closing. */
  notCertain: number;
  /** That open tenders of the page are in none of the weeks because of what is not certain, if there are any. */
  missing: string | false;
  filters: MarketFilters;
}) {
  const { t } = useTranslation();
  const isListed = useAdvancedSearch();
  const rows = weeks.filter(({ count }) => count > 0).map((row) => ({ ...row, label: dayName(row.week) }));
  const help = missing
    ? [missing]
    : [
        notCertain > 0 && t("market.closingsNotCertain", { count: notCertain }),
        notCertain > 0 && isListed && t("market.closingsMayBe"),
      ];
  return (
    <CountTable
      caption={t("market.closings")}
      head={t("market.week")}
      rows={rows.map(({ week, ...row }) => ({ key: week, ...row }))}
      help={help.filter(Boolean).join(" ")}
    >
      {Object.keys(filters).length === 0 && (
        <Link to={listingPath(filters, true, { sort: "closing" })} className={footLinkStyle}>
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
  const inListing = (name: PartName) => ({
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
            text={t("market.closingInWeek", { day: dayName(nextWeek.week) })}
            note={nextWeek.uncertain > 0 && t("market.uncertain", { count: nextWeek.uncertain })}
            to={nextWeek.path}
          />
        )}
        {data.since && (
          <Figure {...all} text={t("market.published", { count: all.value, day: dayName(data.since) })} />
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

function MarketFigures({ filters }: { filters: MarketFilters }) {
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

/** In place of a district or a sector that there is not. */
function Unknown() {
  const { t } = useTranslation();
  return (
    <Page className="grid min-h-[50vh] place-items-center py-8 text-center">
      <Metadata
        title={t("shell.missing.title")}
        description={t("shell.missing.text")}
        keywords="404"
        unlisted
      />
      <div>
        <h1 className="text-2xl font-bold">{t("shell.missing.title")}</h1>
        <p className="mt-2 mb-5 text-ink-soft">{t("shell.missing.text")}</p>
        <ButtonLink to={paths.market} variant="outlined">
          {t("market.whole")}
        </ButtonLink>
      </div>
    </Page>
  );
}

export function Component() {
  const { t } = useTranslation();
  const part = useParams();
  const [parameters] = useSearchParams();
  const filters = readMarketFilters(part, parameters);
  if (!filters) return <Unknown />;
  const title = titleOf(filters, t);
  const isWhole = Object.keys(filters).length === 0;
  return (
    <Page className="py-8">
      <Metadata
        title={title}
        description={t("market.description")}
        keywords={t("market.keywords")}
        kind="CollectionPage"
      />
      <MarketTabs />
      {!isWhole && (
        <p>
          <Link to={paths.market} className={`${linkStyle} inline-block py-1`}>
            {t("market.whole")}
          </Link>
        </p>
      )}
      <h1 className="text-3xl font-bold tracking-tight">{title}</h1>
      {isWhole && <p className="mt-2 max-w-[70ch] text-ink-soft">{t("market.lead")}</p>}
      <div className="mt-5">
        <Filters filters={filters} />
      </div>
      <div className="mt-6">
        <MarketFigures filters={filters} />
      </div>
    </Page>
  );
}
