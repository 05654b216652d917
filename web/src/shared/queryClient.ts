// The query client of the app and of its tests.

import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  QueryClient,
  type QueryKey,
} from "@tanstack/react-query";

/**
 * A query client whose `invalidateQueries` also repeats first requests that are under way. Their answers
 * can be older than the change after which the queries are invalidated, and TanStack's own client would
 * show such an answer as fresh.
 */
export class RefreshingQueryClient extends QueryClient {
  override async invalidateQueries<TaggedKey extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<TaggedKey>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const firstRequests = this.getQueryCache()
      .findAll(filters)
      .filter(({ state }) => state.data === undefined && state.fetchStatus !== "idle")
      // Without an observer, someone awaits the answer of the request itself.
      .filter((query) => query.isActive());
    await Promise.all(firstRequests.map((query) => query.cancel({ revert: true, silent: true })));
    return super.invalidateQueries(filters, options);
  }
}
