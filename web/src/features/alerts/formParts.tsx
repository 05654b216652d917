// What the parts of the alert form share: their frames, and the texts of errors.

import type { ReactNode } from "react";
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

export function TwoColumns({ children }: { children: ReactNode }) {
  return <div className="grid gap-5 sm:grid-cols-2">{children}</div>;
}
