// A place in words, from the near to the far, each name once.

import type { Tender } from "@/api/types.ts";
import type { Translate } from "@/i18n/translate.ts";
import { vocabularyName } from "./vocabularyNames.ts";

/** "Negombo, Gampaha, Western Province"; empty when nothing is known. */
export function placeName(location: Tender["location"], t: Translate, withProvince = false): string {
  if (!location) return "";
  const { city, district, province } = location;
  const near = district && vocabularyName("district", district, t);
  const far =
    province && (withProvince || !district)
      ? t("names.ofProvince", { name: vocabularyName("province", province, t) })
      : null;
  // A town that gives its district the name is said once, in whatever script it was printed.
  const town = city === district ? null : city;
  return [...new Set([town, near, far].filter((name) => name != null && name !== ""))].join(", ");
}
