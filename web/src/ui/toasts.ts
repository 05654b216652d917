// The state of the toasts: short messages about something that just happened. `Toasts.tsx` shows
// them.

import { useSyncExternalStore } from "react";

export type ToastTone = "success" | "error";

export interface Toast {
  /** A new toast replaces an earlier one with the same id. */
  id: string;
  /** A unique number. A toast that replaces another one gets a new number. */
  key: number;
  tone: ToastTone;
  title: string;
  description: string | undefined;
}

interface ToastOptions {
  id?: string;
  description?: string;
}

/** How many toasts are shown at once. Older toasts are dropped. */
const MAX_TOASTS = 3;

let shown: readonly Toast[] = [];
let count = 0;
const listeners = new Set<() => void>();

function setToasts(toasts: readonly Toast[]): void {
  shown = toasts;
  for (const listener of listeners) listener();
}

function show(tone: ToastTone, title: string, options: ToastOptions = {}): void {
  count += 1;
  const { id = String(count), description } = options;
  const others = shown.filter((other) => other.id !== id);
  setToasts([...others, { id, key: count, tone, title, description }].slice(-MAX_TOASTS));
}

export const toast = {
  success: (title: string, options?: ToastOptions) => show("success", title, options),
  error: (title: string, options?: ToastOptions) => show("error", title, options),
  dismiss: (key: number) => setToasts(shown.filter((other) => other.key !== key)),
};

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The visible toasts, oldest first. */
export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(subscribe, () => shown);
}
