import { DialogBackdrop, DialogPanel, DialogTitle, Dialog as HeadlessDialog } from "@headlessui/react";
import type { ReactNode } from "react";

/** A modal dialog. Escape and a click outside call `onClose`, so `onClose` must be harmless. */
export function Dialog({
  open,
  onClose,
  title,
  children,
  actions,
  wide,
}: {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  actions: ReactNode;
  /** Whether the dialog is wide enough for long texts. */
  wide?: boolean;
}) {
  // The dialog has the size of the window. Without a size, it would count as hidden while it is open.
  return (
    <HeadlessDialog open={open} onClose={onClose} className="fixed inset-0 z-50">
      <DialogBackdrop className="fixed inset-0 bg-veil" />
      <div className="fixed inset-0 grid place-items-center overflow-y-auto p-4">
        <DialogPanel
          className={`w-full ${wide ? "max-w-3xl" : "max-w-md"} rounded-2xl border border-line bg-sheet p-6 shadow-sheet`}
        >
          <DialogTitle className="text-lg font-semibold">{title}</DialogTitle>
          <div className="mt-2 text-ink-soft">{children}</div>
          <div className="mt-6 flex flex-wrap justify-end gap-3">{actions}</div>
        </DialogPanel>
      </div>
    </HeadlessDialog>
  );
}
