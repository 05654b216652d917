// Keeps what the portal answered, and gives it back where the portal can't be reached. Only queries that say so by their
// `meta` are kept. Everything is asked of the network first: what is kept only stands in for an answer that did not come.

import type { Query, QueryClient } from "@tanstack/react-query";
import { isUnanswered } from "@/api/error.ts";
import { type SessionStore, subjectOf } from "@/api/session.ts";
import { health } from "@/shared/health.ts";
import { currentUser } from "@/shared/session/account.ts";
import type { CachedResponse } from "./responseStore.ts";

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: {
      /** Can be read again without the network. */
      cachedOffline?: boolean;
    };
  }
}

/** Where answers are kept; see `store.ts`. */
export interface ResponseCache {
  claim(owner: string): Promise<boolean>;
  put(owner: string, key: string, kept: CachedResponse, now: number): Promise<void>;
  get(owner: string, key: string): Promise<CachedResponse | null>;
}

/** Who reads, and is given what was kept for them alone; `null` for a session that does not say whose it is. */
export function currentReader(session: SessionStore): string | null {
  const stored = session.read();
  if (!stored) return "guest";
  const subject = subjectOf(stored.token);
  return subject && `user ${subject}`;
}

const wentUnanswered = ({ meta, state }: Query) =>
  meta?.cachedOffline === true && isUnanswered(state.fetchFailureReason);

/**
 * The oldest of what is on the screen and cannot be asked for again, in milliseconds since 1970; `null` while the portal can
 * be reached.
 */
export function oldestShownData(client: QueryClient): number | null {
  const isCutOff = isUnanswered(client.getQueryState(health.queryKey)?.error);
  const times = client
    .getQueryCache()
    .findAll({ type: "active" })
    .filter((query) => wentUnanswered(query) || (isCutOff && query.meta?.cachedOffline))
    .filter(({ state }) => state.data !== undefined)
    .map(({ state }) => state.dataUpdatedAt);
  return times.length > 0 ? Math.min(...times) : null;
}

interface Surroundings {
  client: QueryClient;
  session: SessionStore;
  answers: ResponseCache;
  /** Names the form of the answers: what another version of the app kept is not read. */
  version: string;
  now: () => number;
  /** Called when the store was emptied because the reader changed. */
  onAnotherReader: () => void;
}

/** Keeps answers and gives them back from now on; returns how to stop. */
export function cacheResponses({
  client,
  session,
  answers,
  version,
  now,
  onAnotherReader,
}: Surroundings): () => void {
  const cache = client.getQueryCache();
  const owner = () => {
    const reader = currentReader(session);
    return reader && `${version} ${reader}`;
  };
  /** For whom a query was last asked: an answer that comes after a change of reader is nobody's. */
  const askedFor = new WeakMap<Query, string | null>();
  const quietly = (work: Promise<unknown>) => {
    // A full or forbidden store keeps nothing; the portal is still there.
    work.catch((error: unknown) => console.warn("This browser keeps nothing to be read offline.", error));
  };

  const keep = (query: Query, reader: string) => {
    const { data, dataUpdatedAt: at } = query.state;
    quietly(answers.put(reader, query.queryHash, { data, at }, now()));
  };
  const giveBack = async (query: Query) => {
    const reader = owner();
    const kept = reader && (await answers.get(reader, query.queryHash));
    if (!kept || reader !== owner() || cache.get(query.queryHash) !== query) return;
    if (query.state.data === undefined)
      client.setQueryData(query.queryKey, kept.data, { updatedAt: kept.at });
  };

  let claimed: string | null = null;
  const claim = () => {
    const reader = owner();
    if (reader === claimed) return;
    claimed = reader;
    quietly(answers.claim(reader ?? "nobody").then((isAnother) => isAnother && onAnotherReader()));
    // Signing in tells who the user is without a query's being asked.
    const me = cache.find({ queryKey: currentUser.queryKey, exact: true });
    const user = client.getQueryData(currentUser.queryKey);
    if (me && user && reader === `${version} user ${user._id}`) keep(me, reader);
  };
  claim();
  const stopClaiming = session.subscribe(claim);

  const look = (query: Query) => {
    if (query.state.data === undefined) {
      if (wentUnanswered(query)) quietly(giveBack(query));
    } else {
      const reader = askedFor.get(query);
      if (reader && reader === owner()) keep(query, reader);
    }
  };
  // What was asked before this began was asked for the same reader.
  for (const query of cache.getAll()) {
    askedFor.set(query, owner());
    if (query.meta?.cachedOffline) look(query);
  }
  const stopLooking = cache.subscribe((event) => {
    // What came with the page is an answer too.
    if (event.type === "added" && event.query.meta?.cachedOffline && event.query.state.data !== undefined) {
      askedFor.set(event.query, owner());
      look(event.query);
    }
    if (event.type !== "updated") return;
    const { query, action } = event;
    if (action.type === "fetch") askedFor.set(query, owner());
    const isAnswer = action.type === "success";
    if (query.meta?.cachedOffline && (isAnswer || action.type === "failed" || action.type === "error"))
      look(query);
    // The portal answers again: what it did not answer is asked once more.
    if (isAnswer && query.queryKey[0] === health.queryKey[0]) {
      const again = { type: "active", predicate: wentUnanswered } as const;
      quietly(client.refetchQueries(again, { cancelRefetch: false }));
    }
  });
  return () => {
    stopClaiming();
    stopLooking();
  };
}
