// The errors of the tender form. All errors appear when the form is sent. Each error disappears
// when its field is corrected.

import { useCallback, useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { useTranslation } from "@/i18n/i18n.ts";
import { type FieldName, formErrors, type PublishForm } from "./form.ts";

type Rules = Parameters<typeof formErrors>[1];

/** Returns the message of the form, the check before sending, and the update after a change. */
export function useFormErrors({ setError, clearErrors, getFieldState }: UseFormReturn<PublishForm>) {
  const { t } = useTranslation();
  const [message, setMessage] = useState<string | null>(null);
  /** The rules of the last check; `null` before the first check. */
  const rules = useRef<Rules | null>(null);

  /** Marks all fields with problems, shows the first problem, and returns its field. */
  const check = (values: PublishForm, newRules: Rules): FieldName | null => {
    rules.current = newRules;
    const problems = formErrors(values, newRules);
    for (const { field, failure } of problems) {
      setError(field, { type: "missing", message: t(`publish.need.${failure}`) });
    }
    const [first] = problems;
    setMessage(first ? t(`publish.need.${first.failure}`) : null);
    return first?.field ?? null;
  };

  const revalidate = useCallback(
    (values: PublishForm, changed: string) => {
      const isMarked = (field: FieldName) => getFieldState(field).error !== undefined;
      const fields = Object.keys(values) as FieldName[];
      const before = fields.filter(isMarked);
      if (before.length === 0 || !rules.current) return;
      const problems = formErrors(values, rules.current);
      for (const field of before) {
        const problem = problems.find((one) => one.field === field);
        const isLocal = getFieldState(field).error?.type === "missing";
        if (problem && isLocal) {
          setError(field, { type: "missing", message: t(`publish.need.${problem.failure}`) });
        } else if (isLocal || field === changed) {
          clearErrors(field);
        }
      }
      const [first] = problems.filter(({ field }) => isMarked(field));
      if (first) setMessage(t(`publish.need.${first.failure}`));
      else if (!fields.some(isMarked)) setMessage(null);
    },
    [t, setError, clearErrors, getFieldState],
  );

  return { message, setMessage, check, revalidate };
}
