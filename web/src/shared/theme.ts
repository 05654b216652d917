// The user's choice of theme, stored in this browser. `public/theme.js` applies the theme to
// the page before the app runs.

import { useSyncExternalStore } from "react";

export const THEMES = ["system", "light", "dark"] as const;

export type Theme = (typeof THEMES)[number];

const STORAGE_KEY = "theme";

/** The last choice on this page, which `readTheme` returns if storage is unavailable. */
let fallbackTheme: Theme = "system";

export function readTheme(): Theme {
  try {
    const stored = window.localStorage.getItem(STORAGE_KEY);
    return THEMES.find((theme) => theme === stored) ?? "system";
  } catch {
    return fallbackTheme;
  }
}

/** Changes the theme and stores the choice. */
export function chooseTheme(theme: Theme): void {
  fallbackTheme = theme;
  try {
    window.localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // Without storage the choice lasts until the page is closed.
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
