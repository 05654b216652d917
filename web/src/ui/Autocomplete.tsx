// A text field with suggestions. Enter takes the active suggestion. While the user types, the first
// suggestion is active, so it should be the typed text. The field uses no library, because the
// listing loads it at once.

import {
  type InputHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";

type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, "value" | "onChange" | "children">;

interface AutocompleteProps<Item> extends InputProps {
  value: string;
  onType: (text: string) => void;
  items: readonly Item[];
  keyOf: (item: Item) => string;
  onChoose: (item: Item) => void;
  /** The label of the list. */
  listLabel: string;
  children: (item: Item) => ReactNode;
}

export function Autocomplete<Item>({
  value,
  onType,
  items,
  keyOf,
  onChoose,
  listLabel,
  children,
  ...input
}: AutocompleteProps<Item>) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const option = useRef<HTMLDivElement>(null);

  const shown = isOpen ? items : [];
  const isExpanded = shown.length > 0;
  // The list may have become shorter than the active position.
  const at = Math.min(active, shown.length - 1);
  useEffect(() => {
    if (at > 0) option.current?.scrollIntoView({ block: "nearest" });
  }, [at]);

  const choose = (item: Item) => {
    setOpen(false);
    onChoose(item);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    // Ignore the Enter key that ends the composition of a Sinhala or Tamil letter.
    if (event.nativeEvent.isComposing) return;
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const item = shown[at];
    if (move !== undefined && items.length > 0) {
      event.preventDefault();
      setOpen(true);
      if (isExpanded) setActive(Math.max(0, Math.min(at + move, shown.length - 1)));
    } else if (event.key === "Escape" && isExpanded) {
      event.preventDefault();
      setOpen(false);
    } else if (event.key === "Enter" && item !== undefined) {
      event.preventDefault();
      choose(item);
    }
  };

  return (
    <div className="relative min-w-40 flex-1">
      <input
        {...input}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isExpanded}
        aria-controls={isExpanded ? id : undefined}
        aria-activedescendant={isExpanded ? `${id}-${at}` : undefined}
        autoComplete="off"
        value={value}
        onChange={(event) => {
          onType(event.target.value);
          setActive(0);
          setOpen(true);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setOpen(false)}
      />
      {isExpanded && (
        <div
          id={id}
          role="listbox"
          aria-label={listLabel}
          // Keep the focus in the field.
          onPointerDown={(event) => event.preventDefault()}
          className="absolute inset-x-0 top-full z-40 mt-1.5 max-h-96 overflow-auto rounded-xl border border-line bg-sheet p-1 shadow-sheet"
        >
          {shown.map((item, place) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the focused text field handles the keys
            <div
              key={keyOf(item)}
              ref={place === at ? option : undefined}
              id={`${id}-${place}`}
              role="option"
              aria-selected={place === at}
              tabIndex={-1}
              onPointerMove={() => setActive(place)}
              onClick={() => choose(item)}
              className={`cursor-pointer rounded-lg px-3 py-2 ${place === at ? "bg-accent-wash" : ""}`}
            >
              {children(item)}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
