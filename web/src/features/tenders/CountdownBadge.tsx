// The closing-in countdown: colour, icon and words together.

import { AlarmClock, CalendarClock, CircleSlash, Hourglass } from "lucide-react";
import { useNow } from "@/app/clock.ts";
import { useTranslation } from "@/locales/i18n.ts";
import { Badge } from "@/ui/Badge.tsx";
import { countdownTo, type Urgency } from "./dates.ts";

const icons = { urgent: AlarmClock, soon: Hourglass, calm: CalendarClock } satisfies Record<Urgency, unknown>;

export function CountdownBadge({ closing }: { closing: string | null | undefined }) {
  const { t } = useTranslation();
  const countdown = countdownTo(closing, useNow());
  if (!countdown) return null;
  if (countdown.closed) {
    return (
      <Badge tone="quiet" icon={CircleSlash}>
        {t("tenders.countdown.closed")}
      </Badge>
    );
  }
  const { days, urgency } = countdown;
  return (
    <Badge tone={urgency} icon={icons[urgency]}>
      {days === 0 ? t("tenders.countdown.today") : t("tenders.countdown.closing", { count: days })}
    </Badge>
  );
}
