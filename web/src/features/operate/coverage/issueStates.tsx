// How the state of an issue looks: an icon with a colour, and words.

import {
  Ban,
  CircleCheck,
  CircleDashed,
  CircleX,
  Clock,
  Hourglass,
  type LucideIcon,
  Minus,
  TriangleAlert,
} from "lucide-react";
import { enumValues } from "@/api/enums.ts";
import type { Issue, IssueState } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatMoment } from "@/shared/format/dates.ts";

const ISSUE_STATES = enumValues<IssueState>()(
  "read",
  "partial",
  "waiting",
  "failed",
  "missing",
  "due",
  "absent",
  "not-expected",
);

interface Look {
  icon: LucideIcon;
  style: string;
}

const looks: Record<IssueState, Look> = {
  read: { icon: CircleCheck, style: "bg-good-wash text-good" },
  partial: { icon: CircleDashed, style: "bg-soon-wash text-soon" },
  waiting: { icon: Clock, style: "bg-calm-wash text-calm" },
  failed: { icon: TriangleAlert, style: "bg-urgent-wash text-urgent" },
  missing: { icon: CircleX, style: "bg-urgent-wash text-urgent" },
  due: { icon: Hourglass, style: "bg-well text-ink-soft" },
  absent: { icon: Ban, style: "bg-well text-ink-soft" },
  "not-expected": { icon: Minus, style: "text-ink-soft" },
};

/** The icon of a state on its background. */
export function StateIcon({ state, count }: { state: IssueState; count?: number | undefined }) {
  const { icon: Icon, style } = looks[state];
  return (
    <span
      data-state={state}
      className={`inline-flex h-8 min-w-8 items-center justify-center gap-1 rounded-md px-1.5 text-[0.8125rem] font-semibold tabular-nums ${style}`}
    >
      <Icon size={16} aria-hidden className="shrink-0" />
      {count !== undefined && count > 0 && <span aria-hidden>{count}</span>}
    </span>
  );
}

/** The number of pages of an issue. */
export const pagesOf = ({ read, waiting, failed }: Issue) => read + waiting + failed;

/** What the portal has of an issue, in words. */
export function useContentText(issue: Issue): string {
  const { t } = useTranslation();
  const parts = [
    issue.read > 0 && t("operate.coverage.readPages", { count: issue.read }),
    issue.waiting > 0 && t("operate.coverage.waitingPages", { count: issue.waiting }),
    issue.failed > 0 && t("operate.coverage.failedPages", { count: issue.failed }),
    issue.notices > 0 && t("operate.coverage.notices", { count: issue.notices }),
  ];
  return parts.filter(Boolean).join(", ");
}

/** When the pages of an issue are or were due. */
export function useDueText({ dueAt }: Issue): string {
  const { t } = useTranslation();
  return dueAt
    ? t("operate.coverage.dueBy", { moment: formatMoment(dueAt) })
    : t("operate.coverage.notExpectedThatDay");
}

/** What the icons mean. */
export function Legend() {
  const { t } = useTranslation();
  return (
    <ul aria-label={t("operate.coverage.legend")} className="mt-4 flex flex-wrap gap-x-5 gap-y-2 text-sm">
      {ISSUE_STATES.map((state) => (
        <li key={state} className="inline-flex items-center gap-2">
          <StateIcon state={state} />
          {t(`operate.coverage.state.${state}`)}
        </li>
      ))}
    </ul>
  );
}
