// The first script. It starts the app, and in parallel loads the page at this address and its
// texts, which the app would request later. The app repeats failed loads and reports errors. The fonts come
// after the first paint too.

import "@/app/styles.css";
import { firstPaint } from "@/app/firstPaint.ts";
import { pageAt } from "@/app/pages.ts";
import { catalogueLoaders } from "@/i18n/catalogues.ts";
import { languageFor, storedLanguage } from "@/i18n/languages.ts";

const preloads: (() => Promise<unknown>)[] = [];
const language = languageFor(storedLanguage(), navigator.languages);
const page = pageAt(window.location.pathname);
if (language !== "en") preloads.push(catalogueLoaders[language].first);
if (page) preloads.push(page.load, catalogueLoaders.en.pages);
if (page && language !== "en") preloads.push(catalogueLoaders[language].pages);

void firstPaint(document.getElementById("root")).then(() => {
  document.documentElement.dataset.fonts = "";
  void import("./main.tsx");
  for (const load of preloads) load().catch(() => undefined);
});
