// The first script. It starts the app, and in parallel loads the page at this address and its
// texts, which the app would request later. The app repeats failed loads and reports errors.

import "@/app/styles.css";
import { pageAt } from "@/app/pages.ts";
import { catalogueLoaders } from "@/i18n/catalogues.ts";
import { languageFor, storedLanguage } from "@/i18n/languages.ts";

const preloads: (() => Promise<unknown>)[] = [];
const language = languageFor(storedLanguage(), navigator.languages);
const page = pageAt(window.location.pathname);
if (language !== "en") preloads.push(catalogueLoaders[language].first);
if (page) preloads.push(page.load, catalogueLoaders.en.pages);
if (page && language !== "en") preloads.push(catalogueLoaders[language].pages);

/** The longest wait for the first paint, in milliseconds. */
const MAX_WAIT_MS = 1000;

/**
 * Resolves once the browser has painted the page that the server prerendered, which a slow phone would else do
 * only after the app has started. Resolves at once if nothing was prerendered or nobody sees the page.
 */
async function firstPaint(): Promise<void> {
  const isPrerendered = document.getElementById("root")?.hasChildNodes() ?? false;
  if (!isPrerendered || document.hidden) return;
  await new Promise<void>((resolve) => {
    new PerformanceObserver((entries) => {
      if (entries.getEntriesByName("first-contentful-paint").length > 0) resolve();
    }).observe({ type: "paint", buffered: true });
    setTimeout(resolve, MAX_WAIT_MS);
  });
}

void firstPaint().then(() => {
  void import("./main.tsx");
  for (const load of preloads) load().catch(() => undefined);
});
