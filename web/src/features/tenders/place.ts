// A place in words, from the near to the far, each name once.

import type { Tender } from "@/api/types.ts";

/** "Negombo, Gampaha, Western Province"; empty when nothing is known. */
export function placeOf(location: Tender["location"], withProvince = false): string {
  if (!location) return "";
  const { city, district, province } = location;
  const far = province && (withProvince || !district) ? `${province} Province` : null;
  return [...new Set([city, district, far].filter((name) => name != null && name !== ""))].join(", ");
}
