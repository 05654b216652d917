// What the parts of the alert form share: their frames, and the texts of errors.

import { ChevronDown } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "@/i18n/i18n.ts";
import { enumLabel } from "@/i18n/translate.ts";

/**
 * Returns a function that translates an error of the form. An error of the server already is a text
 * and stays as it is.
 */
export function useErrorText() {
  const { t } = useTranslation();
  return (message: string | undefined) =>
    message === undefined ? undefined : enumLabel(t, "alerts.need", message);
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="border-t border-line pt-5">
      <legend className="float-left mb-4 w-full font-semibold">{title}</legend>
      <div className="clear-both grid gap-5">{children}</div>
    </fieldset>
  );
}

interface FormGroupProps {
  title: string;
  /** What is set in the group, so that it need not be opened to be read. */
  summary: string;
  isOpenAtFirst?: boolean;
  /** An error opens the group, so that its message is seen. */
  hasError?: boolean;
  children: ReactNode;
}

/** A group of fields that few alerts need. It is one row until it is opened. */
export function FormGroup({
  title,
  summary,
  isOpenAtFirst = false,
  hasError = false,
  children,
}: FormGroupProps) {
  const id = useId();
  const [isOpenedByUser, setOpen] = useState(isOpenAtFirst);
  const open = isOpenedByUser || hasError;
  return (
    <div className="rounded-lg border border-line">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className="flex min-h-11 w-full items-center justify-between gap-3 rounded-lg px-3 py-2 text-left text-[0.9375rem] hover:bg-well/50"
      >
        <span className="flex min-w-0 flex-wrap gap-x-3">
          <span className="font-semibold">{title}</span>{" "}
          <span className="min-w-0 text-ink-soft wrap-anywhere">{summary}</span>
        </span>
        <ChevronDown
          size={18}
          aria-hidden
          className={`shrink-0 transition-transform ${open ? "rotate-180" : ""}`}
        />
      </button>
      <div id={id} hidden={!open} className="px-3 pt-2 pb-4">
        <div className="grid gap-5">{children}</div>
      </div>
    </div>
  );
}

export function TwoColumns({ children }: { children: ReactNode }) {
  return <div className="grid gap-5 sm:grid-cols-2">{children}</div>;
}
