// The listing that shows what a figure of the market counts.

import { paths } from "@/shared/paths.ts";
import { type Filters, noFilters, SEPARATOR } from "@/shared/tender/filters.ts";
import { KINDS } from "@/shared/tender/vocabulary.ts";
import type { MarketFilters } from "./marketFilters.ts";

/** The filters of the listing, by those of the market. */
const LISTING_NAMES = { sector: "category", district: "districts", grade: "grades" } as const;

/** The listing with these filters, and further parameters. Only some plans can filter it by a grade. */
export function listingPath(
  filters: MarketFilters,
  isOpenOnly = false,
  more: Record<string, string> = {},
): string {
  const query = new URLSearchParams();
  for (const name of ["sector", "district", "grade"] as const) {
    const value = filters[name];
    if (value) query.set(LISTING_NAMES[name], value);
  }
  if (isOpenOnly) query.set("hideClosed", "true");
  for (const [name, value] of Object.entries(more)) query.set(name, value);
  return query.size === 0 ? paths.tenders : `${paths.tenders}?${query}`;
}

/**
 * The listing of the open tenders of no sector. A registration is in a sector, whatever its category. Only
 * some plans can filter by category and kind.
 */
export function otherListingPath(filters: MarketFilters): string {
  const kinds = KINDS.filter((kind) => kind !== "registration").join(SEPARATOR);
  return listingPath(filters, true, { categories: "Other", kinds });
}

/** The filters of the listing that `listingPath` leads to. */
export function listingFilters({ district, sector, grade }: MarketFilters, isOpenOnly: boolean): Filters {
  return {
    ...noFilters,
    category: sector ?? null,
    hideClosed: isOpenOnly,
    advanced: { ...(district && { districts: [district] }), ...(grade && { grades: [grade] }) },
  };
}
