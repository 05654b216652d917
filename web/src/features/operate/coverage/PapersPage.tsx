// The page with the table of expected newspapers. An operator can add, change, pause and remove them.

import { useQuery } from "@tanstack/react-query";
import { Newspaper, Pause } from "lucide-react";
import { useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { messageOf } from "@/api/error.ts";
import type { ExpectedPaper } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { useNow } from "@/shared/clock.ts";
import { ConfirmDialog } from "@/shared/dialogs/ConfirmDialog.tsx";
import { dayOf, formatDay } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { ActionMenu } from "@/ui/ActionMenu.tsx";
import { Badge } from "@/ui/Badge.tsx";
import { Button } from "@/ui/Button.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { EmptyState, ErrorBanner, LoadingScreen } from "@/ui/StatusMessages.tsx";
import { toast } from "@/ui/toasts.ts";
import { expectedPapers, inputOf, type PaperInput, useCoverageAction, useFailure, WEEKDAYS } from "./api.ts";
import { CoverageViews } from "./CoverageViews.tsx";
import { timeText } from "./days.ts";
import { PaperDialog } from "./PaperDialog.tsx";

function RemoveDialog({ paper, onClose }: { paper: ExpectedPaper; onClose: () => void }) {
  const { t } = useTranslation();
  const action = useCoverageAction();
  const failure = useFailure(action.error);
  return (
    <ConfirmDialog
      title={t("operate.coverage.papers.removeTitle", { name: paper.name })}
      onClose={onClose}
      confirm={
        <Button
          disabled={action.isPending}
          onClick={() => action.mutate({ kind: "removePaper", id: paper._id }, { onSuccess: onClose })}
        >
          {t("operate.coverage.papers.removeConfirm")}
        </Button>
      }
    >
      <p>{t("operate.coverage.papers.removeHelp")}</p>
      <FormMessage id="remove-failure">{failure}</FormMessage>
    </ConfirmDialog>
  );
}

/** The days of the week in words: all days, or their names. */
function useWeekdaysText({ weekdays }: ExpectedPaper): string {
  const { t } = useTranslation();
  if (weekdays.length === WEEKDAYS.length) return t("operate.coverage.papers.everyDay");
  return weekdays.map((day) => t(`operate.coverage.weekday.${day}`)).join(", ");
}

function PaperRow({ paper }: { paper: ExpectedPaper }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<"change" | "remove" | null>(null);
  const action = useCoverageAction();
  const weekdays = useWeekdaysText(paper);
  const close = () => setDialog(null);
  const isPaused = paper.pausedFrom !== null;
  const exceptions = [
    !paper.printsOnPoya && t("operate.coverage.papers.notOnPoya"),
    !paper.printsOnHolidays && t("operate.coverage.papers.notOnHolidays"),
    paper.minPages > 1 && t("operate.coverage.papers.atLeast", { count: paper.minPages }),
    t("operate.coverage.papers.from", { day: formatDay(paper.activeFrom) }),
  ];
  const setPaused = (paused: boolean) =>
    action.mutate(
      {
        kind: "changePaper",
        id: paper._id,
        version: paper.version,
        paper: { ...inputOf(paper), isPaused: paused },
      },
      { onError: (error) => toast.error(messageOf(error, t("operate.users.actionFailed"))) },
    );
  return (
    <div className="flex items-start gap-3 px-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-semibold wrap-anywhere">{paper.name}</span>
          {paper.pausedFrom && (
            <Badge tone="soon" icon={Pause}>
              {t("operate.coverage.papers.pausedFrom", { day: formatDay(paper.pausedFrom) })}
            </Badge>
          )}
        </p>
        <p className="text-[0.9375rem]">
          {weekdays}, {t("operate.coverage.by", { time: timeText(paper.dueTime) })}
        </p>
        <p className="text-sm text-ink-soft">{exceptions.filter(Boolean).join(" · ")}</p>
        {paper.spellings.length > 0 && (
          <p className="text-sm wrap-anywhere text-ink-soft">
            {t("operate.coverage.papers.alsoSpelled", { spellings: paper.spellings.join(", ") })}
          </p>
        )}
      </div>
      <ActionMenu
        label={t("operate.users.actions", { name: paper.name })}
        actions={[
          { label: t("operate.coverage.papers.change"), onChoose: () => setDialog("change") },
          {
            label: t(isPaused ? "operate.coverage.papers.resume" : "operate.coverage.papers.pause"),
            onChoose: () => setPaused(!isPaused),
          },
          {
            label: t("operate.users.history"),
            onChoose: () => void navigate(`${paths.operateAudit}?subject=${paper._id}`),
          },
          {
            label: t("operate.coverage.papers.remove"),
            isDestructive: true,
            onChoose: () => setDialog("remove"),
          },
        ]}
      />
      {dialog === "change" && (
        <PaperDialog
          initial={inputOf(paper)}
          changed={{ id: paper._id, version: paper.version }}
          onClose={close}
        />
      )}
      {dialog === "remove" && <RemoveDialog paper={paper} onClose={close} />}
    </div>
  );
}

export function Component() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const { data, error, isPending, refetch } = useQuery(expectedPapers);
  const today = dayOf(useNow());
  // The address may name a newspaper to add, so that a link can open the form.
  const added = params.get("add");
  const setAdded = (name: string | null) => setParams(name === null ? {} : { add: name }, { replace: true });
  const blank: PaperInput = {
    name: (added ?? "").slice(0, 100),
    spellings: [],
    weekdays: [...WEEKDAYS],
    dueTime: "08:00",
    minPages: 1,
    printsOnPoya: true,
    printsOnHolidays: true,
    activeFrom: today,
    isPaused: false,
  };
  return (
    <CoverageViews>
      <div className="mb-5 flex flex-wrap items-end justify-between gap-4">
        <p className="max-w-[70ch] text-ink-soft">{t("operate.coverage.papers.text")}</p>
        <Button onClick={() => setAdded("")}>{t("operate.coverage.papers.add")}</Button>
      </div>
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
      {data?.length === 0 && (
        <EmptyState icon={<Newspaper size={22} />} title={t("operate.coverage.papers.none")}>
          {t("operate.coverage.papers.noneHelp")}
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <ul className="divide-y divide-line rounded-xl border border-line bg-sheet">
          {data.map((paper) => (
            <li key={paper._id}>
              <PaperRow paper={paper} />
            </li>
          ))}
        </ul>
      )}
      {added !== null && <PaperDialog initial={blank} changed={null} onClose={() => setAdded(null)} />}
    </CoverageViews>
  );
}
