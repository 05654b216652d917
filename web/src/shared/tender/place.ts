// A place as text: town, district and province. Equal names appear once.

import type { Tender } from "@/api/types.ts";
import type { Translate } from "@/i18n/translate.ts";
import { isUncertain } from "./fieldStates.ts";
import { nearPlace } from "./nearPlace.ts";
import { vocabularyName } from "./vocabularyNames.ts";

type Place = NonNullable<Tender["location"]>;

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

/**
 * The place without its province, and after each part that is not certain, that it is not: "Negombo (not
 * certain), Gampaha". If no part is certain, the end says so for all.
 */
export function placeWithDoubt(tender: Pick<Tender, "location" | "fieldStates">, t: Translate): string {
  const { city, district, province } = tender.location ?? {};
  const places: [keyof Place, Place][] = [
    ["city", { city: city ?? null }],
    ["district", { district: district ?? null }],
    ["province", { province: district ? null : (province ?? null) }],
  ];
  const doubt = ` (${t("tenders.doubt.uncertainClosing")})`;
  // A name that the town has from its district is as certain as the district.
  const parts = places
    .filter(([field]) => field !== "city" || city !== district)
    .map(([field, place]) => ({
      name: placeName(place, t),
      doubt: isUncertain(tender, `location.${field}`) ? doubt : "",
    }))
    .filter(({ name }, nth, all) => name !== "" && all.findLastIndex((part) => part.name === name) === nth);
  const names = parts.map(({ name }) => name).join(", ");
  if (names !== "" && parts.every((part) => part.doubt !== "")) return names + doubt;
  return parts.map((part) => part.name + part.doubt).join(", ");
}
