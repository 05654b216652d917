// Keeps the place of a reader who scrolled the server's page before the app started.

/** Where React Router stores the places of pages, which it restores when the app starts. */
const STORAGE_KEY = "react-router-scroll-positions";

/** Stores the place of the page on the screen. The key of the place is the one of the Shell. */
export function keepScroll(): void {
  if (window.scrollY === 0) return;
  try {
    const places = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "{}");
    const key = window.history.state?.key ?? window.location.pathname;
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ ...places, [key]: window.scrollY }));
  } catch {
    // Without storage the page begins at its top.
  }
}
