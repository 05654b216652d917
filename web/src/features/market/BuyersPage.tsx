// The list of bodies that invite bids. Its address has the search and the page.

import { useQuery } from "@tanstack/react-query";
import { Landmark, Search } from "lucide-react";
import { type FormEvent, useDeferredValue } from "react";
import { Link, useSearchParams } from "react-router";
import { messageOf } from "@/api/error.ts";
import type { Buyer } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import type { Language } from "@/i18n/languages.ts";
import { MarketTabs } from "@/shared/page/MarketTabs.tsx";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { RequestId } from "@/shared/page/RequestId.tsx";
import { PageButtons } from "@/shared/pagination/PageButtons.tsx";
import { paths } from "@/shared/paths.ts";
import { displayTitle } from "@/shared/tender/displayTitle.ts";
import { PrintedTitle } from "@/shared/tender/PrintedTitle.tsx";
import { Button } from "@/ui/Button.tsx";
import { TextField } from "@/ui/Field.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { EmptyState, ErrorBanner } from "@/ui/StatusMessages.tsx";
import { buyerList } from "./api.ts";

const MAX_PAGE = 10_000;
const MAX_SEARCH_LENGTH = 200;

function addressOf(search: string, page: number): string {
  const query = new URLSearchParams({ ...(search && { search }), ...(page > 1 && { page: String(page) }) });
  return query.size === 0 ? paths.buyers : `${paths.buyers}?${query}`;
}

/** A number that leads to what it counts. Nought is quiet. */
function Count({ value, to }: { value: number; to: string }) {
  if (value === 0) return <span className="text-ink-soft">0</span>;
  return (
    <Link
      to={to}
      className="inline-grid min-h-11 min-w-6 place-items-center justify-items-end font-medium hover:text-accent hover:underline"
    >
      {value}
    </Link>
  );
}

const NUMBERS = ["open", "past", "awards"] as const;

type NumberName = (typeof NUMBERS)[number];

/** The numbers of a body that are not nought, in words. A phone has no room for columns. */
function Numbers({ buyer, shows }: { buyer: Buyer; shows: readonly NumberName[] }) {
  const { t } = useTranslation();
  const words = { open: "openCount", past: "pastCount", awards: "awardCount" } as const;
  const shown = shows.filter((name) => buyer[name] > 0);
  return (
    <span className="block pb-2 text-sm font-normal text-ink-soft sm:hidden">
      {shown.map((name) => t(`market.buyer.${words[name]}`, { count: buyer[name] })).join(" · ")}
    </span>
  );
}

/** The bodies with the most tenders first. Bodies with equal numbers stand in the order of their names. */
function inOrder(buyers: readonly Buyer[], language: Language): Buyer[] {
  const names = new Intl.Collator(language);
  return buyers.toSorted(
    (one, other) =>
      other.open - one.open ||
      other.past - one.past ||
      other.awards - one.awards ||
      names.compare(displayTitle(one.name), displayTitle(other.name)),
  );
}

