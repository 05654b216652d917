// Starts the portal and publishes notices before all browser tests, and stops it after them.

import { Portal, running } from "./portal.ts";

export default async function setup(): Promise<() => Promise<void>> {
  if (running) return async () => {};
  const portal = await Portal.start();
  try {
    await portal.publish();
  } catch (error) {
    await portal.stop();
    throw error;
  }
  return () => portal.stop();
}
