// The page on which operators upload newspaper pages and see how far the reading of each is.

import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Newspaper } from "lucide-react";
import { useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { parseEnum } from "@/api/enums.ts";
import type { NewspaperPage, PageWork } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { useAccount } from "@/shared/session/account.ts";
import { type Action, ActionMenu } from "@/ui/ActionMenu.tsx";
import { Button } from "@/ui/Button.tsx";
import { SelectField, TextField } from "@/ui/Field.tsx";
import { EmptyState } from "@/ui/StatusMessages.tsx";
import { expectedPapers } from "../coverage/api.ts";
import { parseDay } from "../coverage/days.ts";
import { useFilters, useSearchText } from "../filters.ts";
import { OperatePage, STAFF } from "../OperatePage.tsx";
import { PartialList } from "../PartialList.tsx";
import { PAGE_STATES, type PageFilters, pageFileName, pageList, usePageAction } from "./api.ts";
import { CorrectIssueDialog } from "./CorrectIssueDialog.tsx";
import { fileBatch, issueBatch, issueOf, usePageName } from "./names.ts";
import { PageProgress, PageStateBadge } from "./PageStateBadge.tsx";
import { UploadArea } from "./UploadArea.tsx";

function PageMenu({ page, name }: { page: NewspaperPage; name: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { user } = useAccount();
  const [isCorrecting, setCorrecting] = useState(false);
  const action = usePageAction(page._id);
  const actions: Action[] = [
    { label: t("operate.pages.open"), onChoose: () => void navigate(paths.operatePage(page._id)) },
  ];
  if (page.hasFile && page.state !== "waiting") {
    actions.push({ label: t("operate.pages.readAgain"), onChoose: () => action.mutate("readAgain") });
  }
  if (page.hasFile) {
    actions.push({ label: t("operate.pages.correct"), onChoose: () => setCorrecting(true) });
  }
  if (user?.role === "admin") {
    actions.push({
      label: t("operate.pages.withdrawFile"),
      onChoose: () => void navigate(`${paths.operateNewBatch}?${fileBatch(page)}`),
    });
    if (page.publication && page.date) {
      actions.push({
        label: t("operate.pages.withdrawIssue"),
        onChoose: () => void navigate(`${paths.operateNewBatch}?${issueBatch(page)}`),
      });
    }
  }
  if (page.state !== "read" && page.state !== "leased") {
    actions.push({
      label: t("operate.pages.forget"),
      isDestructive: true,
      onChoose: () => action.mutate("forget"),
    });
  }
  return (
    <>
      <ActionMenu label={t("operate.pages.actions", { name })} actions={actions} />
      {isCorrecting && <CorrectIssueDialog page={page} onClose={() => setCorrecting(false)} />}
    </>
  );
}

function PageRow({ page }: { page: NewspaperPage }) {
  const { t } = useTranslation();
  const name = usePageName(page);
  return (
    <div className="flex items-start gap-3 px-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link
            to={paths.operatePage(page._id)}
            className="font-semibold wrap-anywhere hover:text-accent hover:underline"
          >
            {name}
          </Link>
          <PageStateBadge state={page.state} />
        </p>
        <p className="text-[0.9375rem] wrap-anywhere text-ink-soft">
          {issueOf(page) || t("operate.pages.unknownIssue")}
        </p>
        <div className="text-sm text-ink-soft">
          <PageProgress page={page} />
          <p>
            {page.readAt
              ? t("operate.pages.readAt", { moment: formatMoment(page.readAt) })
              : t("operate.pages.addedAt", { moment: formatMoment(page.createdAt) })}
          </p>
        </div>
      </div>
      <PageMenu page={page} name={name} />
    </div>
  );
}

/** What waits, and whether a worker is there. */
function WorkSummary({ work }: { work: PageWork | undefined }) {
  const { t } = useTranslation();
  if (!work) return null;
  const parts = [
    work.waiting > 0 && t("operate.pages.work.waiting", { count: work.waiting }),
    work.leased > 0 && t("operate.pages.work.leased", { count: work.leased }),
    work.waiting + work.leased === 0 && t("operate.pages.work.nothing"),
    work.setAside > 0 && t("operate.pages.work.setAside", { count: work.setAside }),
    t("operate.pages.work.workers", { count: work.workers }),
  ];
  return (
    <div className="mt-8">
      <p role="status" className="text-[0.9375rem] text-ink-soft">
        {parts.filter(Boolean).join(" · ")}
      </p>
      {work.workers === 0 && work.waiting > 0 && (
        <p className="mt-2 rounded-lg bg-soon-wash px-4 py-3 text-soon">{t("operate.pages.work.none")}</p>
      )}
    </div>
  );
}

/** What only the address can choose, and a way back to all pages. */
function Only({ name, all, onClear }: { name: string | undefined; all: string; onClear: () => void }) {
  const { t } = useTranslation();
  return (
    <p className="mb-4 flex flex-wrap items-center gap-3 text-[0.9375rem] font-medium wrap-anywhere">
      {t("operate.pages.only", { name: name ?? "…" })}
      <Button variant="outlined" size="small" onClick={onClear}>
        {all}
      </Button>
    </p>
  );
}

/** The expected newspaper whose pages are listed. */
function PaperFilter({ id, onClear }: { id: string; onClear: () => void }) {
  const { t } = useTranslation();
  const { data: papers } = useQuery(expectedPapers);
  const name = papers?.find(({ _id }) => _id === id)?.name;
  return <Only name={name} all={t("operate.pages.allPapers")} onClear={onClear} />;
}

/** The file whose pages are listed. */
function FileFilter({ id, onClear }: { id: string; onClear: () => void }) {
  const { t } = useTranslation();
  const { data: name } = useQuery(pageFileName(id));
  return <Only name={name ?? undefined} all={t("operate.pages.allFiles")} onClear={onClear} />;
}

function PageList() {
  const { t } = useTranslation();
  const { params, setFilter } = useFilters<keyof PageFilters>();
  const filters: PageFilters = {
    state: parseEnum(PAGE_STATES, params.get("state")) ?? undefined,
    publication: params.get("publication") || undefined,
    paper: params.get("paper") || undefined,
    date: params.get("date") || undefined,
    file: params.get("file") || undefined,
  };
  const [publication, setPublication] = useSearchText(filters.publication ?? "", (text) =>
    setFilter("publication", text),
  );
  const [date, setDate] = useState(filters.date ?? "");
  const list = useInfiniteQuery({ ...pageList(filters), placeholderData: keepPreviousData });
  return (
    <>
      <WorkSummary work={list.data?.pages[0]?.work} />
      <search className="mt-3 mb-4 grid grid-cols-2 gap-3 max-sm:*:first:col-span-2 sm:mb-6 sm:grid-cols-[minmax(0,1fr)_12rem_12rem] sm:gap-4">
        <TextField
          type="search"
          label={t("operate.pages.publication")}
          value={publication}
          maxLength={200}
          onChange={(event) => setPublication(event.target.value)}
        />
        <TextField
          type="date"
          label={t("operate.pages.date")}
          value={date}
          onChange={({ target: { value } }) => {
            setDate(value);
            setFilter("date", value);
          }}
        />
        <SelectField
          label={t("operate.pages.stateFilter")}
          value={filters.state ?? ""}
          onChange={(event) => setFilter("state", event.target.value)}
        >
          <option value="">{t("operate.pages.anyState")}</option>
          {PAGE_STATES.map((state) => (
            <option key={state} value={state}>
              {t(`operate.pages.state.${state}`)}
            </option>
          ))}
        </SelectField>
      </search>
      {filters.paper && <PaperFilter id={filters.paper} onClear={() => setFilter("paper", "")} />}
      {filters.file && <FileFilter id={filters.file} onClear={() => setFilter("file", "")} />}
      <PartialList
        list={list}
        items={list.data?.pages.flatMap(({ pages }) => pages) ?? []}
        keyOf={({ _id }) => _id}
        empty={
          <EmptyState icon={<Newspaper size={22} />} title={t("operate.pages.none")}>
            {t("operate.pages.noneHelp")}
          </EmptyState>
        }
      >
        {(page) => <PageRow page={page} />}
      </PartialList>
    </>
  );
}

export function Component() {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  return (
    <OperatePage title={t("operate.pages.title")} only={STAFF}>
      <UploadArea
        publication={(params.get("uploadTo") ?? "").slice(0, 100)}
        date={parseDay(params.get("uploadDate")) ?? ""}
      />
      <PageList />
    </OperatePage>
  );
}
