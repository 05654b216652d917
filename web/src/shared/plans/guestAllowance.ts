// Counts the tenders that a guest opened this month in this browser, to show how many are left. The
// server enforces the limit with a count of its own.

import { useSyncExternalStore } from "react";
import { dayOf } from "@/shared/format/dates.ts";
import { GUEST_DETAILS_PER_MONTH } from "./guestQuota.ts";

const STORAGE_KEY = "guest_details";

interface OpenedTenders {
  /** The month in Colombo, for example 2026-11. */
  month: string;
  /** The ids of the opened tenders. */
  tenders: string[];
}

const listeners = new Set<() => void>();

function read(now: number): OpenedTenders {
  const month = dayOf(now).slice(0, 7);
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(STORAGE_KEY) ?? "null");
    const { month: of, tenders } = (stored ?? {}) as Partial<OpenedTenders>;
    if (of === month && Array.isArray(tenders)) return { month, tenders };
  } catch {
    // Malformed data counts as nothing opened.
  }
  return { month, tenders: [] };
}

function write(opened: OpenedTenders): void {
  try {
    window.localStorage.setItem(STORAGE_KEY, JSON.stringify(opened));
  } catch {
    // Without storage there is no count.
  }
  for (const listener of listeners) listener();
}

/** Records that a guest opened a tender. Opening it again in the same month does not count. */
export function recordOpenedTender(tender: string, now: number): void {
  const { month, tenders } = read(now);
  if (!tenders.includes(tender)) write({ month, tenders: [...tenders, tender] });
}

/** Records that the server refuses further tenders this month. */
export function recordQuotaUsedUp(now: number): void {
  const { month, tenders } = read(now);
  const missing = Math.max(0, GUEST_DETAILS_PER_MONTH - tenders.length);
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

/** How many more tenders a guest can open this month. */
export function useDetailsLeft(now: number): number {
  return useSyncExternalStore(subscribe, () =>
    Math.max(0, GUEST_DETAILS_PER_MONTH - read(now).tenders.length),
  );
}
