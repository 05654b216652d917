// Keeps the place of a reader who scrolled the server's page before the app started.

/** Where React Router stores the places of pages, which it restores when the app starts. */
const STORAGE_KEY = "react-router-scroll-positions";

/**
 * Stores the place of the page on the screen. The key of the place is the one of the Shell. After a reload, the
 * place is stored already: the server's page can be too short to show it.
 */
export function keepScroll(): void {
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (window.scrollY === 0 || visit?.type !== "navigate") return;
  try {
    const places = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "{}");
    const key = window.history.state?.key ?? window.location.pathname;
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ ...places, [key]: window.scrollY }));
  } catch {
    // Without storage the page begins at its top.
  }
}
