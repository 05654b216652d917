// The page that shows which newspapers were read on which days, and which are missing.

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CalendarCheck, ChevronLeft, ChevronRight, Newspaper } from "lucide-react";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { messageOf } from "@/api/error.ts";
import type { Coverage } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatDay } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { EmptyState, ErrorBanner, LoadingScreen } from "@/ui/StatusMessages.tsx";
import { coverage } from "./api.ts";
import { CoverageGrid } from "./CoverageGrid.tsx";
import { CoverageViews } from "./CoverageViews.tsx";
import { addDays, parseDay, SHOWN_DAYS } from "./days.ts";
import { IssueDialog, type OpenIssue } from "./IssueDialog.tsx";
import { Legend } from "./issueStates.tsx";

/** The number of gaps that the summary names. */
const NAMED_GAPS = 6;

/** How many days before its end the calendar of holidays is reported. */
const CALENDAR_DAYS = 60;

function gapsOf(data: Coverage): OpenIssue[] {
  const gaps = data.papers.flatMap(({ paper, issues }) =>
    issues.filter(({ isGap }) => isGap).map((issue) => ({ name: paper.name, paper, issue })),
  );
  return gaps.sort((a, b) => b.issue.date.localeCompare(a.issue.date));
}

/** The gaps in words, the latest first. */
function GapSummary({ data, onOpen }: { data: Coverage; onOpen: (issue: OpenIssue) => void }) {
  const { t } = useTranslation();
  const gaps = gapsOf(data);
  if (gaps.length === 0) {
    return (
      <p role="status" className="flex items-center gap-2 font-medium text-good">
        <CalendarCheck size={18} aria-hidden />
        {t("operate.coverage.noGaps")}
      </p>
    );
  }
  return (
    <section
      aria-label={t("operate.coverage.gapsLabel")}
      className="rounded-xl border border-urgent/40 bg-urgent-wash px-4 py-3"
    >
      <p role="status" className="font-semibold text-urgent">
        {t("operate.coverage.gaps", { count: gaps.length })}
      </p>
      <ul className="mt-1 flex flex-wrap gap-x-5">
        {gaps.slice(0, NAMED_GAPS).map((gap) => (
          <li key={`${gap.name} ${gap.issue.date}`}>
            <button
              type="button"
              onClick={() => onOpen(gap)}
              className="min-h-9 cursor-pointer text-left text-[0.9375rem] font-medium underline decoration-urgent/50 underline-offset-4 hover:text-urgent max-md:min-h-11"
            >
              {t("operate.coverage.issue", { name: gap.name, day: formatDay(gap.issue.date) })}
            </button>
          </li>
        ))}
        {gaps.length > NAMED_GAPS && (
          <li className="inline-flex min-h-9 items-center text-[0.9375rem] text-ink-soft">
            {t("operate.coverage.moreGaps", { count: gaps.length - NAMED_GAPS })}
          </li>
        )}
      </ul>
    </section>
  );
}

function WeekSteps({ data }: { data: Coverage }) {
  const { t } = useTranslation();
  const at = (from: string) => `?from=${from}`;
  const isNow = data.to === data.today;
  return (
    <nav aria-label={t("operate.coverage.days")} className="flex flex-wrap items-center gap-2">
      <ButtonLink variant="outlined" size="small" to={at(addDays(data.from, -7))}>
        <ChevronLeft size={16} aria-hidden />
        {t("operate.coverage.earlier")}
      </ButtonLink>
      <ButtonLink variant="outlined" size="small" to={at(addDays(data.from, 7))}>
        {t("operate.coverage.later")}
        <ChevronRight size={16} aria-hidden />
      </ButtonLink>
      {!isNow && (
        <ButtonLink variant="plain" size="small" to={paths.operateCoverage}>
          {t("operate.coverage.lastTwoWeeks")}
        </ButtonLink>
      )}
      <p aria-live="polite" className="px-1 text-[0.9375rem] font-semibold tabular-nums">
        {t("operate.coverage.range", { from: formatDay(data.from), to: formatDay(data.to) })}
      </p>
    </nav>
  );
}

/** The holidays by name, pages of unknown issues, and the end of the calendar. */
function Remarks({ data }: { data: Coverage }) {
  const { t } = useTranslation();
  const known = data.holidaysUntil?.slice(0, 4);
  const isEnding = !known || `${known}-12-31` < addDays(data.today, CALENDAR_DAYS);
  return (
    <div className="mt-4 grid gap-1 text-[0.9375rem] text-ink-soft">
      {data.holidays.map(({ date, name, kind }) => (
        <p key={date}>
          {formatDay(date)}: {name}
          {kind === "no-papers" && ` (${t("operate.coverage.holidays.kind.no-papers")})`}
        </p>
      ))}
      {data.unknownIssues > 0 && (
        <p>
          <Link to={paths.operatePages} className="text-accent underline underline-offset-4">
            {t("operate.coverage.unknownIssues", { count: data.unknownIssues })}
          </Link>
        </p>
      )}
      {isEnding && (
        <p className="font-medium text-soon">
          <Link to={paths.operateHolidays} className="underline underline-offset-4">
            {t("operate.coverage.holidays.ending")}
          </Link>
        </p>
      )}
    </div>
  );
}

export function Component() {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const [open, setOpen] = useState<OpenIssue | null>(null);
  const from = parseDay(params.get("from"));
  const { data, error, isPending, refetch } = useQuery({
    ...coverage(from),
    placeholderData: keepPreviousData,
  });
  const isEmpty = data && data.papers.length + data.unlisted.length === 0;
  return (
    <CoverageViews>
      {error && !data && (
        <ErrorBanner
          title={messageOf(error, t("operate.failed"))}
          action={
            <Button variant="outlined" size="small" onClick={() => void refetch()}>
              {t("shell.tryAgain")}
            </Button>
          }
        />
      )}
      {isPending && <LoadingScreen label={t("shell.loading")} />}
      {isEmpty && (
        <EmptyState
          icon={<Newspaper size={22} />}
          title={t("operate.coverage.none")}
          action={<ButtonLink to={paths.operatePapers}>{t("operate.coverage.papers.add")}</ButtonLink>}
        >
          {t("operate.coverage.noneHelp", { days: SHOWN_DAYS })}
        </EmptyState>
      )}
      {data && !isEmpty && (
        <>
          <GapSummary data={data} onOpen={setOpen} />
          <div className="mt-5 mb-3">
            <WeekSteps data={data} />
          </div>
          <CoverageGrid data={data} onOpen={setOpen} />
          <Legend />
          <Remarks data={data} />
        </>
      )}
      {open && <IssueDialog open={open} onClose={() => setOpen(null)} />}
    </CoverageViews>
  );
}
