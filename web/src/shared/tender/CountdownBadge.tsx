// A badge with the number of days until a tender closes. Its colour and icon show the urgency.

import { AlarmClock, CalendarClock, CircleSlash, Hourglass } from "lucide-react";
import { useTranslation } from "@/i18n/i18n.ts";
import { useNow } from "@/shared/clock.ts";
import { Badge } from "@/ui/Badge.tsx";
import { countdownTo, type Urgency } from "./countdown.ts";

const icons = { urgent: AlarmClock, soon: Hourglass, calm: CalendarClock } satisfies Record<Urgency, unknown>;

export function CountdownBadge({
  closing,
  wraps = false,
}: {
  closing: string | null | undefined;
  /** Whether the text may wrap, in a narrow column. */
  wraps?: boolean;
}) {
  const { t } = useTranslation();
  const countdown = countdownTo(closing, useNow());
  if (!countdown) return null;
  if (countdown.closed) {
    return (
      <Badge tone="quiet" icon={CircleSlash} wraps={wraps}>
        {t("shell.countdown.closed")}
      </Badge>
    );
  }
  const { days, urgency } = countdown;
  return (
    <Badge tone={urgency} icon={icons[urgency]} wraps={wraps}>
      {days === 0 ? t("shell.countdown.today") : t("shell.countdown.closing", { count: days })}
    </Badge>
  );
}
