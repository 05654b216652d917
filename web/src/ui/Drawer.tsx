// A panel that covers the window of a phone. It is a native modal dialog: the browser keeps the focus
// inside, closes it on Escape, and returns the focus to the button that opened it.

import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";

interface DrawerProps {
  title: string;
  closeLabel: string;
  onClose: () => void;
  /** Stays visible at the bottom while the content scrolls. */
  footer: (close: () => void) => ReactNode;
  children: ReactNode;
}

/** Open as long as it is rendered. */
export function Drawer({ title, closeLabel, onClose, footer, children }: DrawerProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const close = () => dialog.current?.close();
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={onClose}
      className="m-0 h-dvh max-h-none w-full max-w-none flex-col bg-sheet text-ink open:flex"
    >
      <div className="flex items-center justify-between gap-3 border-b border-line py-1 pr-2 pl-4">
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        <button
          type="button"
          aria-label={closeLabel}
          onClick={close}
          className="grid size-11 place-items-center rounded-lg hover:bg-well"
        >
          <X size={22} aria-hidden />
        </button>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto p-4">{children}</div>
      <div className="border-t border-line p-3">{footer(close)}</div>
    </dialog>
  );
}
