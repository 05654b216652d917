// One field of a notice: its value, how certain it is, and the values that it may have instead.

import { CircleHelp, TriangleAlert } from "lucide-react";
import { type KeyboardEvent, type Ref, useId } from "react";
import { useTranslation } from "@/i18n/i18n.ts";
import { inputStyle } from "@/ui/Field.tsx";
import { choiceName, choicesOf, isChoice } from "./choices.ts";
import { exampleOf, type ReviewField } from "./reviewFields.ts";

/** About as many letters as a line of a text area has. */
const LINE = 40;

interface FieldEditorProps {
  field: ReviewField;
  label: string;
  value: string;
  error: string | undefined;
  language: string | undefined;
  ref?: Ref<HTMLInputElement & HTMLTextAreaElement & HTMLSelectElement>;
  onChange: (value: string) => void;
  onFocus: () => void;
}

/** The next value in a list, or the previous one. The list is a circle. */
function neighbour(values: string[], value: string, step: 1 | -1): string {
  const at = values.indexOf(value);
  return values[(Math.max(at, 0) + step + values.length) % values.length] ?? value;
}

export function FieldEditor({
  field,
  label,
  value,
  error,
  language,
  ref,
  onChange,
  onFocus,
}: FieldEditorProps) {
  const { t } = useTranslation();
  const id = useId();
  const { kind, state, proposals } = field;
  const isUncertain = state !== "certain";
  const isSelect = isChoice(kind);
  const shown = (value: string) => (isChoice(kind) ? choiceName(kind, value, t) : value);
  const example = error === undefined ? null : exampleOf(field);
  const known = [field.value, ...proposals.map((proposal) => proposal.value)];
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const digit = event.altKey ? /^Digit([1-9])$/.exec(event.code)?.[1] : undefined;
    const proposal = digit && proposals[Number(digit) - 1];
    if (proposal) {
      event.preventDefault();
      onChange(proposal.value);
    } else if (!isSelect && known.length > 1 && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      onChange(neighbour(known, value, event.key === "ArrowDown" ? 1 : -1));
    }
  };
  const control = {
    id,
    ref,
    value,
    lang: kind === "text" || kind === "long" ? language : undefined,
    "aria-invalid": error !== undefined || undefined,
    "aria-describedby": `${id}-notes`,
    "data-path": field.path,
    autoComplete: "off",
    onFocus,
    onKeyDown,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
    className: `${inputStyle} scroll-m-24 ${isUncertain ? "border-soon bg-soon-wash/40" : ""} ${kind === "long" ? "field-sizing-content min-h-[calc(2lh+1.125rem)] py-2" : ""}`,
  };
  return (
    <div className="group">
      <label htmlFor={id} className="mb-1 flex items-center gap-2 text-sm font-semibold">
        {label}
        {state === "doubtful" && (
          <span className="inline-flex items-center gap-1 font-normal text-soon">
            <TriangleAlert size={14} aria-hidden />
            {t("operate.review.doubtful")}
          </span>
        )}
        {state === "not-read" && (
          <span className="inline-flex items-center gap-1 font-normal text-soon">
            <CircleHelp size={14} aria-hidden />
            {t("operate.review.notRead")}
          </span>
        )}
      </label>
      {isSelect ? (
        <select {...control}>
          <option value="">{t("operate.review.unknown")}</option>
          {choicesOf(kind).map((choice) => (
            <option key={choice} value={choice}>
              {shown(choice)}
            </option>
          ))}
        </select>
      ) : kind === "long" ? (
        // A browser that cannot fit the height to the content gets about as many lines.
        <textarea {...control} rows={Math.max(2, Math.ceil(value.length / LINE))} />
      ) : (
        <input {...control} type="text" inputMode={kind === "amount" ? "decimal" : undefined} />
      )}
      <div id={`${id}-notes`}>
        {error && (
          <p className="mt-1 text-sm font-medium text-urgent">
            {error}
            {example && ` (${t("operate.review.example", { value: example })})`}
          </p>
        )}
        {isUncertain && field.printed && field.printed !== value && (
          <p className="mt-1 text-sm break-words text-ink-soft" lang={language}>
            “{field.printed}”
          </p>
        )}
      </div>
      {proposals.length > 0 && (
        <ul
          className="mt-1.5 flex flex-wrap gap-1.5"
          aria-label={t("operate.review.proposals", { field: label })}
        >
          {proposals.map((proposal, position) => (
            <li key={proposal.value}>
              <button
                type="button"
                tabIndex={-1}
                onClick={() => onChange(proposal.value)}
                aria-pressed={value === proposal.value}
                className="flex min-h-8 items-center gap-2 rounded-md border border-line bg-sheet px-2 text-left text-sm hover:border-accent aria-pressed:border-accent aria-pressed:bg-accent-wash max-lg:min-h-11"
              >
                <kbd className="invisible rounded bg-well px-1 font-sans text-xs text-ink-soft group-focus-within:visible">
                  {position + 1}
                </kbd>
                <span className="line-clamp-2 break-words">{shown(proposal.value)}</span>
                <span className="text-xs text-ink-soft">
                  {proposal.reader ?? t("operate.review.printed")}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
