// What the page tells the service worker, and the cache that both know by name.

/**
 * `claim`: the page is not the worker's yet. `keep`: what was loaded before the worker was there. `forget`: the reader is
 * another.
 */
export type Message = { type: "claim" } | { type: "keep"; addresses: string[] } | { type: "forget" };

/** Where the clips that were seen are kept. */
export const CLIPS = "clips";

/** Reads what came as a message; `null` for anything else. */
export function readMessage(data: unknown): Message | null {
  if (typeof data !== "object" || data === null || !("type" in data)) return null;
  if (data.type === "claim" || data.type === "forget") return { type: data.type };
  if (data.type !== "keep" || !("addresses" in data) || !Array.isArray(data.addresses)) return null;
  return { type: "keep", addresses: data.addresses.filter((address) => typeof address === "string") };
}
