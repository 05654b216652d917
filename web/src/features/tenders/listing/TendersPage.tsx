// The tender listing. The address contains its filters.

import { useQuery } from "@tanstack/react-query";
import { SearchX } from "lucide-react";
import { type ReactNode, useDeferredValue, useState } from "react";
import { useSearchParams } from "react-router";
import { isUnreachable, messageOf } from "@/api/error.ts";
import type { Facets, TenderPage } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { RequestId } from "@/shared/page/RequestId.tsx";
import { PageButtons } from "@/shared/pagination/PageButtons.tsx";
import { shownRange } from "@/shared/pagination/pagination.ts";
import { paths } from "@/shared/paths.ts";
import { useAccount } from "@/shared/session/account.ts";
import { AlertLink } from "@/shared/tender/AlertLink.tsx";
import { useChoiceLabel } from "@/shared/tender/choiceLabels.ts";
import {
  type Filters,
  isFiltered,
  keepBasicFilters,
  listChoices,
  noFilters,
  PAGE_SIZE,
  readFilters,
  type StatFilter,
  writeFilters,
} from "@/shared/tender/filters.ts";
import { chooseHideClosed, useHideClosed } from "@/shared/tender/hideClosed.ts";
import { newAlertPath } from "@/shared/tender/newAlertPath.ts";
import { Button } from "@/ui/Button.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { EmptyState, ErrorBanner } from "@/ui/StatusMessages.tsx";
import { tenderList, tendersWithoutCondition } from "../api.ts";
import { CategoryHint } from "./CategoryHint.tsx";
import { FilterChips, useQuickFilterLabel } from "./FilterChips.tsx";
import { FilterButton, FilterRows, type ListingFiltersProps } from "./ListingFilters.tsx";
import { SearchBar } from "./SearchBar.tsx";
import { SectorSidebar } from "./SectorSidebar.tsx";
import { SortSelect } from "./SortSelect.tsx";
import { StatCards } from "./StatCards.tsx";
import { TenderListItem } from "./TenderListItem.tsx";
import { useListingCounts, withCard, withSector } from "./useListingCounts.ts";

/** Skeletons in the shape of the cards. */
function CardSkeletons({ label }: { label: string }) {
  return (
    <div role="status" aria-label={label} className="grid gap-2.5">
      {[72, 58, 80, 64, 70].map((width) => (
        <div key={width} className="flex min-h-25 gap-6 rounded-xl border border-line bg-sheet px-4 py-3.5">
          <div className="flex-1">
            <div className="skeleton h-5" style={{ width: `${width}%` }} />
            <div className="skeleton mt-2.5 h-4 w-2/5" />
            <div className="skeleton mt-2.5 h-4 w-3/5" />
          </div>
          <div className="hidden w-40 sm:block">
            <div className="skeleton ml-auto h-4 w-full" />
            <div className="skeleton mt-2.5 ml-auto h-5 w-3/4" />
          </div>
        </div>
      ))}
    </div>
  );
}

/** Says that words of the search were corrected, or that no tender matches every word. */
function SearchNote({ list, onSearch }: { list: TenderPage; onSearch: (text: string) => void }) {
  const { t } = useTranslation();
  const { didYouMean, hasMostWords } = list;
  if (!didYouMean && !hasMostWords) return null;
  return (
    <p role="status" className="mb-3 rounded-xl bg-well px-4 py-3 text-[0.9375rem]">
      {didYouMean && (
        <>
          {t("tenders.found.corrected", {
            words: didYouMean.changes.map(({ from }) => `“${from}”`).join(", "),
          })}{" "}
          <button
            type="button"
            onClick={() => onSearch(didYouMean.text)}
            className="font-semibold text-accent underline underline-offset-2 max-sm:min-h-11"
          >
            {didYouMean.text}
          </button>{" "}
        </>
      )}
      {hasMostWords && t("tenders.found.mostWords")}
    </p>
  );
}

/** Says what the list has if it leaves out what the company can't bid for. */
function PossibleBidsNote({ filters }: { filters: Filters }) {
  const { t } = useTranslation();
  const { data: count = 0 } = useQuery(tendersWithoutCondition(filters));
  if (count === 0) return null;
  return <p className="text-sm text-ink-soft">{t("tenders.basic.noCondition", { count })}</p>;
}

/** Says that the counts ignore who may bid, and how many of the counted tenders the list leaves out. */
function CountsNote({ leftOut }: { leftOut: number }) {
  const { t } = useTranslation();
  return (
    <p className="mt-1 max-w-[26rem] text-sm text-ink-soft">
      {t("tenders.basic.countsAll")}
      {leftOut > 0 && ` ${t("tenders.basic.leftOut", { count: leftOut })}`}
    </p>
  );
}

