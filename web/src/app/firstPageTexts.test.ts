// The first page has only the texts of the shell and of Home. Its modules must not use other texts,
// which load later.

import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { first } from "@/i18n/en/first.ts";

const src = path.resolve(import.meta.dirname, "..");

/** The modules that `file` imports at run time. Type imports and dynamic imports do not count. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const found = text.matchAll(/^(?:import|export|\}) (?!type )[^;]*?from "((?:@\/|\.)[^"]+\.tsx?)"/gm);
  return [...found].map(([, target = ""]) =>
    target.startsWith("@/") ? path.join(src, target.slice(2)) : path.resolve(path.dirname(file), target),
  );
}

function reachableModules(entry: string): Set<string> {
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const imported of importsOf(file)) visit(imported);
  };
  visit(entry);
  return seen;
}

/** The sections of the catalogue that a module uses: the first part of each key. */
function textSections(file: string): string[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/\bt\(\s*(?:[^)"`]*\? )?["`]([a-z]+)\./g)].map(([, section = ""]) => section);
}

it("the first page uses only the texts of the shell and of Home", () => {
  const files = [...reachableModules(path.join(src, "main.tsx"))];
  const names = files.map((file) => path.relative(src, file));
  expect(names).toContain("features/home/HomePage.tsx");
  expect(names).not.toContain("features/tenders/listing/TendersPage.tsx");
  const foreign = files.flatMap((file) =>
    textSections(file)
      .filter((section) => !Object.hasOwn(first, section))
      .map((section) => `${path.relative(src, file)}: ${section}`),
  );
  expect(foreign).toEqual([]);
});
