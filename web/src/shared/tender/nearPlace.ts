// The near part of a place as text. This file has no texts of its own, because the first page loads it.

import type { Tender } from "@/api/types.ts";
import type { Translate } from "@/i18n/translate.ts";
import { vocabularyName } from "./vocabularyNames.ts";

/** The town and the district, of which each may be missing. Equal names appear once. */
export function nearPlace({ city, district }: NonNullable<Tender["location"]>, t: Translate): string[] {
  const near = district && vocabularyName("district", district, t);
  // If town and district have the same name, only the district's translated name appears.
  const town = city === district ? null : city;
  return [...new Set([town, near])].filter((name): name is string => name != null && name !== "");
}
