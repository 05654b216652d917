// A text field that suggests while it is typed in. The first suggestion is the one that Enter takes: let it be what was typed.

import { Combobox, ComboboxInput, ComboboxOption, ComboboxOptions } from "@headlessui/react";
import type { InputHTMLAttributes, KeyboardEvent, ReactNode } from "react";

type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, "value" | "onChange" | "children">;

interface SuggestProps<Item> extends InputProps {
  value: string;
  onType: (text: string) => void;
  items: readonly Item[];
  keyOf: (item: Item) => string;
  onChoose: (item: Item) => void;
  children: (item: Item) => ReactNode;
}

export function Suggest<Item>({
  value,
  onType,
  items,
  keyOf,
  onChoose,
  children,
  ...input
}: SuggestProps<Item>) {
  return (
    <Combobox<Item | null, false, "div">
      as="div"
      className="relative min-w-40 flex-1"
      value={null}
      onChange={(item) => item !== null && onChoose(item)}
      immediate={false}
    >
      <ComboboxInput
        {...input}
        value={value}
        autoComplete="off"
        onChange={(event) => onType(event.target.value)}
        onKeyDown={(event: KeyboardEvent<HTMLInputElement>) => {
          if (event.key !== "Enter" || items.length > 0) return;
          // With nothing to choose from, Enter is the form's.
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
      />
      {items.length > 0 && (
        <ComboboxOptions
          modal={false}
          className="absolute inset-x-0 top-full z-40 mt-1.5 max-h-96 overflow-auto rounded-xl border border-line bg-sheet p-1 shadow-sheet"
        >
          {items.map((item) => (
            <ComboboxOption
              key={keyOf(item)}
              value={item}
              className="cursor-pointer rounded-lg px-3 py-2 data-focus:bg-accent-wash"
            >
              {children(item)}
            </ComboboxOption>
          ))}
        </ComboboxOptions>
      )}
    </Combobox>
  );
}
