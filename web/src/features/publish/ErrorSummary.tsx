// Everything that must be corrected, above the form. Each entry leads to its field, also in another
// step.

import { CircleAlert } from "lucide-react";
import type { Ref } from "react";
import { useTranslation } from "@/i18n/i18n.ts";
import { messageWithLabel } from "./fieldLabels.ts";
import type { FieldPath } from "./form.ts";
import type { Problem } from "./useFormProblems.ts";

interface ErrorSummaryProps {
  problems: readonly Problem[];
  /** The message about the whole form. */
  message: string | null;
  onOpen: (path: FieldPath) => void;
  ref: Ref<HTMLDivElement>;
}

export function ErrorSummary({ problems, message, onOpen, ref }: ErrorSummaryProps) {
  const { t } = useTranslation();
  const isEmpty = problems.length === 0 && message === null;
  return (
    // Corrected fields leave the list silently. Only what is added is read out.
    <div
      ref={ref}
      role="alert"
      aria-atomic="false"
      aria-relevant="additions"
      tabIndex={-1}
      className={
        isEmpty ? "hidden" : "scroll-mt-[calc(var(--header)+1rem)] rounded-xl bg-urgent-wash px-4 py-3"
      }
    >
      {message && <Line text={message} />}
      {problems.length > 0 && (
        <>
          <Line text={t("publish.summary", { count: problems.length })} />
          <ul className="mt-1 pl-7">
            {problems.map(({ path, message }) => (
              <li key={path}>
                <button
                  type="button"
                  onClick={() => onOpen(path)}
                  className="min-h-9 py-1 text-left text-[0.9375rem] text-urgent underline underline-offset-2 wrap-anywhere max-md:min-h-11"
                >
                  {messageWithLabel(path, message, t)}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function Line({ text }: { text: string }) {
  return (
    <p className="flex items-start gap-2 font-semibold text-urgent">
      <CircleAlert size={18} aria-hidden className="mt-0.5 shrink-0" />
      <span className="min-w-0 break-words">{text}</span>
    </p>
  );
}
