// What makes the app readable without a network, started after the first page is on the screen.

import type { QueryClient } from "@tanstack/react-query";
import { session } from "@/api/client.ts";
import { cacheResponses } from "./responseCache.ts";
import { ResponseStore } from "./responseStore.ts";
import { clearClipCache, registerServiceWorker } from "./serviceWorker.ts";

/** Names the contract that the answers follow; set by the build. */
declare const CONTRACT: string;

export function startOffline(client: QueryClient): void {
  void registerServiceWorker();
  if (!("indexedDB" in window)) return;
  cacheResponses({
    client,
    session,
    answers: new ResponseStore(),
    version: CONTRACT,
    now: Date.now,
    onAnotherReader: () => void clearClipCache(),
  });
}
