import { QueryClient, QueryObserver, queryOptions } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "@/api/error.ts";
import { SessionStore } from "@/api/session.ts";
import { health } from "@/shared/health.ts";
import { currentUser } from "@/shared/session/account.ts";
import { tokenUntil } from "@/testing/render.tsx";
import { cacheResponses, currentVisitor, oldestShownData, type ResponseCache } from "./responseCache.ts";
import type { CachedResponse } from "./responseStore.ts";

const NOW = Date.parse("2026-11-21T09:00:00+05:30");
const networkError = new TypeError("Failed to fetch");

/** A store that keeps the responses in memory. */
class MemoryStore implements ResponseCache {
  owner: string | null = null;
  cached = new Map<string, CachedResponse>();

  async claim(owner: string) {
    const isAnother = this.owner !== owner;
    if (isAnother) this.cached.clear();
    this.owner = owner;
    return isAnother;
  }
  async put(owner: string, key: string, cached: CachedResponse) {
    if (this.owner === owner) this.cached.set(key, cached);
  }
  async get(owner: string, key: string) {
    return this.owner === owner ? (this.cached.get(key) ?? null) : null;
  }
}

let store: MemoryStore;
let session: SessionStore;
let client: QueryClient;
let visitorChanges: number;
let cleanups: (() => void)[];
/** The portal's response for each list. The request of a list without a response fails. */
let portal: Record<string, unknown>;

const list = (name: string, cachedOffline = true) =>
  queryOptions({
    queryKey: ["tenders", name],
    queryFn: async () => {
      const answer = portal[name];
      if (answer instanceof Error) throw answer;
      if (answer === undefined) throw networkError;
      return answer;
    },
    retry: false,
    meta: { cachedOffline },
  });

/** Observes a query, as a page does, and waits until it is idle. */
async function show(options: ReturnType<typeof list>) {
  const observer = new QueryObserver(client, options);
  cleanups.push(observer.subscribe(() => {}));
  await vi.waitFor(() => expect(observer.getCurrentResult().fetchStatus).toBe("idle"));
  return observer;
}

/** Simulates loading the page: a new query client, but the same store and session. */
function loadPage() {
  client = new QueryClient();
  const onVisitorChange = () => {
    visitorChanges += 1;
  };
  cleanups.push(
    cacheResponses({ client, session, responses: store, version: "1", now: () => NOW, onVisitorChange }),
  );
}

beforeEach(() => {
  store = new MemoryStore();
  session = new SessionStore(window.localStorage);
  portal = {};
  visitorChanges = 0;
  cleanups = [];
  loadPage();
});

afterEach(() => {
  for (const cleanUp of cleanups) cleanUp();
});

const signIn = (name: string) => session.write(tokenUntil(NOW / 1000 + 3600, name), "refresh");

it("returns cached data with its time after a reload while the portal is unreachable", async () => {
  portal.live = { total: 3 };
  const first = await show(list("live"));
  const at = first.getCurrentResult().dataUpdatedAt;
  expect(oldestShownData(client)).toBeNull();
  loadPage();
  portal = {};
  const again = await show(list("live"));
  await vi.waitFor(() => expect(again.getCurrentResult().data).toEqual({ total: 3 }));
  expect(again.getCurrentResult().dataUpdatedAt).toBe(at);
  expect(oldestShownData(client)).toBe(at);
});

it("returns cached data to queries that failed before caching started", async () => {
  portal.live = { total: 3 };
  await show(list("live"));
  portal = {};
  client = new QueryClient();
  const early = await show(list("live"));
  expect(early.getCurrentResult().data).toBeUndefined();
  cleanups.push(
    cacheResponses({
      client,
      session,
      responses: store,
      version: "1",
      now: () => NOW,
      onVisitorChange: () => {},
    }),
  );
  await vi.waitFor(() => expect(early.getCurrentResult().data).toEqual({ total: 3 }));
});

it("caches initial data that came with the page", async () => {
  await show({
    ...list("live"),
    initialData: { total: 3 },
    initialDataUpdatedAt: NOW,
    staleTime: Infinity,
  } as never);
  await vi.waitFor(() => expect([...store.cached.values()]).toEqual([{ data: { total: 3 }, at: NOW }]));
});

it("replaces a gateway error with cached data, but not a refusal", async () => {
  portal.live = { total: 3 };
  await show(list("live"));
  loadPage();
  portal.live = new ApiError("Forbidden", 403);
  const refused = await show(list("live"));
  expect(refused.getCurrentResult().data).toBeUndefined();
  portal.live = new ApiError("HTTP error! status: 503", 503);
  await refused.refetch();
  await vi.waitFor(() => expect(refused.getCurrentResult().data).toEqual({ total: 3 }));
});

