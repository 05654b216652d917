// Registers the service worker and sends messages to it. The worker serves the app's own files and
// the clips offline.

import { addressKind } from "../../../worker/kinds.ts";
import { CLIPS_CACHE, type Message } from "../../../worker/messages.ts";

async function sendMessage(message: Message): Promise<void> {
  const registration = await navigator.serviceWorker.ready;
  registration.active?.postMessage(message);
}

/** Tells the worker which files the page has loaded, so that the worker caches the missing ones. */
function cacheLoadedFiles(entries: PerformanceEntryList): void {
  const addresses = entries.map(({ name }) => name).filter((name) => addressKind(new URL(name)) !== null);
  if (addresses.length > 0) void sendMessage({ type: "keep", addresses });
}

/** Registers the service worker, in production builds only. */
export async function registerServiceWorker(): Promise<void> {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("/sw.js");
    new PerformanceObserver((list) => cacheLoadedFiles(list.getEntries())).observe({
      type: "resource",
      buffered: true,
    });
    await navigator.serviceWorker.ready;
    // The worker does not yet control a page that was loading while the worker was activated.
    if (!navigator.serviceWorker.controller) await sendMessage({ type: "claim" });
  } catch (error) {
    // Without the worker, the portal still works online.
    console.warn("The service worker could not be started.", error);
  }
}

export async function clearClipCache(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  await window.caches.delete(CLIPS_CACHE);
  // Clips that are still loading must not be cached either.
  if (navigator.serviceWorker.controller) await sendMessage({ type: "forget" });
}
