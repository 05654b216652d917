// Which tenders the market counts. A district or a sector alone has an address of its own.

import { enumValues, parseEnum } from "@/api/enums.ts";
import type { operations } from "@/api/schema.gen.ts";
import { paths } from "@/shared/paths.ts";
import { ALL_DISTRICTS, type District, SECTORS, type Sector } from "@/shared/tender/vocabulary.ts";

type MarketQuery = NonNullable<operations["readMarket"]["parameters"]["query"]>;
type Grade = NonNullable<MarketQuery["grade"]>;

/** The contractor grades that the market counts by, the highest of each class first. */
export const MARKET_GRADES = enumValues<Grade>()(
  "CS2",
  "CS1",
  "C1",
  "C2",
  "C3",
  "C4",
  "C5",
  "C6",
  "C7",
  "C8",
  "C9",
  "C10",
  "M",
  "EM",
  "EM1",
  "EM2",
  "EM3",
  "EM4",
  "EM5",
  "GP",
  "SP",
);

export interface MarketFilters {
  district?: District;
  sector?: Sector;
  grade?: Grade;
}

/** The filters of an address. `null`: there is no such district or sector. */
export function readMarketFilters(
  part: { district?: string | undefined; sector?: string | undefined },
  parameters: URLSearchParams,
): MarketFilters | null {
  const named = ALL_DISTRICTS.find((name) => paths.marketDistrict(name).endsWith(`/${part.district}`));
  const sectorOfPart = parseEnum(SECTORS, part.sector);
  if ((part.district !== undefined && !named) || (part.sector !== undefined && !sectorOfPart)) return null;
  const district = named ?? parseEnum(ALL_DISTRICTS, parameters.get("district"));
  const sector = sectorOfPart ?? parseEnum(SECTORS, parameters.get("sector"));
  const grade = parseEnum(MARKET_GRADES, parameters.get("grade"));
  return { ...(district && { district }), ...(sector && { sector }), ...(grade && { grade }) };
}

/** The address of the page with these filters. */
export function marketPath({ district, sector, grade }: MarketFilters): string {
  if (district && !sector && !grade) return paths.marketDistrict(district);
  if (sector && !district && !grade) return paths.marketSector(sector);
  const query = new URLSearchParams();
  if (district) query.set("district", district);
  if (sector) query.set("sector", sector);
  if (grade) query.set("grade", grade);
  return query.size === 0 ? paths.market : `${paths.market}?${query}`;
}

/** The filters as query parameters, before they are known to be valid. */
export function marketQueryPath(filters: Partial<Record<keyof MarketFilters, string>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value) query.set(name, value);
  return `${paths.market}?${query}`;
}
