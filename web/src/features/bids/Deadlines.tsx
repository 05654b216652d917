// The deadlines of a bid in the order in which a bidder meets them, with warnings for days on which
// offices are closed. What the notice does not state is named in one line.

import { AlarmClock, CalendarX2, CircleCheck, CircleDot } from "lucide-react";
import type { BidDetails, Deadline } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { isInWork, isOpen } from "@/shared/bids.ts";
import { useNow } from "@/shared/clock.ts";
import { dayOf, formatClosing, formatDay, formatMoment, formatTimeOfDay } from "@/shared/format/dates.ts";
import { CountdownBadge } from "@/shared/tender/CountdownBadge.tsx";
import { Badge } from "@/ui/Badge.tsx";
import { SectionCard } from "@/ui/SectionCard.tsx";
import { hasDocuments, nearDay } from "./documentSale.ts";
import { holidayName } from "./holidayName.ts";

type ClosedDay = NonNullable<Deadline["closed"]>;

/** The word for a counter in the three languages of notices. */
const COUNTER = /counter|කවුළුව|කවුන්ටර|கருமபீட|கவுண்டர/i;

/**
 * Whether bids are handed over at a counter that the notice names. A tender box and electronic bids have no
 * counter. Without its name, the hour of the closing says all.
 */
function isAtCounter({ checklist }: BidDetails): boolean {
  const delivery = checklist?.find(({ derived }) => derived?.kind === "deliver")?.derived;
  const methods = delivery?.methods ?? [];
  const isSealed = methods.includes("sealed-envelope") || methods.includes("two-envelopes");
  return isSealed && !methods.includes("tender-box") && COUNTER.test(delivery?.place ?? "");
}

/** The sentences that warn of closed offices and missing hours. */
function useWarnings(details: BidDetails) {
  const { t } = useTranslation();
  const hasCounter = isAtCounter(details);
  const { publishedBy } = details.bid.tender;
  const today = dayOf(useNow());
  const reason = ({ reason, name }: ClosedDay) =>
    name ? holidayName(name, t) : t(`bids.deadline.closedReason.${reason}`);
  return ({ kind, at, hasHour, closed, closedBefore, lastOpenDay, isDoubtful }: Deadline): string[] => {
    if (!at) return [];
    const warnings: string[] = [];
    if (isDoubtful) warnings.push(t("bids.deadline.doubtful"));
    // A bank's paper expires on any day, whether offices are open or not.
    if (kind === "bond-expiry") return warnings;
    if (closed)
      warnings.push(
        t(kind === "sale-ends" ? "bids.deadline.closedDaySale" : "bids.deadline.closedDay", {
          reason: reason(closed),
        }),
      );
    // On the day itself, the day before is over.
    if (closedBefore && today < dayOf(at)) {
      const before = { reason: reason(closedBefore) };
      warnings.push(
        lastOpenDay && today <= lastOpenDay
          ? t("bids.deadline.lastOpenDay", { ...before, day: formatDay(lastOpenDay) })
          : t("bids.deadline.closedBefore", before),
      );
    }
    // The moment of the closing says so itself.
    if (!hasHour && kind !== "closing") warnings.push(t(`bids.deadline.noHour.${publishedBy}`));
    if (hasHour && kind === "closing" && hasCounter && !closed) {
      warnings.push(t("bids.deadline.counterCloses", { hour: formatTimeOfDay(at) ?? "" }));
    }
    return warnings;
  };
}

/** Says that the user must act today or tomorrow. */
function NearBadge({ at }: { at: string }) {
  const { t } = useTranslation();
  const near = nearDay(dayOf(at), dayOf(useNow()));
  if (!near) return null;
  return (
    <Badge tone="urgent" icon={AlarmClock}>
      {t(`bids.deadline.near.${near}`)}
    </Badge>
  );
}

/** A deadline that the notice states. */
type KnownDeadline = Deadline & { at: string };

interface StepProps {
  deadline: KnownDeadline;
  isPast: boolean;
  /** Whether it is the sale of documents that the user has. */
  isBought: boolean;
  isNext: boolean;
  /** Whether something is left to do until then. */
  isPressing: boolean;
  warnings: readonly string[];
}

