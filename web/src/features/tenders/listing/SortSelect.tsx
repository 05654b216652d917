// The order of the list.

import { useId } from "react";
import { parseEnum } from "@/api/enums.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { noFilters, SORTS, type Sort } from "@/shared/tender/filters.ts";

interface SortSelectProps {
  sort: Sort;
  /** Whether a text was searched for. Without one, the best order is the newest first. */
  hasText: boolean;
  onChoose: (sort: Sort) => void;
}

export function SortSelect({ sort, hasText, onChoose }: SortSelectProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className="flex min-w-24 items-center gap-2 text-sm max-sm:flex-1">
      <label htmlFor={id} className="text-ink-soft max-sm:sr-only">
        {t("tenders.sort.label")}
      </label>
      <select
        id={id}
        value={sort === "newest" && !hasText ? "best" : sort}
        onChange={({ target }) => onChoose(parseEnum(SORTS, target.value) ?? noFilters.sort)}
        className="min-h-8 rounded-lg border border-edge bg-sheet px-2 font-medium max-sm:min-h-11 max-sm:w-full"
      >
        {SORTS.filter((name) => name !== (hasText ? "" : "newest")).map((name) => (
          <option key={name} value={name}>
            {t(`tenders.sort.${name === "best" && !hasText ? "newest" : name}`)}
          </option>
        ))}
      </select>
    </div>
  );
}
