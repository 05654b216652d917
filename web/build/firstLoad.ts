// What the first page loads: put into two files instead of many small ones, which compress worse, and held to a bound on
// every build.

import path from "node:path";
import { gzipSync } from "node:zlib";
import type { Plugin, Rolldown } from "vite";

/** The most that the first page may load of script, in bytes after gzip. */
export const BOUND = 150_000;

type Bundle = Record<
  string,
  Pick<Rolldown.OutputChunk, "type" | "isEntry" | "imports" | "code"> | { type: "asset" }
>;

/** The script files that the page at "/" loads before it can show anything, with their sizes after gzip. */
export function firstLoad(bundle: Bundle): Map<string, number> {
  const sizes = new Map<string, number>();
  const visit = (file: string) => {
    const chunk = bundle[file];
    if (sizes.has(file) || chunk?.type !== "chunk" || !("code" in chunk)) return;
    sizes.set(file, gzipSync(chunk.code, { level: 9 }).length);
    for (const imported of chunk.imports) visit(imported);
  };
  for (const [file, chunk] of Object.entries(bundle)) {
    if (chunk.type === "chunk" && "isEntry" in chunk && chunk.isEntry) visit(file);
  }
  if (sizes.size === 0) throw new Error("The build has no entry.");
  return sizes;
}

/** Says what is too much, or nothing. */
export function overweight(sizes: Map<string, number>): string | null {
  const sum = [...sizes.values()].reduce((total, size) => total + size, 0);
  if (sum <= BOUND) return null;
  const files = [...sizes].map(([file, size]) => `\n  ${size} ${file}`).join("");
  return `The first page loads ${sum} bytes of script (gzip); ${BOUND} are the most.${files}`;
}

/** Puts what the first page loads together, and fails a build whose first page is too heavy. */
export function boundFirstLoad(): Plugin {
  /** The modules that the entry imports, straight or through others. */
  let needed = new Set<string>();
  return {
    name: "bound-first-load",
    apply: "build",
    buildEnd() {
      needed = new Set();
      const visit = (id: string) => {
        if (needed.has(id)) return;
        needed.add(id);
        for (const imported of this.getModuleInfo(id)?.importedIds ?? []) visit(imported);
      };
      for (const id of this.getModuleIds()) if (this.getModuleInfo(id)?.isEntry) visit(id);
    },
    outputOptions(options) {
      const isLibrary = (id: string) => id.includes(`${path.sep}node_modules${path.sep}`);
      const group = (name: string, test: (id: string) => boolean) => ({
        name,
        test: (id: string) => needed.has(id) && test(id),
      });
      return {
        ...options,
        codeSplitting: {
          // The libraries change seldom: their file outlives most deployments in the browser's cache.
          groups: [group("libraries", isLibrary), group("app", (id) => !isLibrary(id))],
        },
      };
    },
    generateBundle: {
      // After the build's own last changes to the code.
      order: "post",
      handler(_, bundle) {
        const failure = overweight(firstLoad(bundle as Bundle));
        if (failure) this.error(failure);
      },
    },
  };
}
