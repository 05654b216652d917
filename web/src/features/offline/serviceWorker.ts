// The page's side of the service worker, which serves the app's own files and the clips offline.

import { addressKind } from "../../../worker/kinds.ts";
import { CLIPS, type Message } from "../../../worker/messages.ts";

async function sendMessage(message: Message): Promise<void> {
  const registration = await navigator.serviceWorker.ready;
  registration.active?.postMessage(message);
}

/** Sends the worker the files that were loaded before it became active. It skips cached ones. */
function cacheLoadedFiles(entries: PerformanceEntryList): void {
  const addresses = entries.map(({ name }) => name).filter((name) => addressKind(new URL(name)) !== null);
  if (addresses.length > 0) void sendMessage({ type: "keep", addresses });
}

/** Registers the service worker. */
export async function registerServiceWorker(): Promise<void> {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("/sw.js");
    new PerformanceObserver((list) => cacheLoadedFiles(list.getEntries())).observe({
      type: "resource",
      buffered: true,
    });
    await navigator.serviceWorker.ready;
    // A page that was loading during the activation is not controlled by the worker yet.
    if (!navigator.serviceWorker.controller) await sendMessage({ type: "claim" });
  } catch (error) {
    // Without the worker the portal works while there is a network.
    console.warn("The service worker could not be started.", error);
  }
}

/** Removes the cached clips. */
export async function clearClipCache(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  await window.caches.delete(CLIPS);
  // Clips that are still loading must not be cached either.
  if (navigator.serviceWorker.controller) await sendMessage({ type: "forget" });
}
