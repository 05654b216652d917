// Checks the Sinhala and Tamil catalogues against the English one: no additional keys, the same
// variables, no empty texts, and texts in the language's script.

import { describe, expect, it } from "vitest";
import { en } from "./en/index.ts";
import { si } from "./si/index.ts";
import { ta } from "./ta/index.ts";

/** Maps the keys of a catalogue to their texts. */
function textsByKey(catalogue: object, before = ""): Map<string, string> {
  return new Map(
    Object.entries(catalogue).flatMap(([key, value]: [string, unknown]) =>
      typeof value === "object" && value !== null
        ? [...textsByKey(value, `${before}${key}.`)]
        : [[`${before}${key}`, String(value)] as const],
    ),
  );
}

const variables = (text: string) => [...new Set(text.match(/\{\{[^}]*\}\}/g))].sort();

const english = textsByKey(en);

describe.each([
  ["Sinhala", si, /\p{Script=Sinhala}/u],
  ["Tamil", ta, /\p{Script=Tamil}/u],
])("%s", (_, catalogue, script) => {
  const translated = textsByKey(catalogue);

  it("has no key that English lacks", () => {
    expect([...translated.keys()].filter((key) => !english.has(key))).toEqual([]);
  });

  it("uses the same variables as English", () => {
    const different = [...translated].filter(
      ([key, text]) => `${variables(text)}` !== `${variables(english.get(key) ?? "")}`,
    );
    expect(different).toEqual([]);
  });

  it("has no empty text", () => {
    expect([...translated].filter(([, text]) => text.trim() === "")).toEqual([]);
  });

  it("has letters of its script in every text that differs from the English one", () => {
    const foreign = [...translated].filter(([key, text]) => !script.test(text) && text !== english.get(key));
    // Date formats contain no words.
    expect(foreign.map(([key]) => key).filter((key) => !key.startsWith("shell.date."))).toEqual([]);
  });
});
