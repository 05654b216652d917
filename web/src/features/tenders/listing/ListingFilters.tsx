// All filters of the listing: in a row below the search bar or, on a phone, in a drawer.

import type { Facets } from "@/api/types.ts";
import { AdvancedSearch, PermittedFilterPanel } from "@/shared/tender/AdvancedSearch.tsx";
import type { Filters } from "@/shared/tender/filters.ts";
import { BasicFilterRow, DistrictList, SwitchList } from "./BasicFilters.tsx";
import { FilterDrawer } from "./FilterDrawer.tsx";

export interface ListingFiltersProps {
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

function advancedProps({ filters, permitted, onChange }: ListingFiltersProps) {
  return {
    filters,
    permitted,
    onChange: (advanced: Filters["advanced"]) => onChange({ ...filters, advanced, page: 1 }),
  };
}

/** The filters below the search bar, in one row, from a small tablet on. */
export function FilterRows(props: ListingFiltersProps) {
  const { filters, facets, hasCompany, onCount, onChange } = props;
  return (
    <div className="max-sm:hidden">
      <AdvancedSearch {...advancedProps(props)} hiddenList="districts">
        <BasicFilterRow {...{ filters, facets, hasCompany, onChange }} onOpen={onCount} />
      </AdvancedSearch>
    </div>
  );
}

/**
 * The button of a phone that opens all filters. The districts are among the filters of the advanced search,
 * or stand before what the reader needs to use them.
 */
export function FilterButton(props: ListingFiltersProps) {
  const { filters, facets, total, hasCompany, permitted, onCount, onChange } = props;
  return (
    <div className="sm:hidden">
      <FilterDrawer filters={filters} count={total} onOpen={onCount}>
        <SwitchList {...{ filters, hasCompany, onChange }} />
        {!permitted && <DistrictList {...{ filters, facets, hasCompany, onChange }} />}
        <div className="mt-4 border-t border-line pt-4">
          <PermittedFilterPanel {...advancedProps(props)} />
        </div>
      </FilterDrawer>
    </div>
  );
}
