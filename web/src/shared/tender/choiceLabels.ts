// The words of what the advanced search narrows by.

import type { components } from "@/api/schema.gen.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatDay } from "@/shared/format/dates.ts";
import { type Choice, SECTORS } from "./filters.ts";
import { vocabularyName } from "./vocabularyNames.ts";

type Schemas = components["schemas"];

/** How a choice is called on its box and its chip. */
export function useChoiceLabel(): (choice: Choice) => string {
  const { t } = useTranslation();
  return ({ name, value }) => {
    switch (name) {
      case "sectors": {
        const sector = SECTORS.find((known) => known === value);
        return sector ? t(`tenders.sector.${sector}`) : value;
      }
      case "categories":
        return vocabularyName("category", value, t);
      case "provinces":
        return vocabularyName("province", value, t);
      case "districts":
        return vocabularyName("district", value, t);
      case "kinds":
        return t(`tenders.kind.${value as Schemas["Kind"]}`, { defaultValue: value });
      case "organizationTypes":
        return t(`tenders.organizationType.${value as Schemas["OrganizationType"]}`, { defaultValue: value });
      case "languages":
        return t(`tenders.language.${value as Schemas["Language"]}`, { defaultValue: value });
      case "grades":
        return `CIDA ${value}`;
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
