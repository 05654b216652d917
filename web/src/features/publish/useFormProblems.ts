// The problems of the tender form: those that the form finds, and those that the server reports. They
// appear when the form is sent. Each one disappears when its field is corrected.

import { createContext, useCallback, useContext, useRef, useState } from "react";
import type { FieldError } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import type { FieldPath, PublishForm } from "./form.ts";
import { fieldForPath, findProblems, type Rules } from "./problems.ts";
import { comparePaths, fieldOf, type Step, stepOf } from "./steps.ts";

export interface Problem {
  path: FieldPath;
  message: string;
  /** Whether the server reported it. Otherwise the form found it, and can find it again. */
  isFromServer: boolean;
}

const ProblemsContext = createContext<readonly Problem[]>([]);

export const ProblemsProvider = ProblemsContext.Provider;

/** The message about a field; `undefined` if it has no problem. */
export function useFieldError(path: FieldPath): string | undefined {
  return useContext(ProblemsContext).find((problem) => problem.path === path)?.message;
}

/** Whether a change of `changed` may solve the server's problem at `path`. */
function isAffected(path: FieldPath, changed: string): boolean {
  return path === changed || path.startsWith(`${changed}.`) || changed.startsWith(`${path}.`);
}

export function useFormProblems() {
  const { t } = useTranslation();
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  /** The message about the whole form, such as a failed request. */
  const [message, setMessage] = useState<string | null>(null);
  /** The rules of the last check. */
  const rules = useRef<Rules | null>(null);

  const find = useCallback(
    (values: PublishForm, current: Rules): Problem[] =>
      findProblems(values, current).map(({ path, failure }) => ({
        path,
        message: t(`publish.need.${failure}`),
        isFromServer: false,
      })),
    [t],
  );

  const clear = useCallback(() => {
    setProblems([]);
    setMessage(null);
  }, []);

  /** Shows all problems that the form finds. Returns whether there are none. */
  const check = (values: PublishForm, current: Rules): boolean => {
    rules.current = current;
    const found = find(values, current);
    setProblems(found);
    setMessage(null);
    return found.length === 0;
  };

  /** Shows the problems that the form finds in a step, beside those known of others. Returns whether there are none. */
  const checkStep = (values: PublishForm, current: Rules, step: Step): boolean => {
    rules.current = current;
    const found = find(values, current).filter(({ path }) => stepOf(path) === step);
    const ofOthers = problems.filter(({ path }) => stepOf(path) !== step);
    setProblems([...ofOthers, ...found].sort((one, other) => comparePaths(one.path, other.path)));
    setMessage(null);
    return found.length === 0;
  };

  /** Shows the server's errors. `fallback` is shown if none of them is about a field. */
  const showRefusal = (errors: readonly FieldError[], values: PublishForm, fallback: string) => {
    const found: Problem[] = [];
    let isComplete = errors.length > 0;
    for (const { field, message } of errors) {
      const path = fieldForPath(field, values);
      if (path && !found.some((known) => known.path === path))
        found.push({ path, message, isFromServer: true });
      isComplete &&= path !== null;
    }
    setProblems(found.sort((one, other) => comparePaths(one.path, other.path)));
    setMessage(isComplete ? null : fallback);
  };

  /** Updates the shown problems after a change. Fields that had no problem get none. */
  const revalidate = useCallback(
    (values: PublishForm, changed: string) => {
      setMessage(null);
      setProblems((before) => {
        if (before.length === 0) return before;
        const fields = new Set(before.filter((one) => !one.isFromServer).map(({ path }) => fieldOf(path)));
        const current = rules.current ? find(values, rules.current) : [];
        return [
          ...before.filter(({ path, isFromServer }) => isFromServer && !isAffected(path, changed)),
          ...current.filter(({ path }) => fields.has(fieldOf(path))),
        ].sort((one, other) => comparePaths(one.path, other.path));
      });
    },
    [find],
  );

  return { problems, message, check, checkStep, showRefusal, revalidate, clear };
}