function Step({ deadline, isPast, isBought, isNext, isPressing, warnings }: StepProps) {
  const { t } = useTranslation();
  const { kind, at } = deadline;
  const Icon = isPast || isBought ? CircleCheck : CircleDot;
  return (
    <li className="flex gap-3" aria-current={isNext ? "step" : undefined}>
      <Icon size={18} aria-hidden className={`mt-0.5 shrink-0 ${isNext ? "text-accent" : "text-ink-soft"}`} />
      <div className="min-w-0 flex-1">
        <p className={isNext ? "font-semibold" : isPast ? "text-ink-soft" : ""}>
          {t(`bids.deadline.kind.${kind}`)}
        </p>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-[0.9375rem]">
          <time dateTime={at} className={isPast ? "text-ink-soft" : ""}>
            {kind === "closing" ? formatClosing(at) : formatMoment(at)}
          </time>
          {isBought && <span className="text-sm text-ink-soft">{t("bids.deadline.bought")}</span>}
          {isPast && !isBought && <span className="text-sm text-ink-soft">{t("bids.deadline.past")}</span>}
          {isNext && kind === "closing" ? (
            <CountdownBadge closing={at} isPressing={isPressing} />
          ) : (
            isPressing && !isPast && <NearBadge at={at} />
          )}
        </p>
        {!isPast && warnings.length > 0 && (
          <ul className="mt-0.5 text-sm text-soon">
            {warnings.map((warning) => (
              <li key={warning} className="flex items-start gap-1.5">
                <CalendarX2 size={14} aria-hidden className="mt-1 shrink-0" />
                <span>{warning}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}

/** The deadlines that stand here. After the delivery, those of the closing stand in what comes next. */
function shownDeadlines({ bid, deadlines }: BidDetails): Deadline[] {
  if (bid.stage !== "submitted") return deadlines;
  return deadlines.filter(({ kind }) => kind !== "closing" && kind !== "opening");
}

/** The deadlines of a bid with their warnings. */
export function Deadlines({ details, anchor }: { details: BidDetails; anchor: string }) {
  const { t } = useTranslation();
  const now = useNow();
  const { bid } = details;
  const deadlines = shownDeadlines(details);
  const warningsOf = useWarnings(details);
  // What is delivered or decided needs no warnings. A bank's paper expires in any stage.
  const matters = ({ kind }: Deadline) => kind === "bond-expiry" || isOpen(bid.stage);
  const known = deadlines.filter((deadline): deadline is KnownDeadline => deadline.at !== null);
  const unknown = deadlines.filter(({ at }) => at === null);
  const isPast = ({ at }: KnownDeadline) => Date.parse(at) < now;
  // Who has the documents needs to buy none.
  const isBought = ({ kind }: Deadline) => kind === "sale-ends" && hasDocuments(details);
  const open = known.filter((deadline) => !isPast(deadline) && !isBought(deadline) && matters(deadline));
  const times = open.map(({ at }) => Date.parse(at));
  const next = open[times.indexOf(Math.min(...times))];
  // Nobody has to be at the opening.
  const isPressing = (deadline: Deadline) =>
    isInWork(bid.stage) && deadline.kind !== "opening" && !isBought(deadline);
  /** The warnings of a deadline that no earlier one of the same day has. */
  const newWarnings = (deadline: KnownDeadline) => {
    const sameDay = known
      .slice(0, known.indexOf(deadline))
      .filter(({ at }) => dayOf(at) === dayOf(deadline.at));
    const said = sameDay.flatMap(warningsOf);
    return warningsOf(deadline).filter((warning) => !said.includes(warning));
  };
  return (
    <SectionCard title={t("bids.deadline.heading")} anchor={anchor}>
      <ol className="grid gap-4">
        {known.map((deadline) => (
          <Step
            key={deadline.kind}
            deadline={deadline}
            isPast={isPast(deadline)}
            isBought={isBought(deadline)}
            isNext={deadline === next}
            isPressing={isPressing(deadline)}
            warnings={isInWork(bid.stage) && !isBought(deadline) ? newWarnings(deadline) : []}
          />
        ))}
      </ol>
      {unknown.length > 0 && (
        <p className="mt-4 text-[0.9375rem]">
          {t(`bids.deadline.unknown.${bid.tender.publishedBy}`, {
            names: unknown.map(({ kind }) => t(`bids.deadline.kind.${kind}`)).join(", "),
          })}
        </p>
      )}
      <p className="mt-4 text-sm text-ink-soft">{t("bids.deadline.source")}</p>
    </SectionCard>
  );
}
