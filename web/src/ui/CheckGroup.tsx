// A group of checkboxes.

import { useId } from "react";

/** The number of checkboxes above which a group scrolls. */
const SCROLL_THRESHOLD = 12;

interface CheckGroupProps<Value extends string> {
  label: string;
  /**
   * Whether a frame with the same title surrounds the group. The label is then for screen readers
   * only, and the group is shown in full.
   */
  framed?: boolean;
  help?: string;
  error?: string | undefined;
  values: readonly Value[];
  /** The label of a value. */
  name: (value: Value) => string;
  chosen: readonly Value[];
  onChange: (chosen: Value[]) => void;
}

export function CheckGroup<Value extends string>({
  label,
  framed = false,
  help,
  error,
  values,
  name,
  chosen,
  onChange,
}: CheckGroupProps<Value>) {
  const id = useId();
  const described = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(" ");
  const toggle = (value: Value) =>
    onChange(values.filter((one) => (one === value ? !chosen.includes(one) : chosen.includes(one))));
  const scrolls = !framed && values.length > SCROLL_THRESHOLD;
  return (
    <fieldset aria-describedby={described || undefined}>
      <legend className={framed ? "sr-only" : "mb-1 text-[0.9375rem] font-semibold"}>{label}</legend>
      {help && (
        <p id={`${id}-help`} className="mb-1 text-sm text-ink-soft">
          {help}
        </p>
      )}
      <div
        className={`grid gap-x-5 ${framed ? "grid-cols-2 sm:grid-cols-3" : "sm:grid-cols-2"} ${scrolls ? "max-h-64 overflow-y-auto rounded-lg border border-line px-3 py-1.5" : ""}`}
      >
        {values.map((value) => (
          <label
            key={value}
            className="flex min-h-8 cursor-pointer items-center gap-2.5 text-[0.9375rem] max-sm:min-h-11"
          >
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={() => toggle(value)}
              className="size-4 shrink-0 accent-accent"
            />
            {name(value)}
          </label>
        ))}
      </div>
      {error && (
        <p id={`${id}-error`} className="mt-1 text-sm font-medium text-urgent">
          {error}
        </p>
      )}
    </fieldset>
  );
}
