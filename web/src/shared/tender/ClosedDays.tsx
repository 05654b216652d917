// Short warnings beside a closing: the days near it on which offices are closed.

import { useQuery } from "@tanstack/react-query";
import { CalendarX2 } from "lucide-react";
import type { Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { useNow } from "@/shared/clock.ts";
import { dayOf, formatDay } from "@/shared/format/dates.ts";
import { closedDaysNear, holidaysAfter } from "@/shared/holidays.ts";
import { endOf } from "./countdown.ts";

/** Names the closed days near a day on which something must be done, such as buying the documents. */
export function ClosedDaysNear({ day, status }: { day: string; status: Tender["status"] }) {
  return <ClosedDays closing={`${day}T23:59:59+05:30`} status={status} />;
}

/** Names the closed days near the closing of an open tender. */
export function ClosedDays({
  closing,
  status,
}: {
  closing: string | null | undefined;
  /** The status of the tender, if it is known. */
  status?: Tender["status"] | undefined;
}) {
  const { t } = useTranslation();
  const now = useNow();
  const today = dayOf(now);
  const isOpen = closing != null && Date.parse(closing) >= now && !endOf(status);
  const { data: holidays = [] } = useQuery({ ...holidaysAfter(today), enabled: isOpen });
  if (!isOpen) return null;
  return closedDaysNear(closing, holidays, today).map(({ day, reason }) => {
    const fact = t(`bids.deadline.isClosed.${reason}`, { day: formatDay(day) });
    return (
      <span key={day} className="flex items-start gap-1 text-[0.8125rem] font-medium text-soon">
        <CalendarX2 size={14} aria-hidden className="mt-0.5 shrink-0" />
        <span>
          {day !== dayOf(closing) && `${t("shell.tender.dayBefore")} `}
          <span>{fact}</span>
        </span>
      </span>
    );
  });
}
