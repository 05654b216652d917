// When the tender of a bid closes, and its status if nobody can bid for it any more.

import type { Bid } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { isInWork, isOpen } from "@/shared/bids.ts";
import { formatClosing, formatTimeOfDay } from "@/shared/format/dates.ts";
import { CountdownBadge } from "@/shared/tender/CountdownBadge.tsx";
import { Badge } from "@/ui/Badge.tsx";

/** A closing whose hour is not broken at the end of a line. */
function Moment({ at }: { at: string }) {
  const text = formatClosing(at);
  const hour = formatTimeOfDay(at);
  const day = hour && text.endsWith(hour) ? text.slice(0, -hour.length) : text;
  return (
    <time dateTime={at}>
      {day}
      {day !== text && <span className="whitespace-nowrap">{hour}</span>}
    </time>
  );
}

/**
 * The closing with the days that are left. A tender that has ended has its status instead, and a bid that is
 * decided has no days left.
 */
export function ClosingFact({
  tender,
  stage,
  wraps = false,
}: Pick<Bid, "tender" | "stage"> & {
  /** Whether the badge may wrap, in a narrow column. */
  wraps?: boolean;
}) {
  const { t } = useTranslation();
  const { closing, isClosingDoubtful, status } = tender;
  const hasEnded = status === "cancelled" || status === "withdrawn" || status === "awarded";
  return (
    <>
      <span className="block">
        {closing ? (
          <Moment at={closing} />
        ) : (
          <span className="text-ink-soft">{t("tenders.card.noClosing")}</span>
        )}
        {isClosingDoubtful && closing && (
          <span className="block text-[0.8125rem] text-soon">{t("tenders.doubt.uncertainClosing")}</span>
        )}
      </span>
      {hasEnded ? (
        <Badge tone={status === "awarded" ? "quiet" : "urgent"}>{t(`tenders.status.${status}`)}</Badge>
      ) : (
        isOpen(stage) && <CountdownBadge closing={closing} isPressing={isInWork(stage)} wraps={wraps} />
      )}
    </>
  );
}
