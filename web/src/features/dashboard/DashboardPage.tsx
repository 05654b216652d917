// The start page of suppliers: a greeting, what closes soon and is new for the user, and the
// supplier's own tenders with four counters, including drafts. The address contains the filters.

import { useQuery } from "@tanstack/react-query";
import { FilePlus2, Plus, SearchX } from "lucide-react";
import { useSearchParams } from "react-router";
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

function Dashboard({ user }: { user: User }) {
  const { t } = useTranslation();
  const [parameters, setParameters] = useSearchParams();
  const filters = readFilters(parameters);
  const { data: mine, ...query } = useQuery(myTenders(filters));
  const setFilters = (next: OwnTenderFilters) => setParameters(writeFilters(next));
  const changeFilters = (change: Partial<OwnTenderFilters>) => setFilters({ ...filters, ...change, page: 1 });
  const addressOf = (page: number) => {
    const search = writeFilters({ ...filters, page }).toString();
    return search === "" ? paths.dashboard : `${paths.dashboard}?${search}`;
  };
  const isRestricted = isFiltered(filters) || filters.page > 1;
  const range = mine && mine.items.length > 0 && shownRange(mine.pagination, mine.items.length, PAGE_SIZE);
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
      <StartLists user={user} />
      <div className="mt-12 mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
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
      {mine?.items.length === 0 && !isRestricted && (
        <EmptyState
          icon={<FilePlus2 size={22} />}
          title={t("account.dashboard.empty")}
          action={
            <ButtonLink to={paths.addTender} variant="outlined">
              {t("publish.action.first")}
            </ButtonLink>
          }
        >
          {t("account.dashboard.emptyText")}
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
