// A button that opens a short menu of actions.

import { Menu, MenuButton, MenuItem, MenuItems } from "@headlessui/react";
import { EllipsisVertical } from "lucide-react";

export interface Action {
  label: string;
  /** Whether the action is destructive. */
  isDestructive?: boolean;
  onChoose: () => void;
}

export function ActionMenu({ label, actions }: { label: string; actions: readonly Action[] }) {
  return (
    <Menu>
      <MenuButton
        aria-label={label}
        className="grid size-11 place-items-center rounded-lg text-ink-soft hover:bg-well hover:text-ink md:size-9"
      >
        <EllipsisVertical size={18} aria-hidden />
      </MenuButton>
      <MenuItems
        anchor="bottom end"
        className="z-40 min-w-44 rounded-xl border border-line bg-sheet p-1 shadow-sheet focus:outline-none"
      >
        {actions.map(({ label, isDestructive, onChoose }) => (
          <MenuItem key={label}>
            <button
              type="button"
              onClick={onChoose}
              className={`block min-h-11 w-full rounded-lg px-3 text-left text-[0.9375rem] data-focus:bg-well md:min-h-9 ${isDestructive ? "text-urgent" : ""}`}
            >
              {label}
            </button>
          </MenuItem>
        ))}
      </MenuItems>
    </Menu>
  );
}
