// What happened to a bid, as sentences, the last event first.

import { useState } from "react";
import { parseEnum } from "@/api/enums.ts";
import type { BidDetails, BidEvent } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import type { Translate } from "@/i18n/translate.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { formatAmount } from "@/shared/format/money.ts";
import { Button } from "@/ui/Button.tsx";
import { STAGES } from "./board.ts";
import { ROW_KINDS } from "./checklistText.ts";
import { FoldedSection } from "./FoldedSection.tsx";

/** A row of the checklist in the history: the words of its kind, or the row's own words. */
function rowName(kind: string | null | undefined, text: string | null | undefined, t: Translate): string {
  const known = parseEnum(ROW_KINDS, kind);
  const name = known ? t(`bids.checklist.kind.${known}`) : null;
  return [name, text].filter(Boolean).join(": ");
}

/** Says what happened. */
function useEventText() {
  const { t } = useTranslation();
  const stage = (name: string | null | undefined) => {
    const known = parseEnum(STAGES, name);
    return known ? t(`bids.stage.${known}`) : (name ?? "");
  };
  const amount = (text: string | null | undefined) =>
    text == null ? t("bids.noValue") : formatAmount(Number(text), null);
  return ({ kind, before, after, subject }: BidEvent): string => {
    switch (kind) {
      case "moved":
        return t("bids.event.moved", { before: stage(before), after: stage(after) });
      case "assigned":
        return subject ? t("bids.event.assigned", { name: subject.name }) : t("bids.event.unassigned");
      case "valued":
        return t("bids.event.valued", { before: amount(before), after: amount(after) });
      case "row-added":
      case "row-deleted":
      case "row-ticked":
      case "row-reopened":
        return t(`bids.event.${kind}`, { title: rowName(before, after, t) });
      case "added":
      case "note-added":
      case "note-deleted":
        return t(`bids.event.${kind}`);
      default:
        return t(`bids.event.${kind}`, { title: after ?? "" });
    }
  };
}

/** The number of events that are shown at first. */
const SHOWN_EVENTS = 5;

export function BidHistory({ details, anchor }: { details: BidDetails; anchor: string }) {
  const { t } = useTranslation();
  const text = useEventText();
  const [isWhole, setWhole] = useState(false);
  const { history } = details;
  const shown = isWhole ? history : history.slice(0, SHOWN_EVENTS);
  return (
    <FoldedSection title={t("bids.history")} summary={String(history.length)} anchor={anchor}>
      <ol className="grid gap-3 text-[0.9375rem]">
        {shown.map((event, nth) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: events are only added at the front, and have no state
          <li key={history.length - nth} className="border-l-2 border-line pl-3">
            <p className="wrap-anywhere">{text(event)}</p>
            <p className="text-sm text-ink-soft wrap-anywhere">
              {`${event.actor?.name ?? t("bids.deletedUser")} · ${formatMoment(event.at)}`}
            </p>
          </li>
        ))}
      </ol>
      {shown.length < history.length && (
        <Button variant="plain" size="small" className="mt-3" onClick={() => setWhole(true)}>
          {t("bids.wholeHistory", { count: history.length })}
        </Button>
      )}
    </FoldedSection>
  );
}
