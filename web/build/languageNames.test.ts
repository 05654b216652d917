// Every page shows the languages' own names, each in its script. To avoid loading whole fonts for
// two words, small fonts have only the letters of these names. The command
// `UPDATE=1 npx vitest run build/languageNames` creates the small fonts.

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import subsetFont from "subset-font";
import { expect, it } from "vitest";
import { languageNames } from "../src/i18n/languages.ts";

const web = path.resolve(import.meta.dirname, "..");

it.each([
  ["si", "noto-sans-sinhala/files/noto-sans-sinhala-sinhala-wght-normal.woff2"],
  ["ta", "noto-sans-tamil/files/noto-sans-tamil-tamil-wght-normal.woff2"],
] as const)("the font for %s has exactly the letters of the language's name", async (language, font) => {
  const whole = readFileSync(path.join(web, "node_modules/@fontsource-variable", font));
  const cut = await subsetFont(whole, languageNames[language], {
    targetFormat: "woff2",
    variationAxes: { wght: { min: 400, max: 700, default: 400 } },
  });
  const file = path.join(web, `src/app/fonts/name-${language}.woff2`);
  if (process.env.UPDATE) writeFileSync(file, cut);
  expect(cut.length).toBeLessThan(4000);
  expect(readFileSync(file).equals(cut)).toBe(true);
  const styles = readFileSync(path.join(web, "src/app/styles.css"), "utf8");
  for (const letter of languageNames[language]) {
    expect(styles).toContain(`U+${letter.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`);
  }
});
