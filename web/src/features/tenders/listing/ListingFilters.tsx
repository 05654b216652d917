// All filters below the search bar. On a phone they are in a drawer.

import type { Facets } from "@/api/types.ts";
import { AdvancedSearch, PermittedFilterPanel } from "@/shared/tender/AdvancedSearch.tsx";
import type { Filters } from "@/shared/tender/filters.ts";
import { BasicFilterList, BasicFilterRow } from "./BasicFilters.tsx";
import { FilterDrawer } from "./FilterDrawer.tsx";

interface ListingFiltersProps {
  filters: Filters;
  /** The counts for these filters; `undefined` until they were requested. */
  facets: Facets | undefined;
  /** The number of tenders in the list; `undefined` while it is loading. */
  total: number | undefined;
  /** Whether the user has a company profile. */
  hasCompany: boolean;
  /** Whether the user's plan includes the advanced search. */
  permitted: boolean;
  /** Requests the counts. */
  onCount: () => void;
  onChange: (filters: Filters) => void;
}

export function ListingFilters(props: ListingFiltersProps) {
  const { filters, facets, total, hasCompany, permitted, onCount, onChange } = props;
  const basic = { filters, facets, hasCompany, onChange };
  const advanced = {
    filters,
    permitted,
    hiddenList: "districts" as const,
    onChange: (advanced: Filters["advanced"]) => onChange({ ...filters, advanced, page: 1 }),
  };
  return (
    <>
      <div className="max-sm:hidden">
        <div className="mt-2 flex flex-wrap items-center gap-x-5 gap-y-1">
          <BasicFilterRow {...basic} onOpen={onCount} />
        </div>
        <AdvancedSearch {...advanced} />
      </div>
      <div className="mt-2 sm:hidden">
        <FilterDrawer filters={filters} count={total} onOpen={onCount}>
          <BasicFilterList {...basic} />
          <div className="mt-4 border-t border-line pt-4">
            <PermittedFilterPanel {...advanced} />
          </div>
        </FilterDrawer>
      </div>
    </>
  );
}
