// The market in figures: all of it, a district or a sector. The address has the filters.

import { useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { Link, useNavigate, useParams, useSearchParams } from "react-router";
import { messageOf } from "@/api/error.ts";
import type { Market } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { enumLabel, type Translate } from "@/i18n/translate.ts";
import { formatDay } from "@/shared/format/dates.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { RequestId } from "@/shared/page/RequestId.tsx";
import { paths } from "@/shared/paths.ts";
import { ALL_DISTRICTS, SECTORS } from "@/shared/tender/vocabulary.ts";
import { vocabularyName } from "@/shared/tender/vocabularyNames.ts";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { SelectField } from "@/ui/Field.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { ErrorBanner } from "@/ui/StatusMessages.tsx";
import { market as marketQuery } from "./api.ts";
import { type CountRow, CountTable } from "./CountTable.tsx";
import { MARKET_GRADES, type MarketFilters, marketPath, readMarketFilters } from "./marketFilters.ts";
import { ShortNotices } from "./ShortNotices.tsx";

type Counts = Market["districts"];

const linkStyle = "text-accent underline underline-offset-2";

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
    <search aria-label={t("market.filter.label")} className="grid gap-3 sm:grid-cols-3">
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

/** The address of the listing with these filters, but for the grade, which only some plans can filter by. */
function listingPath({ district, sector }: MarketFilters): string {
  const query = new URLSearchParams();
  if (sector) query.set("category", sector);
  if (district) query.set("districts", district);
  return query.size === 0 ? paths.tenders : `${paths.tenders}?${query}`;
}

function countRows(
  counts: Counts,
  t: Translate,
  name: (value: string) => string,
  to: (value: string) => string,
): CountRow[] {
  return counts.map(({ value, count, open }) => ({
    key: value ?? "",
    label: value ? (
      <Link to={to(value)} className={linkStyle}>
        {name(value)}
      </Link>
    ) : (
      <span className="text-ink-soft">{t("market.notStated")}</span>
    ),
    count,
    open,
  }));
}

function Figure({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="min-w-0 rounded-xl border border-line bg-sheet px-4 py-3">
      <dt className="text-sm text-ink-soft">{label}</dt>
      <dd className="text-2xl font-bold tabular-nums">{children}</dd>
    </div>
  );
}

function Figures({ data, filters }: { data: Market; filters: MarketFilters }) {
  const { t } = useTranslation();
  const day = (date: string) => formatDay(`${date}T12:00:00+05:30`);
  const monthName = (date: string) => {
    const [year = "", month = "1"] = date.split("-");
    const key = String(Number(month)) as "1";
    return t("market.monthOf", { month: t(`shell.date.month.${key}`), year });
  };
  const withFilter = (more: Record<string, string>) => marketQueryPath({ ...filters, ...more });
  return (
    <>
      <dl className="grid grid-cols-2 gap-3 sm:max-w-[32rem]">
        <Figure label={t("market.total")}>{data.total}</Figure>
        <Figure label={t("market.open")}>{data.open}</Figure>
      </dl>
      <p className="mt-2 flex flex-wrap items-center gap-x-5 text-[0.9375rem] text-ink-soft">
        {data.since && <span>{t("market.since", { day: day(data.since) })}</span>}
        <Link to={listingPath(filters)} className={`${linkStyle} py-1`}>
          {t("market.find")}
        </Link>
      </p>
      {data.total === 0 && <p className="mt-4">{t("market.none")}</p>}
      <div className="mt-5 grid items-start gap-5 lg:grid-cols-2">
        <div className="grid min-w-0 gap-5">
          {!filters.sector && (
            <CountTable
              caption={t("market.sectors")}
              head={t("market.filter.sector")}
              rows={countRows(
                data.sectors,
                t,
                (value) => enumLabel(t, "tenders.sector", value),
                (value) =>
                  filters.district || filters.grade
                    ? withFilter({ sector: value })
                    : paths.marketSector(value),
              )}
            />
          )}
          <CountTable
            caption={t("market.closings")}
            head={t("market.week")}
            rows={data.closings.map(({ week, count }) => ({ key: week, label: day(week), count }))}
            help={
              data.closingsNotCertain > 0 &&
              t("market.closingsNotCertain", { count: data.closingsNotCertain })
            }
          />
          <ShortNotices rows={data.shortNotices} />
          {!filters.grade && (
            <CountTable
              caption={t("market.grades")}
              head={t("market.filter.grade")}
              rows={countRows(
                data.grades,
                t,
                (value) => value,
                (value) => withFilter({ grade: value }),
              )}
              help={t("market.gradesHelp")}
            />
          )}
        </div>
        <div className="grid min-w-0 gap-5">
          {!filters.district && (
            <CountTable
              caption={t("market.districts")}
              head={t("market.filter.district")}
              rows={countRows(
                data.districts,
                t,
                (value) => vocabularyName("district", value, t),
                (value) =>
                  filters.sector || filters.grade
                    ? withFilter({ district: value })
                    : paths.marketDistrict(value),
              )}
            />
          )}
          <CountTable
            caption={t("market.months")}
            head={t("market.month")}
            rows={data.months.map(({ month, count }) => ({ key: month, label: monthName(month), count }))}
            help={t("market.monthsHelp")}
          />
        </div>
      </div>
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
  if (!data) {
    return (
      <div role="status" aria-label={t("market.loading")} className="grid gap-5 lg:grid-cols-2">
        {["a", "b", "c", "d"].map((key) => (
          <div key={key} className="skeleton h-64 rounded-xl" />
        ))}
      </div>
    );
  }
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
      {!isWhole && (
        <p>
          <Link to={paths.market} className={`${linkStyle} inline-block py-1`}>
            {t("market.whole")}
          </Link>
        </p>
      )}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <h1 className="text-3xl font-bold tracking-tight">{title}</h1>
        <ButtonLink to={paths.buyers} variant="outlined" size="small">
          {t("market.buyers")}
        </ButtonLink>
      </div>
      <p className="mt-2 mb-5 max-w-[70ch] text-ink-soft">{t("market.lead")}</p>
      <Filters filters={filters} />
      <div className="mt-6">
        <MarketFigures filters={filters} />
      </div>
    </Page>
  );
}
