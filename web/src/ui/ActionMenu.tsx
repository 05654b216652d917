// A button that opens a short menu of actions and links.

import { Menu, MenuButton, MenuHeading, MenuItem, MenuItems, MenuSection } from "@headlessui/react";
import { EllipsisVertical } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { buttonStyle } from "./Button.tsx";

interface Command {
  label: string;
  /** Whether the action is destructive. */
  isDestructive?: boolean;
  onChoose: () => void;
}

/** A link that leaves the app. */
interface ExternalLink {
  label: string;
  href: string;
}

export type Action = Command | ExternalLink;

const itemStyle = "min-h-11 w-full rounded-lg px-3 text-left text-[0.9375rem] data-focus:bg-well md:min-h-9";

function Items({ actions }: { actions: readonly Action[] }) {
  return actions.map((action) => (
    // The item passes its properties to its only child.
    <MenuItem key={action.label}>
      {"href" in action ? (
        <a
          href={action.href}
          target="_blank"
          rel="noopener noreferrer"
          className={`flex items-center ${itemStyle}`}
        >
          {action.label}
        </a>
      ) : (
        <button
          type="button"
          onClick={action.onChoose}
          className={`block ${itemStyle} ${action.isDestructive ? "text-urgent" : ""}`}
        >
          {action.label}
        </button>
      )}
    </MenuItem>
  ));
}

export function ActionMenu({
  label,
  actions,
  narrowText,
  heading,
  opensAtOnce = false,
  children,
}: {
  label: string;
  actions: readonly Action[];
  /** What the button of a narrow window says instead of three dots. */
  narrowText?: string;
  /** The heading of the menu. */
  heading?: string;
  /** Whether the menu opens when it appears: it was loaded because the user chose its button. */
  opensAtOnce?: boolean;
  /** What the button shows instead of three dots. */
  children?: ReactNode;
}) {
  const dots = `grid h-11 place-items-center rounded-lg text-ink-soft hover:bg-well hover:text-ink md:h-9 ${narrowText ? "max-lg:border max-lg:border-edge max-lg:px-3 max-lg:text-[0.9375rem] max-lg:font-semibold max-lg:text-ink lg:w-9" : "w-11 md:w-9"}`;
  const button = `${buttonStyle({ variant: "outlined", size: "small" })} print:hidden`;
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!opensAtOnce) return;
    opener.current?.focus();
    // The library opens a menu only for events.
    opener.current?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  }, [opensAtOnce]);
  return (
    <Menu>
      <MenuButton ref={opener} aria-label={label} className={children ? button : dots}>
        {narrowText && <span className="lg:hidden">{narrowText}</span>}
        {children ?? (
          <EllipsisVertical size={18} aria-hidden className={narrowText ? "max-lg:hidden" : undefined} />
        )}
      </MenuButton>
      <MenuItems
        anchor={children ? "bottom start" : "bottom end"}
        className="z-40 min-w-44 rounded-xl border border-line bg-sheet p-1 shadow-sheet focus:outline-none print:hidden"
      >
        {heading ? (
          <MenuSection>
            <MenuHeading className="px-3 pt-1.5 pb-1 text-[0.8125rem] text-ink-soft">{heading}</MenuHeading>
            <Items actions={actions} />
          </MenuSection>
        ) : (
          <Items actions={actions} />
        )}
      </MenuItems>
    </Menu>
  );
}
