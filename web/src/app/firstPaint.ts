// Lets the browser paint the page that the server prerendered before the app takes its time.

/** The longest wait for the first paint, in milliseconds. A tab in the background paints nothing. */
const MAX_WAIT_MS = 1000;

/**
 * Resolves once the browser has painted the prerendered page, which a slow phone would else do only after the
 * app has started. Resolves at once if there is nothing to paint: `public/theme.js` hides the English page
 * from readers of other languages.
 */
export async function firstPaint(root: Element | null): Promise<void> {
  const prerendered = root?.firstElementChild;
  if (!prerendered || getComputedStyle(prerendered).display === "none") return;
  await new Promise<void>((resolve) => {
    new PerformanceObserver((entries) => {
      if (entries.getEntriesByName("first-contentful-paint")[0]) resolve();
    }).observe({ type: "paint", buffered: true });
    setTimeout(resolve, MAX_WAIT_MS);
  });
}
