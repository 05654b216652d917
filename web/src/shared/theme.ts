// The reader's choice of theme, remembered in this browser. What a choice does to the page stands in `public/theme.js`,
// which runs before the app does.

import { useSyncExternalStore } from "react";

export const THEMES = ["system", "light", "dark"] as const;

export type Theme = (typeof THEMES)[number];

const KEY = "theme";

/** The choice of this page where the browser keeps none. */
let unkept: Theme = "system";

export function readTheme(): Theme {
  try {
    const kept = window.localStorage.getItem(KEY);
    return THEMES.find((theme) => theme === kept) ?? "system";
  } catch {
    return unkept;
  }
}

/** Changes the theme and remembers it. */
export function chooseTheme(theme: Theme): void {
  unkept = theme;
  try {
    window.localStorage.setItem(KEY, theme);
  } catch {
    // A forbidden store keeps nothing; the page still has the theme until it is left.
  }
  window.dispatchEvent(new CustomEvent<Theme>("theme", { detail: theme }));
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("theme", listener);
  window.addEventListener("storage", listener);
  return () => {
    window.removeEventListener("theme", listener);
    window.removeEventListener("storage", listener);
  };
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, readTheme);
}
