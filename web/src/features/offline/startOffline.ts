// Starts offline support: the service worker and the cache of responses.

import type { QueryClient } from "@tanstack/react-query";
import { session } from "@/api/client.ts";
import { cacheResponses } from "./responseCache.ts";
import { ResponseStore } from "./responseStore.ts";
import { clearClipCache, registerServiceWorker } from "./serviceWorker.ts";

/** The version of the API contract, set by the build. */
declare const CONTRACT: string;

export function startOffline(client: QueryClient): void {
  void registerServiceWorker();
  if (!("indexedDB" in window)) return;
  cacheResponses({
    client,
    session,
    responses: new ResponseStore(),
    version: CONTRACT,
    now: Date.now,
    onVisitorChange: () => void clearClipCache(),
  });
}
