// A group of checkboxes.

import { useId } from "react";

/** The number of checkboxes above which a group scrolls. */
const SCROLL_THRESHOLD = 12;

interface CheckGroupProps<Value extends string> {
  label: string;
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
  return (
    <fieldset aria-describedby={described || undefined}>
      <legend className="mb-1 text-[0.9375rem] font-semibold">{label}</legend>
      {help && (
        <p id={`${id}-help`} className="mb-1 text-sm text-ink-soft">
          {help}
        </p>
      )}
      <div
        className={`grid gap-x-5 sm:grid-cols-2 ${values.length > SCROLL_THRESHOLD ? "max-h-64 overflow-y-auto rounded-lg border border-line px-3 py-1.5" : ""}`}
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
