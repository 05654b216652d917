// A section that collapses on narrow screens and is always open on wide ones.

import { ChevronDown } from "lucide-react";
import { type ReactNode, useId, useState } from "react";

export function Collapsible({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className="flex min-h-11 w-full items-center justify-between rounded-lg border border-line bg-sheet px-4 font-semibold lg:hidden"
      >
        {label}
        <ChevronDown size={18} aria-hidden className={`transition-transform ${open ? "rotate-180" : ""}`} />
      </button>
      <div id={id} className={`${open ? "max-lg:mt-3" : "max-lg:hidden"}`}>
        {children}
      </div>
    </div>
  );
}
