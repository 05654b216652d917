// Delays work that the first page does not need.

/** The longest wait for an idle moment, in milliseconds. */
const MAX_WAIT_MS = 3000;

/** Resolves once the page is loaded and the browser is idle. Offline it resolves at once. */
export async function afterFirstPage(): Promise<void> {
  if (!navigator.onLine) return;
  if (document.readyState !== "complete") {
    await new Promise((resolve) => window.addEventListener("load", resolve, { once: true }));
  }
  await new Promise<void>((resolve) => {
    // Safari has no idle callbacks.
    if ("requestIdleCallback" in window) requestIdleCallback(() => resolve(), { timeout: MAX_WAIT_MS });
    else setTimeout(resolve, 200);
  });
}
