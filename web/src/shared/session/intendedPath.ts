// The page that a visitor came for, kept in this browser while the visitor signs up, confirms the address
// in another tab, and pays on the provider's page. In another browser it is unknown.

import { pathInsideApp } from "@/shared/paths.ts";

const STORAGE_KEY = "intended_path";
const LIFETIME_MS = 24 * 60 * 60 * 1000;
const MAX_LENGTH = 4000;

/** Keeps a path for a day. Paths of other sites and overlong paths are ignored. */
export function keepIntendedPath(target: string, now: number): void {
  const path = pathInsideApp(target);
  if (path === null || path.length > MAX_LENGTH) return;
  try {
    window.localStorage.setItem(STORAGE_KEY, JSON.stringify({ path, until: now + LIFETIME_MS }));
  } catch {
    // Without storage the page is not kept.
  }
}

/** The kept path; `null` without one, or if it is older than a day. */
export function intendedPath(now: number): string | null {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(STORAGE_KEY) ?? "null");
    const { path, until } = (stored ?? {}) as { path?: unknown; until?: unknown };
    return typeof until === "number" && now < until ? pathInsideApp(path) : null;
  } catch {
    return null;
  }
}

/** Forgets the path, once the visitor has reached it or has signed out. */
export function forgetIntendedPath(): void {
  try {
    window.localStorage.removeItem(STORAGE_KEY);
  } catch {
    // Without storage there is nothing to forget.
  }
}
