// Messages in place of or above the content: errors, empty lists, loading.

import { CircleAlert, LoaderCircle } from "lucide-react";
import type { ReactNode } from "react";

/**
 * An error within the page. `title` says what happened, `children` gives details, and `action`
 * offers the next step.
 */
export function ErrorBanner({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg border border-urgent/40 bg-urgent-wash px-4 py-3 text-urgent"
    >
      <CircleAlert size={20} aria-hidden className="shrink-0" />
      <div className="min-w-48 flex-1">
        <p className="font-semibold">{title}</p>
        {children && <div className="text-sm">{children}</div>}
      </div>
      {action}
    </div>
  );
}

/** The message in place of an empty list. `action` offers the next step. */
export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  icon: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="grid justify-items-center rounded-xl border border-dashed border-edge/60 px-6 py-14 text-center">
      <div
        className="mb-4 grid size-12 place-items-center rounded-full bg-accent-wash text-accent"
        aria-hidden
      >
        {icon}
      </div>
      <h2 className="text-lg font-semibold">{title}</h2>
      {children && <div className="mt-1 max-w-[48ch] text-ink-soft">{children}</div>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  );
}

/** A loading screen. It stays invisible for the first 300 ms. */
export function LoadingScreen({ label }: { label: string }) {
  return (
    <div role="status" className="appear-late grid min-h-[50vh] place-items-center text-ink-soft">
      <span className="inline-flex items-center gap-3">
        <LoaderCircle size={20} aria-hidden className="animate-spin text-accent" />
        {label}
      </span>
    </div>
  );
}
