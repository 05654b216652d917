// The page's side of the service worker, which answers for the app's own files and the clips without the network.

import { kindOfAddress } from "../../../worker/kinds.ts";
import { CLIPS, type Message } from "../../../worker/messages.ts";

async function tell(message: Message): Promise<void> {
  const registration = await navigator.serviceWorker.ready;
  registration.active?.postMessage(message);
}

/** What was loaded, when the worker was not there yet or while it came. What it has already, it leaves. */
function handOver(entries: PerformanceEntryList): void {
  const addresses = entries.map(({ name }) => name).filter((name) => kindOfAddress(new URL(name)) !== null);
  if (addresses.length > 0) void tell({ type: "keep", addresses });
}

/** Puts the worker to work. */
export async function registerServiceWorker(): Promise<void> {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("/sw.js");
    new PerformanceObserver((list) => handOver(list.getEntries())).observe({
      type: "resource",
      buffered: true,
    });
    await navigator.serviceWorker.ready;
    // A page that was on its way while the worker came is not among those that it took over.
    if (!navigator.serviceWorker.controller) await tell({ type: "claim" });
  } catch (error) {
    // Without it the portal works as long as there is a network.
    console.warn("The app can't be kept to be used offline.", error);
  }
}

/** Removes the clips that were seen. */
export async function clearClipCache(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  await window.caches.delete(CLIPS);
  // One that is on its way is not kept either.
  if (navigator.serviceWorker.controller) await tell({ type: "forget" });
}
