// The first script. It starts the app and in parallel loads the page at this address and its texts,
// which the app would request later. The app repeats a failed load and reports it.

import "@/app/styles.css";
import { pageAt } from "@/app/pages.ts";
import { files } from "@/i18n/catalogues.ts";
import { languageFor, rememberedLanguage } from "@/i18n/languages.ts";

const ahead: (() => Promise<unknown>)[] = [];
const language = languageFor(rememberedLanguage(), navigator.languages);
const page = pageAt(window.location.pathname);
if (language !== "en") ahead.push(files[language].first);
if (page) ahead.push(page.load, files.en.pages);
if (page && language !== "en") ahead.push(files[language].pages);

void import("./main.tsx");
for (const load of ahead) load().catch(() => undefined);
