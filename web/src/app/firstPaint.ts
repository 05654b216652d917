// Lets the browser paint the page that the server prerendered before the app takes its time.

/** The longest wait for the first paint, in milliseconds. */
const MAX_WAIT_MS = 1000;

/** Whether there is something to paint: `public/theme.js` hides the English page from readers of other languages. */
function isShown(prerendered: Element | null | undefined): boolean {
  return prerendered != null && getComputedStyle(prerendered).display !== "none";
}

/**
 * Resolves once the browser has painted the prerendered page, which a slow phone would else do only after the app
 * has started. Resolves at once if there is nothing to paint or nobody sees the page.
 */
export async function firstPaint(root: Element | null): Promise<void> {
  if (document.hidden || !isShown(root?.firstElementChild)) return;
  await new Promise<void>((resolve) => {
    new PerformanceObserver((entries) => {
      if (entries.getEntriesByName("first-contentful-paint").length > 0) resolve();
    }).observe({ type: "paint", buffered: true });
    setTimeout(resolve, MAX_WAIT_MS);
  });
}
