import { expect, it } from "vitest";
import { createTranslator, type Key, type Values } from "./translate.ts";

const catalogues = {
  en: {
    shell: { name: "Tenders", greeting: "Welcome, {{name}}, {{name}}" },
    bids: { count_one: "{{count}} bid", count_other: "{{count}} bids" },
  },
  si: { shell: { name: "ටෙන්ඩර්" }, bids: { count_other: "ලංසු {{count}}" } },
  ta: {},
};

function translate(language: "en" | "si" | "ta", key: string, values?: Values): string {
  return createTranslator(language, (spoken) => catalogues[spoken])(key as Key, values);
}

it("uses texts of the language, and English ones if they are missing", () => {
  expect(translate("si", "shell.name")).toBe("ටෙන්ඩර්");
  expect(translate("ta", "shell.name")).toBe("Tenders");
  expect(translate("si", "shell.greeting", { name: "Sunil" })).toBe("Welcome, Sunil, Sunil");
});

it("inserts every value literally, and nothing for a missing value", () => {
  expect(translate("en", "shell.greeting", { name: "$& {{name}} <b>" })).toBe(
    "Welcome, $& {{name}} <b>, $& {{name}} <b>",
  );
  expect(translate("en", "shell.greeting")).toBe("Welcome, , ");
});

it.each([
  ["en", 0, "0 bids"],
  ["en", 1, "1 bid"],
  ["en", 2, "2 bids"],
  ["en", 1.5, "1.5 bids"],
  // The Sinhala plural takes precedence over the English singular.
  ["si", 1, "ලංසු 1"],
  ["si", 7, "ලංසු 7"],
  ["ta", 1, "1 bid"],
] as const)("uses the plural form of %s for %d", (language, count, text) => {
  expect(translate(language, "bids.count", { count })).toBe(text);
});

it.each(["", ".", "shell", "shell.", "shell.name.length", "shell.toString", "__proto__.x", "nowhere.at.all"])(
  "returns the default value for the unknown key %j, or else the key",
  (key) => {
    expect(translate("si", key)).toBe(key);
    expect(translate("si", key, { defaultValue: "as it is" })).toBe("as it is");
  },
);
