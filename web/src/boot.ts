// The first script. It starts the app, and in parallel loads the page at this address and its
// texts, which the app would request later. The app repeats failed loads and reports errors.

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

/** The fonts that the app shows in its first frame, with texts that need them. */
const fonts = [
  ['1em "Noto Sans Variable"', "a"],
  ['1em "Language Names"', "සිංහල தமிழ்"],
] as const;

void firstPaint(document.getElementById("root")).then(() => {
  for (const [font, text] of fonts) document.fonts.load(font, text).catch(() => undefined);
  void import("./main.tsx");
  for (const load of preloads) load().catch(() => undefined);
});
