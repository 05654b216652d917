// How many details a guest has opened this month, as far as this browser knows. The portal counts for itself and has the last
// word; this only tells it beforehand.

import { useSyncExternalStore } from "react";
import { dayOf } from "@/shared/format/dates.ts";

/** Details that a guest may open in a month; the portal's figure. */
export const GUEST_DETAILS = 3;

const KEY = "guest_details";

interface Opened {
  /** As 2026-11, in Colombo. */
  month: string;
  /** The ids of the tenders. */
  tenders: string[];
}

const listeners = new Set<() => void>();

function read(now: number): Opened {
  const month = dayOf(now).slice(0, 7);
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(KEY) ?? "null");
    const { month: of, tenders } = (kept ?? {}) as Partial<Opened>;
    if (of === month && Array.isArray(tenders)) return { month, tenders };
  } catch {
    // Nothing that can be read is nothing opened.
  }
  return { month, tenders: [] };
}

function write(opened: Opened): void {
  try {
    window.localStorage.setItem(KEY, JSON.stringify(opened));
  } catch {
    // A browser that keeps nothing has no count beforehand.
  }
  for (const listener of listeners) listener();
}

/** Notes that a guest opened a tender. Opening it again in the same month costs nothing. */
export function recordOpenedTender(tender: string, now: number): void {
  const { month, tenders } = read(now);
  if (!tenders.includes(tender)) write({ month, tenders: [...tenders, tender] });
}

/** Notes that the portal opens no more of them this month, whatever was counted here. */
export function recordQuotaUsedUp(now: number): void {
  const { month, tenders } = read(now);
  const missing = Math.max(0, GUEST_DETAILS - tenders.length);
  write({ month, tenders: [...tenders, ...Array.from({ length: missing }, (_, nth) => `unknown-${nth}`)] });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

/** How many details are left to a guest this month. */
export function useDetailsLeft(now: number): number {
  return useSyncExternalStore(subscribe, () => Math.max(0, GUEST_DETAILS - read(now).tenders.length));
}
