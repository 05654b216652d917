// A field for a list of texts. Enter or the Add button appends an entry. Each entry has a button
// that removes it.

import { Plus, X } from "lucide-react";
import { type KeyboardEvent, type Ref, useId, useImperativeHandle, useRef, useState } from "react";
import { Button } from "./Button.tsx";
import { inputStyle } from "./Field.tsx";

interface ListFieldProps {
  label: string;
  optional?: string | undefined;
  help?: string | undefined;
  error?: string | undefined;
  entries: readonly string[];
  onChange: (entries: string[]) => void;
  /** The label of the Add button. */
  add: string;
  /** The label of the button that removes `entry`. */
  remove: (entry: string) => string;
  /** Whether a text that is already in the list is ignored. */
  unique?: boolean;
  /** Whether leaving the field adds the typed text. */
  addsOnBlur?: boolean;
  /** The text field, which gets the focus of the list. */
  ref?: Ref<HTMLInputElement | null>;
}

export function ListField({
  label,
  optional,
  help,
  error,
  entries,
  onChange,
  add,
  remove,
  unique,
  addsOnBlur,
  ref,
}: ListFieldProps) {
  const id = useId();
  const [text, setText] = useState("");
  const input = useRef<HTMLInputElement>(null);
  useImperativeHandle(ref, () => input.current as HTMLInputElement);
  const addEntry = () => {
    const entry = text.trim();
    if (entry !== "" && !(unique && entries.includes(entry))) onChange([...entries, entry]);
    setText("");
  };
  const addAndStay = () => {
    addEntry();
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Ignore the Enter key that ends the composition of a Sinhala or Tamil letter.
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    addAndStay();
  };
  const described = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-[0.9375rem] font-semibold">
        {label}
        {optional && <span className="font-normal text-ink-soft"> ({optional})</span>}
      </label>
      {help && (
        <p id={`${id}-help`} className="mb-1.5 text-sm text-ink-soft">
          {help}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <input
          id={id}
          ref={input}
          className={`${inputStyle} flex-1 basis-40`}
          value={text}
          enterKeyHint="enter"
          aria-invalid={error !== undefined || undefined}
          aria-describedby={described || undefined}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          onBlur={addsOnBlur ? addEntry : undefined}
        />
        <Button className="shrink-0" variant="outlined" onClick={addAndStay} aria-label={`${add}: ${label}`}>
          <Plus size={18} aria-hidden />
          {add}
        </Button>
      </div>
      {error && (
        <p id={`${id}-error`} className="mt-1 text-sm font-medium text-urgent">
          {error}
        </p>
      )}
      {entries.length > 0 && (
        <ul className="mt-2 grid gap-1.5" aria-label={label}>
          {entries.map((entry, at) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: entries can be equal and are never reordered
              key={`${at}-${entry}`}
              className="flex items-center justify-between gap-2 rounded-lg bg-well pl-3 text-[0.9375rem]"
            >
              <span className="min-w-0 break-words py-1.5">{entry}</span>
              <button
                type="button"
                aria-label={remove(entry)}
                onClick={() => onChange(entries.filter((_, other) => other !== at))}
                className="grid size-11 shrink-0 place-items-center rounded-lg text-ink-soft hover:text-urgent"
              >
                <X size={16} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
