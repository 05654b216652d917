// A switch that takes effect at once.

import { Switch as HeadlessSwitch } from "@headlessui/react";

interface SwitchProps {
  /** What the switch controls, for screen readers. */
  label: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}

export function Switch({ label, checked, disabled = false, onChange }: SwitchProps) {
  return (
    <HeadlessSwitch
      aria-label={label}
      checked={checked}
      disabled={disabled}
      onChange={onChange}
      className="group grid size-11 shrink-0 place-items-center rounded-lg disabled:opacity-60"
    >
      <span className="flex h-6 w-10 items-center rounded-full border border-edge bg-well p-0.5 transition-colors group-data-checked:border-accent group-data-checked:bg-accent">
        <span className="size-4.5 rounded-full bg-ink-soft transition-transform group-data-checked:translate-x-4 group-data-checked:bg-on-accent" />
      </span>
    </HeadlessSwitch>
  );
}
