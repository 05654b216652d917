// The navigation menu on narrow screens. Escape or a choice closes the menu. It uses no library,
// because the first page loads it.

import { Menu as MenuIcon, X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";

export function NavMenu({
  openLabel,
  closeLabel,
  children,
}: {
  openLabel: string;
  closeLabel: string;
  children: (close: () => void) => ReactNode;
}) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  useEffect(() => {
    if (!open) return;
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key !== "Escape") return;
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [open]);
  return (
    <div className="nav-menu">
      <button
        ref={button}
        type="button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-label={open ? closeLabel : openLabel}
        onClick={() => setOpen(!open)}
        className="-mr-2 grid size-11 place-items-center rounded-lg text-ink hover:bg-well"
      >
        {open ? <X size={22} aria-hidden /> : <MenuIcon size={22} aria-hidden />}
      </button>
      {open && (
        <div
          id={id}
          className="absolute inset-x-0 top-full z-30 border-b border-line bg-sheet px-4 py-3 shadow-sheet"
        >
          {children(close)}
        </div>
      )}
    </div>
  );
}