function BuyerTable({
  buyers,
  label,
  shows = NUMBERS,
}: {
  buyers: readonly Buyer[];
  label: string;
  shows?: readonly NumberName[];
}) {
  const { t, language } = useTranslation();
  return (
    <table
      aria-label={label}
      className="w-full border-separate border-spacing-0 overflow-hidden rounded-xl border border-line bg-sheet [&_tbody_:is(td,th)]:border-t [&_tbody_:is(td,th)]:border-line"
    >
      <thead className="text-sm text-ink-soft max-sm:sr-only">
        <tr>
          <th scope="col" className="px-4 py-2 text-left font-semibold">
            {t("market.list.name")}
          </th>
          {shows.map((name) => (
            <th key={name} scope="col" className="px-4 py-2 text-right font-semibold max-sm:hidden">
              {t(`market.list.${name}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {inOrder(buyers, language).map((buyer) => (
          <tr key={buyer.slug} className="hover:bg-well/50">
            <th scope="row" className="px-4 py-1 text-left font-medium wrap-anywhere">
              <Link
                to={paths.buyer(buyer.slug)}
                className="inline-flex min-h-11 items-center py-1 text-accent hover:underline max-sm:w-full"
              >
                <PrintedTitle printed={buyer.name} />
              </Link>{" "}
              <Numbers buyer={buyer} shows={shows} />
            </th>
            {shows.map((name) => (
              <td key={name} className="px-4 py-1 text-right tabular-nums max-sm:hidden">
                <Count value={buyer[name]} to={`${paths.buyer(buyer.slug)}#${name}`} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Whether the portal knows a tender of the body. */
const hasTenders = ({ open, past }: Buyer) => open + past > 0;

/** The bodies that invite bids, and apart from them those of which only awards are known. */
function BuyerTables({ buyers }: { buyers: readonly Buyer[] }) {
  const { t } = useTranslation();
  const inviting = buyers.filter(hasTenders);
  const others = buyers.filter((buyer) => !hasTenders(buyer));
  return (
    <>
      {inviting.length > 0 && <BuyerTable buyers={inviting} label={t("market.list.title")} />}
      {others.length > 0 && (
        <>
          <h2 className={`text-lg font-semibold ${inviting.length > 0 ? "mt-6" : ""}`}>
            {t("market.list.awardsOnly")}
          </h2>
          <p className="mb-2 text-sm text-ink-soft">{t("market.list.awardsOnlyHelp")}</p>
          <BuyerTable buyers={others} label={t("market.list.awardsOnly")} shows={["awards"]} />
        </>
      )}
    </>
  );
}

function Buyers({ search, page, onClear }: { search: string; page: number; onClear: () => void }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useDeferredValue(useQuery(buyerList(search, page)));
  if (error && !data) {
    return (
      <ErrorBanner
        title={t("market.list.error", { message: messageOf(error, t("market.errorFallback")) })}
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
    return <div role="status" aria-label={t("market.list.loading")} className="skeleton h-96 rounded-xl" />;
  }
  return (
    <>
      <p aria-live="polite" className="mb-2 text-sm text-ink-soft">
        {t("market.list.count", { count: data.pagination.totalCount })}
        {search === "" && ` · ${t("market.list.awardsLast")}`}
      </p>
      {data.buyers.length > 0 ? (
        <BuyerTables buyers={data.buyers} />
      ) : (
        <EmptyState
          icon={<Landmark size={22} />}
          title={t("market.list.empty")}
          action={
            (search !== "" || page > 1) && (
              <Button variant="outlined" onClick={onClear}>
                {t("market.list.showAll")}
              </Button>
            )
          }
        >
          {search !== "" && t("market.list.emptyText")}
        </EmptyState>
      )}
      <PageButtons pagination={data.pagination} addressOf={(page) => addressOf(search, page)} />
    </>
  );
}

export function Component() {
  const { t } = useTranslation();
  const [parameters, setParameters] = useSearchParams();
  const search = (parameters.get("search") ?? "").trim().slice(0, MAX_SEARCH_LENGTH);
  const asked = Number(parameters.get("page") ?? "1");
  const page = Number.isInteger(asked) && asked >= 1 && asked <= MAX_PAGE ? asked : 1;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("search") ?? "").trim();
    setParameters(text ? { search: text } : {}, { preventScrollReset: true });
  };
  return (
    <Page className="py-8">
      <Metadata
        title={t("market.list.title")}
        description={t("market.list.description")}
        keywords={t("market.list.keywords")}
        kind="CollectionPage"
      />
      <MarketTabs />
      <h1 className="text-3xl font-bold tracking-tight">{t("market.list.title")}</h1>
      <p className="mt-2 mb-5 max-w-[70ch] text-ink-soft">{t("market.list.lead")}</p>
      <search className="block">
        <form
          key={search}
          onSubmit={submit}
          className="flex flex-wrap items-end gap-3 rounded-xl border border-line bg-sheet p-4"
        >
          <div className="min-w-0 flex-1 basis-64">
            <TextField
              label={t("market.list.search")}
              name="search"
              type="search"
              enterKeyHint="search"
              maxLength={MAX_SEARCH_LENGTH}
              defaultValue={search}
            />
          </div>
          <Button type="submit">
            <Search size={18} aria-hidden />
            {t("market.list.find")}
          </Button>
        </form>
      </search>
      <div className="mt-5">
        <Buyers search={search} page={page} onClear={() => setParameters({})} />
      </div>
    </Page>
  );
}