function countClosed(facets: Facets | undefined): number {
  return facets?.statuses.find(({ name }) => name === "closed")?.count ?? 0;
}

interface EmptyListProps {
  filters: Filters;
  isFiltered: boolean;
  /** The number of closed tenders that match and are hidden. */
  hidden: number;
  onShowClosed: () => void;
  onShowAll: () => void;
}

/** Says that no tender matches, and what would show some. */
function EmptyList({ filters, isFiltered, hidden, onShowClosed, onShowAll }: EmptyListProps) {
  const { t } = useTranslation();
  const action = isFiltered && (
    <div className="flex flex-wrap justify-center gap-2">
      {hidden > 0 && <Button onClick={onShowClosed}>{t("tenders.empty.showClosed")}</Button>}
      <AlertLink path={newAlertPath(filters)} look="filled" label={t("alerts.fromEmpty")} />
      <Button variant="outlined" onClick={onShowAll}>
        {t("tenders.empty.clear")}
      </Button>
    </div>
  );
  return (
    <EmptyState icon={<SearchX size={22} />} title={t("tenders.empty.title")} action={action}>
      {t(isFiltered ? "tenders.empty.filtered" : "tenders.empty.none")}{" "}
      {hidden > 0 && t("tenders.empty.hidden", { count: hidden })}
    </EmptyState>
  );
}

interface TendersPageProps {
  /**
   * Renders the tools beside the sort order, for example to save the search. The caller provides
   * them, because they are part of another feature.
   */
  searchTools?: (filters: Filters, description: string) => ReactNode;
}

