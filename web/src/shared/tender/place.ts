// A place as text: town, district and province. Equal names appear once.

import type { Tender } from "@/api/types.ts";
import type { Translate } from "@/i18n/translate.ts";
import { nearPlace } from "./nearPlace.ts";
import { vocabularyName } from "./vocabularyNames.ts";

/**
 * "Negombo, Gampaha, Western Province"; empty if the place is unknown. Without `withProvince`, the
 * province appears only if there is no district.
 */
export function placeName(location: Tender["location"], t: Translate, withProvince = false): string {
  if (!location) return "";
  const { district, province } = location;
  const far =
    province && (withProvince || !district)
      ? t("names.ofProvince", { name: vocabularyName("province", province, t) })
      : null;
  return [...nearPlace(location, t), ...(far === null ? [] : [far])].join(", ");
}
