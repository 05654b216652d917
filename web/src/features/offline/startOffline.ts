// What makes the app readable without a network, started after the first page is on the screen.

import type { QueryClient } from "@tanstack/react-query";
import { session } from "@/api/client.ts";
import { keepAnswers } from "./answerCache.ts";
import { AnswerStore } from "./answerStore.ts";
import { forgetClips, startWorker } from "./serviceWorker.ts";

/** Names the contract that the answers follow; set by the build. */
declare const CONTRACT: string;

export function startOffline(client: QueryClient): void {
  void startWorker();
  if (!("indexedDB" in window)) return;
  keepAnswers({
    client,
    session,
    answers: new AnswerStore(),
    version: CONTRACT,
    now: Date.now,
    onAnotherReader: () => void forgetClips(),
  });
}
