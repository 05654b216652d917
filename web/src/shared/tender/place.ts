// A place as text, from the nearest to the farthest name, each once.

import type { Tender } from "@/api/types.ts";
import type { Translate } from "@/i18n/translate.ts";
import { vocabularyName } from "./vocabularyNames.ts";

/** "Negombo, Gampaha, Western Province"; empty if nothing is known. */
export function placeName(location: Tender["location"], t: Translate, withProvince = false): string {
  if (!location) return "";
  const { city, district, province } = location;
  const near = district && vocabularyName("district", district, t);
  const far =
    province && (withProvince || !district)
      ? t("names.ofProvince", { name: vocabularyName("province", province, t) })
      : null;
  // A town with the name of its district appears once, in either script.
  const town = city === district ? null : city;
  return [...new Set([town, near, far].filter((name) => name != null && name !== ""))].join(", ");
}
