// The keys of the review. They work wherever the focus is, while no dialog is open.

import { useEffectEvent, useLayoutEffect } from "react";

/** The keys that act with Alt. */
const WITH_ALT = {
  KeyR: "reject",
  KeyS: "source",
  KeyC: "correction",
  KeyX: "split",
  KeyN: "skip",
  KeyZ: "undo",
} as const;

export type Shortcut = "accept" | (typeof WITH_ALT)[keyof typeof WITH_ALT];

/** The form whose text fields leave Enter to the review. */
export const FIELDS = "data-review-fields";

/** Whether Enter belongs to the focused control: it presses a button, follows a link, or ends another text. */
function needsEnter(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest("a, button, summary, [role^='menu']")) return true;
  return target.closest("input, select, textarea") !== null && target.closest(`[${FIELDS}]`) === null;
}

/** What a key does. `held`: the key is held down, and must not decide about notices that nobody has seen. */
export function shortcutOf(event: KeyboardEvent): Shortcut | "held" | null {
  // Enter that ends the composition of a Sinhala or Tamil word belongs to the word.
  if (event.isComposing || event.defaultPrevented) return null;
  // AltGr, with which some keyboards type characters, comes with Ctrl.
  const withAlt =
    event.altKey && !event.ctrlKey && event.code in WITH_ALT
      ? WITH_ALT[event.code as keyof typeof WITH_ALT]
      : null;
  // Enter accepts, also in a text area. With Shift, it adds a line there.
  const isEnter = event.key === "Enter" && !event.shiftKey && !needsEnter(event.target);
  const shortcut = withAlt ?? (isEnter ? "accept" : null);
  return shortcut && event.repeat ? "held" : shortcut;
}

/** Calls the action of a shortcut, wherever the focus is. */
export function useShortcuts(actions: Partial<Record<Shortcut, () => void>>) {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (document.querySelector("[role=dialog]")) return;
    const shortcut = shortcutOf(event);
    if (!shortcut) return;
    const act = shortcut === "held" ? null : actions[shortcut];
    if (act || shortcut === "held") event.preventDefault();
    act?.();
  });
  // As soon as a notice is visible, its keys work.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}
