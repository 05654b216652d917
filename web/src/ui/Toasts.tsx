// Shows toasts below the navigation bar, which stays usable. A toast disappears after a while, but
// not while it is hovered or focused. Toasts use no library, because the first page loads them and
// they must work offline.

import { CircleAlert, CircleCheck, X } from "lucide-react";
import { useEffect, useState } from "react";
import { type Toast, type ToastTone, toast, useToasts } from "./toasts.ts";

const toneStyles: Record<ToastTone, { icon: typeof X; style: string; milliseconds: number }> = {
  success: { icon: CircleCheck, style: "border-good bg-good-wash text-good", milliseconds: 5000 },
  error: { icon: CircleAlert, style: "border-urgent bg-urgent-wash text-urgent", milliseconds: 10_000 },
};

function ToastItem({ toast: { key, tone, title, description }, close }: { toast: Toast; close: string }) {
  const [isPaused, setPaused] = useState(false);
  const { icon: Icon, style, milliseconds } = toneStyles[tone];
  useEffect(() => {
    if (isPaused) return;
    const timer = setTimeout(() => toast.dismiss(key), milliseconds);
    return () => clearTimeout(timer);
  }, [isPaused, key, milliseconds]);
  return (
    <li
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
      className={`toast pointer-events-auto flex w-full items-start gap-2.5 rounded-xl border py-1 pl-4 text-[0.9375rem] shadow-sheet sm:w-96 ${style}`}
    >
      <Icon size={18} aria-hidden className="mt-3 shrink-0" />
      <div className="min-w-0 flex-1 py-2.5 break-words">
        <p className="font-semibold">{title}</p>
        {description && <p className="text-sm">{description}</p>}
      </div>
      <button
        type="button"
        aria-label={close}
        onClick={() => toast.dismiss(key)}
        className="grid size-11 shrink-0 place-items-center rounded-lg"
      >
        <X size={16} aria-hidden />
      </button>
    </li>
  );
}

/** `label` is the label of the region, `close` the label of each toast's button. */
export function Toasts({ label, close }: { label: string; close: string }) {
  const toasts = useToasts();
  return (
    <section
      aria-label={label}
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 top-16 z-60 sm:left-auto sm:right-6 print:hidden"
    >
      {toasts.length > 0 && (
        <ul className="grid gap-2.5">
          {toasts.map((shown) => (
            <ToastItem key={shown.key} toast={shown} close={close} />
          ))}
        </ul>
      )}
    </section>
  );
}
