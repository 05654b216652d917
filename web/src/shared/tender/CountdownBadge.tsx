// A badge with the number of days until a tender closes. Its colour and icon show the urgency. A tender that
// has ended before its closing has no days left: the badge names how it ended.

import { AlarmClock, CalendarClock, CircleSlash, Hourglass } from "lucide-react";
import type { Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { useNow } from "@/shared/clock.ts";
import { Badge } from "@/ui/Badge.tsx";
import { countdownTo, endOf, type Urgency } from "./countdown.ts";

const icons = { urgent: AlarmClock, soon: Hourglass, calm: CalendarClock } satisfies Record<Urgency, unknown>;

export function CountdownBadge({
  closing,
  status,
  wraps = false,
}: {
  closing: string | null | undefined;
  /** The status of the tender, if it is known. */
  status?: Tender["status"] | undefined;
  /** Whether the text may wrap, in a narrow column. */
  wraps?: boolean;
}) {
  const { t } = useTranslation();
  const countdown = countdownTo(closing, useNow());
  const end = endOf(status) ?? (countdown?.closed ? "closed" : null);
  if (end) {
    return (
      <Badge tone="quiet" icon={CircleSlash} wraps={wraps}>
        {t(`shell.countdown.${end}`)}
      </Badge>
    );
  }
  if (!countdown || countdown.closed) return null;
  const { days, urgency } = countdown;
  return (
    <Badge tone={urgency} icon={icons[urgency]} wraps={wraps}>
      {days === 0 ? t("shell.countdown.today") : t("shell.countdown.closing", { count: days })}
    </Badge>
  );
}
