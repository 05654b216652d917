// When what the first page can do without may begin.

/** The longest that is waited for an idle moment, in milliseconds. */
const PATIENCE = 3000;

/** Resolves once the page is loaded and has a moment to spare; at once where there is no network to wait for. */
export async function afterFirstPage(): Promise<void> {
  if (!navigator.onLine) return;
  if (document.readyState !== "complete") {
    await new Promise((resolve) => window.addEventListener("load", resolve, { once: true }));
  }
  await new Promise<void>((resolve) => {
    // Safari has no idle callbacks.
    if ("requestIdleCallback" in window) requestIdleCallback(() => resolve(), { timeout: PATIENCE });
    else setTimeout(resolve, 200);
  });
}
