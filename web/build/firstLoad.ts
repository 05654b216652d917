// What the first page loads: put into two files instead of many small ones, which compress worse, and held to a bound on
// every build.

import path from "node:path";
import { gzipSync } from "node:zlib";
import type { Plugin, Rolldown } from "vite";

/** The most that the first page may load of script, in bytes after gzip. */
export const BOUND = 150_000;

/** The app itself, which the entry sets off at every address. */
const APP = "/src/main.tsx";

type Chunk = Pick<Rolldown.OutputChunk, "type" | "isEntry" | "imports" | "moduleIds" | "code">;
type Bundle = Record<string, Chunk | { type: "asset" }>;

/** The script files that the page at "/" loads before it can show anything, with their sizes after gzip. */
export function firstLoad(bundle: Bundle): Map<string, number> {
  const sizes = new Map<string, number>();
  const visit = (file: string) => {
    const chunk = bundle[file];
    if (sizes.has(file) || chunk?.type !== "chunk") return;
    sizes.set(file, gzipSync(chunk.code, { level: 9 }).length);
    for (const imported of chunk.imports) visit(imported);
  };
  const chunks = Object.entries(bundle).flatMap(([file, chunk]) =>
    chunk.type === "chunk" ? [{ file, ...chunk }] : [],
  );
  const entry = chunks.find(({ isEntry }) => isEntry);
  const app = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(APP)));
  if (!entry || !app) throw new Error("The build has no entry, or no app.");
  visit(entry.file);
  visit(app.file);
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
  /** The modules that the entry imports, straight or through others; and the app's, without those. */
  let ofEntry = new Set<string>();
  let ofApp = new Set<string>();
  return {
    name: "bound-first-load",
    apply: "build",
    buildEnd() {
      const closure = (isRoot: (id: string) => boolean, without: Set<string>) => {
        const found = new Set<string>();
        const visit = (id: string) => {
          if (found.has(id) || without.has(id)) return;
          found.add(id);
          for (const imported of this.getModuleInfo(id)?.importedIds ?? []) visit(imported);
        };
        for (const id of this.getModuleIds()) if (isRoot(id)) visit(id);
        return found;
      };
      ofEntry = closure((id) => this.getModuleInfo(id)?.isEntry === true, new Set());
      ofApp = closure((id) => id.endsWith(APP), ofEntry);
    },
    transformIndexHtml: {
      order: "post",
      handler(_, { bundle, chunk }) {
        // The entry sets off the app; the page's HTML asks for it already.
        const files = bundle ? [...firstLoad(bundle as Bundle).keys()] : [];
        return files
          .filter((file) => file !== chunk?.fileName)
          .map((file) => ({
            tag: "link",
            attrs: { rel: "modulepreload", crossorigin: true, href: `/${file}` },
            injectTo: "head",
          }));
      },
    },
    outputOptions(options) {
      const isLibrary = (id: string) => id.includes(`${path.sep}node_modules${path.sep}`);
      const group = (name: string, test: (id: string) => boolean) => ({
        name,
        test: (id: string) => ofApp.has(id) && test(id),
      });
      return {
        ...options,
        codeSplitting: {
          // What the entry has, the app takes from there.
          includeDependenciesRecursively: false,
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
