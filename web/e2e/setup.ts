// Before the browser tests, starts a portal for each worker and publishes notices to it. Stops the
// portals after the tests. If E2E_URL names a running portal, does nothing.

import { Portal, portalCount, removeLogs, runningPortal } from "./portal.ts";

export default async function setup(): Promise<() => Promise<void>> {
  if (runningPortal) return async () => {};
  const starting = Array.from({ length: portalCount }, (_, number) => Portal.start(number));
  const started = (await Promise.allSettled(starting)).flatMap((portal) =>
    portal.status === "fulfilled" ? [portal.value] : [],
  );
  const stop = async () => {
    await Promise.all(started.map((portal) => portal.stop()));
    removeLogs();
  };
  try {
    await Promise.all(starting);
    // `ingest` locks the folder of notices, so it publishes to one portal after the other.
    for (const portal of started) await portal.publish();
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}
