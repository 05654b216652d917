// The messages from the page to the service worker, and the name of the cache that both use.

/**
 * `claim`: the worker does not control the page yet. `keep`: files that were loaded before the
 * worker was active. `forget`: the visitor has changed.
 */
export type Message = { type: "claim" } | { type: "keep"; addresses: string[] } | { type: "forget" };

/** The name of the cache of viewed clips. */
export const CLIPS_CACHE = "clips";

/** Reads a message; `null` for anything else. */
export function readMessage(data: unknown): Message | null {
  if (typeof data !== "object" || data === null || !("type" in data)) return null;
  if (data.type === "claim" || data.type === "forget") return { type: data.type };
  if (data.type !== "keep" || !("addresses" in data) || !Array.isArray(data.addresses)) return null;
  return { type: "keep", addresses: data.addresses.filter((address) => typeof address === "string") };
}
