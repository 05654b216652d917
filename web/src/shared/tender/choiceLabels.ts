// The labels of the values of the advanced search.

import { useTranslation } from "@/i18n/i18n.ts";
import { enumLabel } from "@/i18n/translate.ts";
import { formatDay } from "@/shared/format/dates.ts";
import { displayTitle } from "./displayTitle.ts";
import type { Choice } from "./filters.ts";
import { vocabularyName } from "./vocabularyNames.ts";

/** The label of a choice, for its checkbox and its chip. */
export function useChoiceLabel(): (choice: Choice) => string {
  const { t } = useTranslation();
  return ({ name, value }) => {
    switch (name) {
      case "sectors":
        return enumLabel(t, "tenders.sector", value);
      case "categories":
        return vocabularyName("category", value, t);
      case "provinces":
        return vocabularyName("province", value, t);
      case "districts":
        return vocabularyName("district", value, t);
      case "kinds":
        return enumLabel(t, "tenders.kind", value);
      case "organizationTypes":
        return enumLabel(t, "tenders.organizationType", value);
      case "languages":
        return enumLabel(t, "tenders.language", value);
      case "grades":
        return `CIDA ${value}`;
      case "organizations":
        return displayTitle(value);
      case "closingFrom":
      case "closingUntil":
      case "publishedFrom":
      case "publishedUntil":
        return t(`tenders.advanced.chip.${name}`, { day: formatDay(value) });
      case "minValue":
      case "maxValue":
        return t(`tenders.advanced.chip.${name}`, { value });
      default:
        return value;
    }
  };
}