it("does not cache queries without `cachedOffline`", async () => {
  portal.live = { total: 3 };
  await show(list("live", false));
  expect(store.cached.size).toBe(0);
});

it("clears the cache and reports the change whenever the visitor changes", async () => {
  portal.live = "of anyone";
  await show(list("live"));
  await vi.waitFor(() => expect(store.cached.size).toBe(1));
  const before = visitorChanges;
  for (const change of [
    () => signIn("kumari"),
    () => session.clear(),
    () => signIn("sunil"),
    () => signIn("kumari"),
  ]) {
    portal.mine = `of ${currentVisitor(session)}`;
    change();
    await vi.waitFor(() => expect(store.cached.size).toBe(0));
    client.clear();
    await show(list("mine"));
    await vi.waitFor(() => expect(store.cached.size).toBe(1));
  }
  await vi.waitFor(() => expect(visitorChanges).toBe(before + 4));
});

it("keeps the cache when the same visitor's token is renewed", async () => {
  signIn("kumari");
  portal.live = "kept";
  await show(list("live"));
  await vi.waitFor(() => expect(store.cached.size).toBe(1));
  session.write(tokenUntil(NOW / 1000 + 7200, "kumari"), "another");
  await Promise.resolve();
  expect(store.cached.size).toBe(1);
});

it("does not cache a response that arrives after its visitor signed out", async () => {
  signIn("kumari");
  let answer = (_: unknown) => {};
  const slow = { ...list("mine"), queryFn: () => new Promise((resolve) => (answer = resolve)) };
  const observer = new QueryObserver(client, slow);
  cleanups.push(observer.subscribe(() => {}));
  session.clear();
  answer("of kumari");
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe("of kumari"));
  expect(store.cached.size).toBe(0);
});

it("caches the user that a sign-in sets, but no other user", async () => {
  const user = { _id: "kumari", firstName: "Kumari" };
  client.setQueryData(currentUser.queryKey, user as never);
  signIn("kumari");
  await vi.waitFor(() => expect([...store.cached.values()]).toMatchObject([{ data: user }]));
  client.setQueryData(currentUser.queryKey, user as never);
  signIn("sunil");
  await vi.waitFor(() => expect(store.owner).toContain("sunil"));
  expect(store.cached.size).toBe(0);
});

it("clears data that was cached under another version of the contract", async () => {
  portal.live = "of the old form";
  await show(list("live"));
  await vi.waitFor(() => expect(store.cached.size).toBe(1));
  client = new QueryClient();
  cleanups.push(
    cacheResponses({
      client,
      session,
      responses: store,
      version: "2",
      now: () => NOW,
      onVisitorChange: () => {},
    }),
  );
  portal = {};
  const shown = await show(list("live"));
  await vi.waitFor(() => expect(store.cached.size).toBe(0));
  expect(shown.getCurrentResult().data).toBeUndefined();
});

it("reports outdated data while the portal is unreachable, then repeats unanswered queries", async () => {
  portal.live = "old";
  const shown = await show(list("live"));
  let reachable = false;
  const healthQuery = {
    ...health,
    refetchInterval: false as const,
    queryFn: async () => {
      if (!reachable) throw networkError;
      return { database: true, services: { search: true, matching: true, mail: true, sendingOff: false } };
    },
  };
  const healthObserver = new QueryObserver(client, healthQuery as never);
  cleanups.push(healthObserver.subscribe(() => {}));
  await vi.waitFor(() => expect(healthObserver.getCurrentResult().isError).toBe(true));
  // The list's own query has not failed, but the data can't be refreshed.
  expect(oldestShownData(client)).toBe(shown.getCurrentResult().dataUpdatedAt);
  delete portal.live;
  await shown.refetch();
  portal.live = "new";
  reachable = true;
  await healthObserver.refetch();
  await vi.waitFor(() => expect(shown.getCurrentResult().data).toBe("new"));
  expect(oldestShownData(client)).toBeNull();
});

it("returns the portal's responses even if the store fails", async () => {
  const warned = vi.spyOn(console, "warn").mockReturnValue();
  const broken = { claim: vi.fn(), put: vi.fn(), get: vi.fn() };
  for (const fails of Object.values(broken)) fails.mockRejectedValue(new Error("The store is forbidden"));
  client = new QueryClient();
  cleanups.push(
    cacheResponses({
      client,
      session,
      responses: broken,
      version: "1",
      now: () => NOW,
      onVisitorChange: () => {},
    }),
  );
  portal.live = "fresh";
  expect((await show(list("live"))).getCurrentResult().data).toBe("fresh");
  expect((await show(list("gone"))).getCurrentResult().isError).toBe(true);
  await vi.waitFor(() => expect(warned).toHaveBeenCalled());
});
