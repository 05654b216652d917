// A button that opens a panel below it. Escape, a click outside and leaving the panel with the Tab key
// close it. It uses no library, because the first page loads it.

import { ChevronDown } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";

interface PopoverProps {
  label: string;
  /** Called before the panel opens, for example to load its content. */
  onOpen?: () => void;
  children: ReactNode;
}

export function Popover({ label, onOpen, children }: PopoverProps) {
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (!open) return;
    const onPointerDown = ({ target }: PointerEvent) => {
      if (target instanceof Node && !root.current?.contains(target)) setOpen(false);
    };
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key !== "Escape") return;
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener("pointerdown", onPointerDown);
    document.addEventListener("keydown", onKeyDown);
    return () => {
      document.removeEventListener("pointerdown", onPointerDown);
      document.removeEventListener("keydown", onKeyDown);
    };
  }, [open]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that the focus has left
    <div
      ref={root}
      className="relative"
      onBlur={({ relatedTarget }) => {
        if (relatedTarget && !root.current?.contains(relatedTarget)) setOpen(false);
      }}
    >
      <button
        ref={button}
        type="button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => {
          if (!open) onOpen?.();
          setOpen(!open);
        }}
        className="inline-flex min-h-9 max-w-72 items-center gap-1.5 rounded-lg border border-edge bg-sheet px-3 text-[0.9375rem] font-medium hover:border-accent"
      >
        <span className="truncate">{label}</span>
        <ChevronDown
          size={17}
          aria-hidden
          className={`shrink-0 transition-transform ${open ? "rotate-180" : ""}`}
        />
      </button>
      {open && (
        <div
          id={id}
          className="absolute top-full left-0 z-10 mt-1 max-h-96 w-md max-w-[calc(100vw-2rem)] overflow-y-auto rounded-xl border border-line bg-sheet p-3 shadow-sheet"
        >
          {children}
        </div>
      )}
    </div>
  );
}