export function TendersPage({ searchTools }: TendersPageProps) {
  const { t } = useTranslation();
  const [parameters, setParameters] = useSearchParams();
  const hidesClosed = useHideClosed();
  const addressed = readFilters(parameters);
  const filters = { ...addressed, hideClosed: addressed.hideClosed || hidesClosed };
  // Deferred, so that rendering the cards does not block the user's input.
  const list = useDeferredValue(useQuery(tenderList(filters)));
  const [countsDistricts, setCountsDistricts] = useState(false);
  const isEmpty = list.data?.tenders.length === 0;
  const { stats, facets, sectors, other, categories, cards, listed, areCardsLoading } = useListingCounts(
    filters,
    countsDistricts || (isEmpty && filters.hideClosed),
  );
  const { user } = useAccount();

  const filtered = isFiltered(filters);
  const choiceLabel = useChoiceLabel();
  const quickLabel = useQuickFilterLabel(filters);
  const label = [quickLabel, ...listChoices(filters.advanced).map(choiceLabel)].filter(Boolean).join(", ");
  const applyQuickFilter = (filters: Filters) =>
    setParameters(writeFilters(filters), { preventScrollReset: true });
  // Rendered synchronously, so that a ticked box shows its new state while the list loads.
  const apply = (filters: Filters) =>
    setParameters(writeFilters(filters), { preventScrollReset: true, flushSync: true });
  const applyBasic = (changed: Filters) => {
    if (changed.hideClosed !== filters.hideClosed) chooseHideClosed(changed.hideClosed);
    apply(changed);
  };
  const chooseCard = (show: StatFilter | null) => {
    if (show === null) chooseHideClosed(false);
    applyQuickFilter(withCard(filters, show));
  };
  const showAll = () => {
    chooseHideClosed(false);
    apply(noFilters);
  };
  const addressOf = (page: number) => {
    const query = writeFilters({ ...filters, page }).toString();
    return query === "" ? paths.tenders : `${paths.tenders}?${query}`;
  };
  // While cached data is shown, the offline banner reports an unreachable server instead.
  const visibleError = <Data,>({ data, error }: { data: Data | undefined; error: Error | null }) =>
    data !== undefined && isUnreachable(error) ? null : error;
  const listError = visibleError(list);
  const statsError = visibleError(stats);
  const retry = (query: { refetch: () => unknown }) => (
    <Button variant="outlined" size="small" onClick={() => void query.refetch()}>
      {t("shell.tryAgain")}
    </Button>
  );

  const { data } = list;
  const filterProps: ListingFiltersProps = {
    filters,
    facets,
    hasCompany: data?.bidAnswers != null,
    total: list.isPlaceholderData ? undefined : data?.pagination.totalCount,
    permitted: user?.role === "admin" || (user?.subscription.features.advancedFiltering ?? false),
    onCount: () => setCountsDistricts(true),
    onChange: applyBasic,
  };
  const range =
    data && data.tenders.length > 0 && shownRange(data.pagination, data.tenders.length, PAGE_SIZE);
  return (
    <Page className="py-3 sm:py-4">
      <Metadata
        title={t("tenders.title")}
        description={t("tenders.description")}
        keywords={t("tenders.keywords")}
        kind="CollectionPage"
      />
      <SearchBar
        filters={filters}
        onSearch={(chosen) => applyQuickFilter({ ...keepBasicFilters(filters), ...chosen })}
        onChooseDistrict={(district) => {
          const basic = keepBasicFilters(filters);
          apply({ ...basic, advanced: { districts: [district] } });
        }}
      />
      <FilterRows {...filterProps} />
      <div className="mt-2.5 grid gap-x-7 gap-y-2 sm:mt-3 sm:gap-y-2 lg:grid-cols-[15rem_minmax(0,1fr)] lg:grid-rows-[auto_1fr]">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1.5 max-lg:order-1 sm:gap-y-3 lg:col-start-2">
          <div className="min-w-0">
            <h1 className="text-lg font-bold tracking-tight sm:text-xl">
              {t("tenders.heading")} {data ? data.pagination.totalCount : t("home.stats.loading")}
            </h1>
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1 sm:min-h-8">
              <p aria-live="polite" className="text-sm text-ink-soft">
                {range && t("tenders.showing", range)}
              </p>
              <FilterChips filters={filters} onChange={apply} />
            </div>
            {filters.mayBid && <PossibleBidsNote filters={filters} />}
          </div>
          <div className="max-sm:w-full">
            <StatCards
              counts={cards}
              loading={areCardsLoading}
              active={filters.show ?? (filtered ? undefined : null)}
              onChoose={chooseCard}
            />
            {filters.mayBid && (
              <CountsNote
                leftOut={data && !list.isPlaceholderData ? (listed ?? 0) - data.pagination.totalCount : 0}
              />
            )}
          </div>
          {statsError && (
            <div className="w-full">
              <ErrorBanner
                title={t("tenders.statsError", {
                  message: messageOf(statsError, t("tenders.statsErrorFallback")),
                })}
                action={retry(stats)}
              />
            </div>
          )}
        </div>
        <aside className="max-lg:order-3 lg:col-start-1 lg:row-span-2 lg:row-start-1">
          <SectorSidebar
            supplierCount={stats.data?.supplierCount}
            sectors={sectors}
            other={other}
            categories={categories}
            active={filters.category}
            forBuyer={user?.role === "buyer"}
            onChoose={(category) => apply(withSector(filters, category))}
          />
        </aside>
        <section aria-label={t("tenders.listLabel")} className="min-w-0 max-lg:order-2 lg:col-start-2">
          {listError && (
            <div className="mb-3">
              <ErrorBanner
                title={t("tenders.error", { message: messageOf(listError, t("tenders.errorFallback")) })}
                action={retry(list)}
              >
                <p>{t("tenders.errorSafe")}</p>
                <RequestId error={listError} />
              </ErrorBanner>
            </div>
          )}
          <div className="mb-2 flex flex-wrap items-center justify-between gap-x-2 gap-y-1 sm:mb-2.5 sm:gap-x-4">
            <FilterButton {...filterProps} />
            {data && data.tenders.length > 0 && (
              <SortSelect
                sort={filters.sort}
                hasText={filters.search !== ""}
                onChoose={(sort) => apply({ ...filters, sort, page: 1 })}
              />
            )}
            {data && (data.tenders.length > 0 || filtered) && searchTools?.(filters, label)}
          </div>
          {data && <SearchNote list={data} onSearch={(search) => apply({ ...filters, search, page: 1 })} />}
          {list.isPending && <CardSkeletons label={t("tenders.loading")} />}
          {data && data.tenders.length > 0 && (
            <div
              aria-busy={list.isPlaceholderData}
              className={`grid gap-2 transition-opacity sm:gap-2 duration-150 ${list.isPlaceholderData ? "opacity-55" : ""}`}
            >
              {data.tenders.map((tender, index) => (
                <TenderListItem
                  key={tender._id}
                  tender={tender}
                  passage={data.passages?.[index]}
                  bidAnswer={data.bidAnswers?.[index]}
                />
              ))}
            </div>
          )}
          {data && <CategoryHint filters={filters} permitted={filterProps.permitted} onChoose={apply} />}
          {isEmpty && (
            <EmptyList
              isFiltered={filtered || filters.page > 1}
              hidden={
                filters.hideClosed && !filters.mayBid && filters.show === null ? countClosed(facets) : 0
              }
              filters={filters}
              onShowClosed={() => applyBasic({ ...filters, hideClosed: false })}
              onShowAll={showAll}
            />
          )}
          {data && data.tenders.length > 0 && (
            <div className="mt-3 text-center sm:hidden">
              <AlertLink path={newAlertPath(filters)} look="outlined" />
            </div>
          )}
          {data && <PageButtons pagination={data.pagination} addressOf={addressOf} />}
        </section>
      </div>
    </Page>
  );
}
