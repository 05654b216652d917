// The four stat cards of the listing. Each card shows a number of tenders. Pressing the card lists
// these tenders. Without counts, the cards have no numbers.

import { useTranslation } from "@/i18n/i18n.ts";
import type { StatFilter } from "@/shared/tender/filters.ts";
import type { CardCounts } from "./useListingCounts.ts";

interface StatCardsProps {
  counts: CardCounts | undefined;
  loading: boolean;
  /** The filter of the active card: `null` for all tenders, `undefined` if no card is active. */
  active: StatFilter | null | undefined;
  onChoose: (show: StatFilter | null) => void;
}

export function StatCards({ counts, loading, active, onChoose }: StatCardsProps) {
  const { t } = useTranslation();
  const cards = [
    { show: null, key: "all" },
    { show: "today", key: "today" },
    { show: "live", key: "live" },
    { show: "closed", key: "closed" },
  ] as const;
  return (
    <fieldset className="grid grid-cols-4 gap-1.5 max-sm:w-full sm:gap-2">
      <legend className="sr-only">{t("tenders.cards.label")}</legend>
      {cards.map(({ show, key }) => (
        <button
          key={key}
          type="button"
          aria-pressed={active === show}
          onClick={() => onChoose(show)}
          className="flex min-h-11 min-w-0 flex-col items-center justify-center rounded-lg border border-line bg-sheet px-1 leading-tight transition-colors hover:border-accent aria-pressed:border-accent aria-pressed:bg-accent-wash aria-pressed:text-accent sm:min-h-13 sm:min-w-20 sm:px-2 sm:py-1"
        >
          <span className="font-bold sm:text-lg">
            {loading ? t("home.stats.loading") : (counts?.[key] ?? "–")}
          </span>{" "}
          <span className="max-w-full truncate text-[0.8125rem] font-medium">
            {t(`tenders.cards.${key}`)}
          </span>
        </button>
      ))}
    </fieldset>
  );
}
