// Leads from a search for the name of a category to all of its tenders, in whatever language they are printed.

import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "@/i18n/i18n.ts";
import { enumLabel } from "@/i18n/translate.ts";
import { type Filters, noFilters } from "@/shared/tender/filters.ts";
import { tenderStatsWithin } from "@/shared/tender/tenderStats.ts";
import { type Category, sectorOf } from "@/shared/tender/vocabulary.ts";
import { vocabularyName } from "@/shared/tender/vocabularyNames.ts";
import { namedCategory } from "./categoryHint.ts";

interface CategoryHintProps {
  filters: Filters;
  /** Whether the user may filter by category. Others get the category's sector. */
  permitted: boolean;
  onChoose: (filters: Filters) => void;
}

export function CategoryHint({ filters, permitted, onChoose }: CategoryHintProps) {
  const { t } = useTranslation();
  const category = namedCategory(filters.search, (one) => [
    one,
    vocabularyName("category", one, t),
    enumLabel(t, "tenders.categoryHint.words", one),
  ]);
  if (category === null) return null;
  return <CategoryLink {...{ filters, permitted, onChoose, category }} />;
}

function CategoryLink({
  filters,
  permitted,
  onChoose,
  category,
}: CategoryHintProps & { category: Category }) {
  const { t } = useTranslation();
  const wide: Filters = { ...noFilters, hideClosed: filters.hideClosed };
  const { data } = useQuery(tenderStatsWithin(wide));
  const sector = sectorOf({ category });
  const isSector = !permitted && sector !== null;
  const count = isSector
    ? data?.sectorStats.find(({ _id }) => _id === sector)?.count
    : data?.categoryStats.find(({ _id }) => _id === category)?.count;
  if (!count || (!isSector && !permitted)) return null;
  const chosen: Filters = isSector
    ? { ...wide, category: sector }
    : { ...wide, advanced: { categories: [category] } };
  const name = isSector ? t(`tenders.sector.${sector}`) : vocabularyName("category", category, t);
  return (
    <p className="mt-3 rounded-xl bg-well px-4 py-3 text-[0.9375rem]">
      {t("tenders.categoryHint.text")}{" "}
      <button
        type="button"
        onClick={() => onChoose(chosen)}
        className="font-semibold text-accent underline underline-offset-2 max-sm:min-h-11"
      >
        {name} ({count})
      </button>
    </p>
  );
}
