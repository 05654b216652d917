// The listing with the tools for saved searches, which belong to another feature.

import { SearchTools } from "@/features/saved/SearchTools.tsx";
import { TendersPage } from "@/features/tenders/listing/TendersPage.tsx";

export function Component() {
  return (
    <TendersPage
      searchTools={(filters, description) => <SearchTools filters={filters} description={description} />}
    />
  );
}
