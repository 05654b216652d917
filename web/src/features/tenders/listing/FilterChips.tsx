// The active filters above the list. Pressing one clears it.

import { X } from "lucide-react";
import { useTranslation } from "@/i18n/i18n.ts";
import { useChoiceLabel } from "@/shared/tender/choiceLabels.ts";
import {
  type Filters,
  hasQuickFilter,
  listChoices,
  noFilters,
  toggleChoice,
} from "@/shared/tender/filters.ts";

/** The label of the quick filter: the stat card, or the sector and the search text. */
export function useQuickFilterLabel({ category, search, show }: Filters): string {
  const { t } = useTranslation();
  if (show) return t(`tenders.badge.${show}`);
  const parts = [
    category && t(`tenders.sector.${category}`),
    search && t("tenders.badge.search", { text: search }),
  ];
  return parts.filter(Boolean).join(", ");
}

/** A button that shows an active filter and clears it. */
function FilterChip({ label, onClear }: { label: string; onClear: () => void }) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      onClick={onClear}
      aria-label={t("tenders.badge.clear", { filter: label })}
      className="inline-flex min-h-8 max-w-full items-center gap-2 rounded-full bg-accent-wash pr-2 pl-3 text-sm font-semibold text-accent hover:bg-accent hover:text-on-accent max-sm:min-h-11"
    >
      <span className="truncate">{label}</span>
      <X size={16} aria-hidden className="shrink-0" />
    </button>
  );
}

/** The active filters: the quick filter and each choice of the advanced search. */
export function FilterChips({
  filters,
  onChange,
}: {
  filters: Filters;
  onChange: (filters: Filters) => void;
}) {
  const { t } = useTranslation();
  const quick = useQuickFilterLabel(filters);
  const choiceLabel = useChoiceLabel();
  const choices = listChoices(filters.advanced);
  const { category, search, show } = noFilters;
  return (
    <>
      {hasQuickFilter(filters) && (
        <FilterChip label={quick} onClear={() => onChange({ ...filters, category, search, show, page: 1 })} />
      )}
      {choices.map((choice) => (
        <FilterChip
          key={`${choice.name} ${choice.value}`}
          label={choiceLabel(choice)}
          onClear={() => onChange({ ...filters, advanced: toggleChoice(filters.advanced, choice), page: 1 })}
        />
      ))}
      {choices.length > 1 && (
        <button
          type="button"
          onClick={() => onChange({ ...filters, advanced: {}, page: 1 })}
          className="min-h-8 text-sm font-semibold text-accent hover:underline max-sm:min-h-11"
        >
          {t("tenders.advanced.clear")}
        </button>
      )}
    </>
  );
}
