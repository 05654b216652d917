// Before all browser tests: a portal, with notices published into it. After them: nothing is left running.

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
