// The errors of the tender form: shown on sending, and cleared field by field as they are
// corrected.

import { useCallback, useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { useTranslation } from "@/i18n/i18n.ts";
import { type FieldName, formErrors, type PublishForm } from "./form.ts";

type Rules = Parameters<typeof formErrors>[1];

/** The message of the form, the check before sending, and the update after a change. */
export function useFormErrors({ setError, clearErrors, getFieldState }: UseFormReturn<PublishForm>) {
  const { t } = useTranslation();
  const [message, setMessage] = useState<string | null>(null);
  /** The rules of the last check; `null` before the first. */
  const rules = useRef<Rules | null>(null);

  /** Marks all fields with problems, shows the first message, and returns the first field. */
  const check = (values: PublishForm, by: Rules): FieldName | null => {
    rules.current = by;
    const wrong = formErrors(values, by);
    for (const { field, failure } of wrong) {
      setError(field, { type: "missing", message: t(`publish.need.${failure}`) });
    }
    const [first] = wrong;
    setMessage(first ? t(`publish.need.${first.failure}`) : null);
    return first?.field ?? null;
  };

  const mend = useCallback(
    (values: PublishForm, changed: string) => {
      const isMarked = (field: FieldName) => getFieldState(field).error !== undefined;
      const fields = Object.keys(values) as FieldName[];
      const before = fields.filter(isMarked);
      if (before.length === 0 || !rules.current) return;
      const wrong = formErrors(values, rules.current);
      for (const field of before) {
        const fault = wrong.find((one) => one.field === field);
        const isOurs = getFieldState(field).error?.type === "missing";
        if (fault && isOurs) {
          setError(field, { type: "missing", message: t(`publish.need.${fault.failure}`) });
        } else if (isOurs || field === changed) {
          clearErrors(field);
        }
      }
      const [first] = wrong.filter(({ field }) => isMarked(field));
      if (first) setMessage(t(`publish.need.${first.failure}`));
      else if (!fields.some(isMarked)) setMessage(null);
    },
    [t, setError, clearErrors, getFieldState],
  );

  return { message, setMessage, check, mend };
}
