// Whether the listing hides closed tenders unless the address says otherwise. The choice is stored in
// this browser.

import { useSyncExternalStore } from "react";

const STORAGE_KEY = "hide-closed";

/** The last choice on this page, for browsers without storage. */
let fallback = false;

function read(): boolean {
  try {
    return window.localStorage.getItem(STORAGE_KEY) === "true";
  } catch {
    return fallback;
  }
}

/** Changes the choice and stores it. */
export function chooseHideClosed(hide: boolean): void {
  fallback = hide;
  try {
    if (hide) window.localStorage.setItem(STORAGE_KEY, "true");
    else window.localStorage.removeItem(STORAGE_KEY);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
  window.dispatchEvent(new Event(STORAGE_KEY));
}

function subscribe(listener: () => void): () => void {
  window.addEventListener(STORAGE_KEY, listener);
  window.addEventListener("storage", listener);
  return () => {
    window.removeEventListener(STORAGE_KEY, listener);
    window.removeEventListener("storage", listener);
  };
}

export function useHideClosed(): boolean {
  return useSyncExternalStore(subscribe, read);
}
