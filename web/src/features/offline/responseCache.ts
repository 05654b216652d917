// Caches responses of the portal and returns them when the portal is unreachable. Only queries with
// `cachedOffline` in their `meta` are cached. Every query asks the network first. The cache is used
// only if the portal does not respond.

import type { Query, QueryClient } from "@tanstack/react-query";
import { isUnreachable } from "@/api/error.ts";
import { readSubject, type SessionStore } from "@/api/session.ts";
import { health } from "@/shared/health.ts";
import { currentUser } from "@/shared/session/account.ts";
import type { CachedResponse } from "./responseStore.ts";

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: {
      /** Whether the response is cached for offline use. */
      cachedOffline?: boolean;
    };
  }
}

/** The storage of the cache. `ResponseStore` implements it. */
export interface ResponseCache {
  claim(owner: string): Promise<boolean>;
  put(owner: string, key: string, cached: CachedResponse, now: number): Promise<void>;
  get(owner: string, key: string): Promise<CachedResponse | null>;
}

/**
 * Identifies the current visitor, a user or a guest, who owns the cached data; `null` if the token
 * of the session has no subject.
 */
export function currentVisitor(session: SessionStore): string | null {
  const stored = session.read();
  if (!stored) return "guest";
  const subject = readSubject(stored.token);
  return subject && `user ${subject}`;
}

/** Whether a query with `cachedOffline` got no response from the portal at its last attempt. */
const hasNoResponse = ({ meta, state }: Query) =>
  meta?.cachedOffline === true && isUnreachable(state.fetchFailureReason);

/**
 * The time of the oldest data on the screen that can't be refreshed, in milliseconds since 1970;
 * `null` if there is no such data.
 */
export function oldestShownData(client: QueryClient): number | null {
  const isPortalUnreachable = isUnreachable(client.getQueryState(health.queryKey)?.error);
  const times = client
    .getQueryCache()
    .findAll({ type: "active" })
    .filter((query) => hasNoResponse(query) || (isPortalUnreachable && query.meta?.cachedOffline))
    .filter(({ state }) => state.data !== undefined)
    .map(({ state }) => state.dataUpdatedAt);
  return times.length > 0 ? Math.min(...times) : null;
}

interface CacheOptions {
  client: QueryClient;
  session: SessionStore;
  responses: ResponseCache;
  /** The version of the API contract. Data cached under another version is cleared. */
  version: string;
  now: () => number;
  /** Called after the cache was cleared, because the visitor or the version had changed. */
  onVisitorChange: () => void;
}

/** Starts caching. The returned function stops caching. */
export function cacheResponses({
  client,
  session,
  responses,
  version,
  now,
  onVisitorChange,
}: CacheOptions): () => void {
  const cache = client.getQueryCache();
  const owner = () => {
    const visitor = currentVisitor(session);
    return visitor && `${version} ${visitor}`;
  };
  /**
   * The visitor for whom a query was last fetched. A response that arrives after a change of
   * visitor is not cached.
   */
  const visitorOf = new WeakMap<Query, string | null>();
  const logErrors = (work: Promise<unknown>) => {
    // Without the store, nothing is cached, but the portal still works.
    work.catch((error: unknown) => console.warn("Responses could not be cached for offline use.", error));
  };

  const store = (query: Query, visitor: string) => {
    const { data, dataUpdatedAt: at } = query.state;
    logErrors(responses.put(visitor, query.queryHash, { data, at }, now()));
  };
  const restore = async (query: Query) => {
    const visitor = owner();
    const cached = visitor && (await responses.get(visitor, query.queryHash));
    if (!cached || visitor !== owner() || cache.get(query.queryHash) !== query) return;
    if (query.state.data === undefined)
      client.setQueryData(query.queryKey, cached.data, { updatedAt: cached.at });
  };

  let claimed: string | null = null;
  const claim = () => {
    const visitor = owner();
    if (visitor === claimed) return;
    claimed = visitor;
    logErrors(responses.claim(visitor ?? "nobody").then((isAnother) => isAnother && onVisitorChange()));
    // Signing in stores the user in the query cache without fetching it.
    const me = cache.find({ queryKey: currentUser.queryKey, exact: true });
    const user = client.getQueryData(currentUser.queryKey);
    if (me && user && visitor === `${version} user ${user._id}`) store(me, visitor);
  };
  claim();
  const stopClaiming = session.subscribe(claim);

  const handleResult = (query: Query) => {
    if (query.state.data === undefined) {
      if (hasNoResponse(query)) logErrors(restore(query));
    } else {
      const visitor = visitorOf.get(query);
      if (visitor && visitor === owner()) store(query, visitor);
    }
  };
  // Queries that started before this function was called belong to the current visitor.
  for (const query of cache.getAll()) {
    visitorOf.set(query, owner());
    if (query.meta?.cachedOffline) handleResult(query);
  }
  const stopListening = cache.subscribe((event) => {
    // Initial data that came with the page is a response too.
    if (event.type === "added" && event.query.meta?.cachedOffline && event.query.state.data !== undefined) {
      visitorOf.set(event.query, owner());
      handleResult(event.query);
    }
    if (event.type !== "updated") return;
    const { query, action } = event;
    if (action.type === "fetch") visitorOf.set(query, owner());
    const isResponse = action.type === "success";
    if (query.meta?.cachedOffline && (isResponse || action.type === "failed" || action.type === "error"))
      handleResult(query);
    // The health check succeeded, so repeat the queries that got no response.
    if (isResponse && query.queryKey[0] === health.queryKey[0]) {
      const filter = { type: "active", predicate: hasNoResponse } as const;
      logErrors(client.refetchQueries(filter, { cancelRefetch: false }));
    }
  });
  return () => {
    stopClaiming();
    stopListening();
  };
}
