// A place as text: town, district and province. Equal names appear once.

import type { Tender } from "@/api/types.ts";
import type { Translate } from "@/i18n/translate.ts";
import { vocabularyName } from "./vocabularyNames.ts";

/**
 * "Negombo, Gampaha, Western Province"; empty if the place is unknown. Without `withProvince`, the
 * province appears only if there is no district.
 */
export function placeName(location: Tender["location"], t: Translate, withProvince = false): string {
  if (!location) return "";
  const { city, district, province } = location;
  const near = district && vocabularyName("district", district, t);
  const far =
    province && (withProvince || !district)
      ? t("names.ofProvince", { name: vocabularyName("province", province, t) })
      : null;
  // If town and district have the same name, only the district's translated name appears.
  const town = city === district ? null : city;
  return [...new Set([town, near, far].filter((name) => name != null && name !== ""))].join(", ");
}
