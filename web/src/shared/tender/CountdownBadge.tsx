// A badge with the number of days until a tender closes. Its colour and icon show the urgency. A tender that
// has ended before its closing has no days left: the badge names how it ended.

import { AlarmClock, CalendarClock, CircleMinus, Hourglass } from "lucide-react";
import type { Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { useNow } from "@/shared/clock.ts";
import { Badge } from "@/ui/Badge.tsx";
import { countdownTo, endOf, type Urgency } from "./countdown.ts";

const icons = { urgent: AlarmClock, soon: Hourglass, calm: CalendarClock } satisfies Record<Urgency, unknown>;

export function CountdownBadge({
  closing,
  status,
  isCertain = true,
  isPressing = true,
  wraps = false,
}: {
  closing: string | null | undefined;
  /** The status of the tender, if it is known. */
  status?: Tender["status"] | undefined;
  /** Whether the closing is certain. An uncertain one is named as such in the badge, and nowhere else. */
  isCertain?: boolean;
  /** Whether something is left to do until the closing. Otherwise, the badge is calm. */
  isPressing?: boolean;
  /** Whether the text may wrap, in a narrow column. */
  wraps?: boolean;
}) {
  const { t } = useTranslation();
  const countdown = countdownTo(closing, useNow());
  const withDoubt = (words: string) =>
    isCertain ? words : t("shell.countdown.uncertain", { countdown: words });
  const end = endOf(status);
  if (end || countdown?.closed) {
    return (
      <Badge tone="quiet" icon={CircleMinus} wraps={wraps}>
        {end ? t(`shell.countdown.${end}`) : withDoubt(t("shell.countdown.closed"))}
      </Badge>
    );
  }
  if (!countdown) return null;
  const { days } = countdown;
  const urgency = isPressing ? countdown.urgency : "calm";
  return (
    <Badge tone={urgency} icon={icons[urgency]} wraps={wraps}>
      {withDoubt(days === 0 ? t("shell.countdown.today") : t("shell.countdown.closing", { count: days }))}
    </Badge>
  );
}
