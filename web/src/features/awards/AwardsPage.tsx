// The page of past awards. Its address has the filters.

import { useQuery } from "@tanstack/react-query";
import { Award as AwardIcon, X } from "lucide-react";
import { useDeferredValue } from "react";
import { Link, useSearchParams } from "react-router";
import { messageOf } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatDay } from "@/shared/format/dates.ts";
import { MarketTabs } from "@/shared/page/MarketTabs.tsx";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { RequestId } from "@/shared/page/RequestId.tsx";
import { PageButtons } from "@/shared/pagination/PageButtons.tsx";
import { bodySlug, paths } from "@/shared/paths.ts";
import { Button } from "@/ui/Button.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { EmptyState, ErrorBanner } from "@/ui/StatusMessages.tsx";
import { AwardFilterForm } from "./AwardFilterForm.tsx";
import { AwardRows } from "./AwardRows.tsx";
import { awardList, bodyPage } from "./api.ts";
import { type AwardFilters, chosenFilters, isFiltered, readFilters, writeFilters } from "./filters.ts";

/** The link to the page of the body whose awards are shown, if it has one. */
function BodyPageLink({ slug }: { slug: string }) {
  const { t } = useTranslation();
  const { data } = useQuery(bodyPage(slug));
  if (!data) return null;
  return (
    <p className="mb-2">
      <Link to={paths.buyer(data.slug)} className="text-accent underline underline-offset-2">
        {t("awards.bodyPage", { name: data.name })}
      </Link>
    </p>
  );
}

/** The filters that are set. Each is a link to the list without it. */
function FilterChips({ filters }: { filters: AwardFilters }) {
  const { t } = useTranslation();
  const { data: buyer } = useQuery(bodyPage(filters.buyer));
  const labelOf = (name: keyof typeof filters) => {
    if (name === "search") return `“${filters.search}”`;
    if (name === "buyer") return `${t("awards.body")}: ${buyer?.name ?? filters.buyer}`;
    return name === "page" ? "" : `${t(`awards.${name}`)}: ${filters[name]}`;
  };
  return (
    <ul className="flex min-w-0 flex-wrap gap-2 empty:hidden">
      {chosenFilters(filters).map((name) => {
        const label = labelOf(name);
        return (
          <li key={name} className="min-w-0">
            <Link
              to={addressOf({ ...filters, [name]: "", page: 1 })}
              preventScrollReset
              aria-label={t("awards.clear", { filter: label })}
              className="inline-flex min-h-8 max-w-full items-center gap-2 rounded-full bg-accent-wash pr-2 pl-3 text-sm font-semibold text-accent hover:bg-accent hover:text-on-accent max-sm:min-h-11"
            >
              <span className="truncate">{label}</span>
              <X size={16} aria-hidden className="shrink-0" />
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

/** The address of the list with some filters. */
function addressOf(filters: AwardFilters): string {
  const query = writeFilters(filters).toString();
  return query === "" ? paths.awards : `${paths.awards}?${query}`;
}

function RowSkeletons({ label }: { label: string }) {
  return (
    <div role="status" aria-label={label} className="rounded-xl border border-line bg-sheet px-4 py-2">
      {[72, 58, 80, 64].map((width) => (
        <div key={width} className="py-3">
          <div className="skeleton h-5" style={{ width: `${width}%` }} />
          <div className="skeleton mt-2 h-4 w-2/5" />
        </div>
      ))}
    </div>
  );
}

function AwardResults({ filters, onClear }: { filters: AwardFilters; onClear: () => void }) {
  const { t } = useTranslation();
  const list = useDeferredValue(useQuery(awardList(filters)));
  const { data, error } = list;
  if (error && !data) {
    return (
      <ErrorBanner
        title={t("awards.error", { message: messageOf(error, t("awards.errorFallback")) })}
        action={
          <Button variant="outlined" size="small" onClick={() => void list.refetch()}>
            {t("shell.tryAgain")}
          </Button>
        }
      >
        <RequestId error={error} />
      </ErrorBanner>
    );
  }
  if (!data) return <RowSkeletons label={t("awards.loading")} />;
  const { awards, pagination } = data;
  // The whole list begins with the newest decision. Readers must know how far the reading goes.
  const isWhole = filters.page === 1 && chosenFilters(filters).length === 0;
  const newest = isWhole ? awards[0]?.decidedOn : undefined;
  return (
    <section aria-label={t("awards.title")}>
      <BodyPageLink slug={filters.buyer || bodySlug(filters.body)} />
      <div className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-2">
        <p aria-live="polite" className="text-sm text-ink-soft">
          {t("awards.count", { count: pagination.totalCount })}
          {newest && ` · ${t("awards.newest", { day: formatDay(newest) })}`}
        </p>
        <FilterChips filters={filters} />
      </div>
      {awards.length > 0 ? (
        <AwardRows awards={awards} />
      ) : (
        <EmptyState
          icon={<AwardIcon size={22} />}
          title={t("awards.empty")}
          action={
            (isFiltered(filters) || filters.page > 1) && (
              <Button variant="outlined" onClick={onClear}>
                {t("awards.showAll")}
              </Button>
            )
          }
        >
          {t(isFiltered(filters) ? "awards.emptyFiltered" : "awards.emptyNone")}
        </EmptyState>
      )}
      <PageButtons pagination={pagination} addressOf={(page) => addressOf({ ...filters, page })} />
    </section>
  );
}

export function Component() {
  const { t } = useTranslation();
  const [parameters, setParameters] = useSearchParams();
  const filters = readFilters(parameters);
  const apply = (filters: AwardFilters) => setParameters(writeFilters(filters), { preventScrollReset: true });
  return (
    <Page className="py-8">
      <Metadata
        title={t("awards.title")}
        description={t("awards.description")}
        keywords={t("awards.keywords")}
        kind="CollectionPage"
      />
      <MarketTabs />
      <h1 className="text-3xl font-bold tracking-tight">{t("awards.title")}</h1>
      <p className="mt-2 mb-5 max-w-[70ch] max-sm:text-[0.9375rem] text-ink-soft">{t("awards.lead")}</p>
      {/* The key renders the form with the filters of a new address. */}
      <AwardFilterForm
        key={writeFilters({ ...filters, page: 1 }).toString()}
        filters={filters}
        onSearch={apply}
      />
      <div className="mt-5">
        <AwardResults filters={filters} onClear={() => setParameters(new URLSearchParams())} />
      </div>
    </Page>
  );
}
