// The navigation's menu on narrow screens: closed until asked for, and closed again by Escape or a choice.

import { Disclosure, DisclosureButton, DisclosurePanel } from "@headlessui/react";
import { Menu as MenuIcon, X } from "lucide-react";
import type { KeyboardEvent, ReactNode } from "react";

export function Menu({
  openLabel,
  closeLabel,
  children,
}: {
  openLabel: string;
  closeLabel: string;
  children: (close: () => void) => ReactNode;
}) {
  return (
    <Disclosure as="div" className="nav-menu">
      {({ open, close }) => (
        <>
          <DisclosureButton
            aria-label={open ? closeLabel : openLabel}
            className="-mr-2 grid size-11 place-items-center rounded-lg text-ink hover:bg-well"
          >
            {open ? <X size={22} aria-hidden /> : <MenuIcon size={22} aria-hidden />}
          </DisclosureButton>
          <DisclosurePanel
            className="absolute inset-x-0 top-full z-30 border-b border-line bg-sheet px-4 py-3 shadow-sheet"
            onKeyDown={(event: KeyboardEvent) => event.key === "Escape" && close()}
          >
            {children(close)}
          </DisclosurePanel>
        </>
      )}
    </Disclosure>
  );
}
