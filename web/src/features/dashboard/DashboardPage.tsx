// The start page of suppliers: a greeting, what closes soon and is new for the user, and the
// supplier's own tenders with four counters, including drafts. The address contains the filters.

import { useQuery } from "@tanstack/react-query";
import { Plus, SearchX } from "lucide-react";
import { Link, useSearchParams } from "react-router";
import { isUnreachable } from "@/api/error.ts";
import type { User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { RequestId } from "@/shared/page/RequestId.tsx";
import { PageButtons } from "@/shared/pagination/PageButtons.tsx";
import { shownRange } from "@/shared/pagination/pagination.ts";
import { paths } from "@/shared/paths.ts";
import { Protected } from "@/shared/session/Protected.tsx";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { EmptyState, ErrorBanner, LoadingScreen } from "@/ui/StatusMessages.tsx";
import { myTenders } from "./api.ts";
import { Counters, OwnTenderSearch } from "./OwnTenderFilters.tsx";
import { OwnTenderRow } from "./OwnTenderRow.tsx";
import {
  isFiltered,
  type OwnTenderFilters,
  PAGE_SIZE,
  readFilters,
  writeFilters,
} from "./ownTenderFilters.ts";
import { StartLists } from "./StartLists.tsx";

/** The line in place of the list, for a supplier who has published nothing. */
function NoOwnTenders() {
  const { t } = useTranslation();
  return (
    <section className="mt-9 flex flex-wrap items-baseline gap-x-3 gap-y-1">
      <h2 className="text-lg font-semibold">{t("account.dashboard.heading")}</h2>
      <p className="text-[0.9375rem] text-ink-soft">{t("account.dashboard.empty")}</p>
      <Link to={paths.addTender} className="text-[0.9375rem] font-semibold text-accent hover:underline">
        {t("publish.action.first")}
      </Link>
    </section>
  );
}

type Mine = ReturnType<typeof useOwnTenders>;

/** The page of the supplier's own tenders that the address asks for. */
function useOwnTenders() {
  const [parameters] = useSearchParams();
  const filters = readFilters(parameters);
  const isRestricted = isFiltered(filters) || filters.page > 1;
  return { filters, isRestricted, query: useQuery(myTenders(filters)) };
}

/** The supplier's own tenders with their counters, the search and the pages. */
function OwnTenders({ filters, isRestricted, query: { data: mine, ...query } }: Mine) {
  const { t } = useTranslation();
  const [, setParameters] = useSearchParams();
  const setFilters = (next: OwnTenderFilters) => setParameters(writeFilters(next));
  const changeFilters = (change: Partial<OwnTenderFilters>) => setFilters({ ...filters, ...change, page: 1 });
  const addressOf = (page: number) => {
    const search = writeFilters({ ...filters, page }).toString();
    return search === "" ? paths.dashboard : `${paths.dashboard}?${search}`;
  };
  const range = mine && mine.items.length > 0 && shownRange(mine.pagination, mine.items.length, PAGE_SIZE);
  return (
    <section>
      <div className="mt-9 mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-lg font-semibold">{t("account.dashboard.heading")}</h2>
        <p aria-live="polite" className="text-sm text-ink-soft">
          {range && mine.pagination.total > 1 && t("tenders.showing", range)}
        </p>
      </div>
      {mine && (
        <Counters counts={mine.counts} active={filters.show} onChoose={(show) => changeFilters({ show })} />
      )}
      {mine && (mine.counts.all > 0 || isRestricted) && (
        <OwnTenderSearch initial={filters} onSearch={changeFilters} />
      )}
      {query.isPending && <LoadingScreen label={t("account.dashboard.loading")} />}
      {query.error && !(mine && isUnreachable(query.error)) && (
        <ErrorBanner
          title={t("account.dashboard.error")}
          action={
            <Button variant="outlined" size="small" onClick={() => void query.refetch()}>
              {t("shell.tryAgain")}
            </Button>
          }
        >
          <p>{t("account.dashboard.errorText")}</p>
          <RequestId error={query.error} />
        </ErrorBanner>
      )}
      {mine?.items.length === 0 && isRestricted && (
        <EmptyState
          icon={<SearchX size={22} />}
          title={t("tenders.empty.title")}
          action={
            <ButtonLink to={paths.dashboard} variant="outlined">
              {t("tenders.empty.clear")}
            </ButtonLink>
          }
        >
          {t("account.dashboard.noneFit")}
        </EmptyState>
      )}
      {mine && mine.items.length > 0 && (
        <ul
          aria-label={t("account.dashboard.heading")}
          aria-busy={query.isPlaceholderData}
          className={`grid gap-2.5 transition-opacity duration-150 ${query.isPlaceholderData ? "opacity-55" : ""}`}
        >
          {mine.items.map((tender) => (
            <OwnTenderRow key={tender._id} tender={tender} />
          ))}
        </ul>
      )}
      {mine && <PageButtons pagination={mine.pagination} addressOf={addressOf} />}
    </section>
  );
}

function Dashboard({ user }: { user: User }) {
  const { t } = useTranslation();
  const own = useOwnTenders();
  const { data: mine } = own.query;
  // The filters of the own tenders leave the other lists as they are.
  const unfiltered = useQuery(myTenders(readFilters(new URLSearchParams())));
  const hasTenders = mine !== undefined && mine.counts.all > 0;
  const hasNone = mine !== undefined && !hasTenders && !own.isRestricted;
  return (
    <Page className="py-8">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="text-2xl font-bold tracking-tight">
            {t("account.dashboard.greeting", { name: user.firstName })}
          </h1>
          <p className="mt-1 text-ink-soft">{t("account.dashboard.subtitle")}</p>
        </div>
        <ButtonLink to={paths.addTender}>
          <Plus size={18} aria-hidden />
          {t("publish.action.add")}
        </ButtonLink>
      </div>
      {/* Who publishes tenders comes for them. */}
      {hasTenders && <OwnTenders {...own} />}
      <StartLists user={user} own={unfiltered.data?.items ?? []} />
      {hasNone && <NoOwnTenders />}
      {!hasTenders && !hasNone && <OwnTenders {...own} />}
    </Page>
  );
}

export function Component() {
  const { t } = useTranslation();
  return (
    <>
      <Metadata
        title={t("account.dashboard.title")}
        description={t("account.dashboard.description")}
        keywords={t("account.dashboard.keywords")}
        unlisted
      />
      <Protected only="supplier">{(user) => <Dashboard user={user} />}</Protected>
    </>
  );
}
