// Limits the scripts that the first page loads. Apart from the entry, the page's modules go into
// two files, because many small files compress worse. The icons of other pages go into a file of
// their own. Every build checks the size.

import path from "node:path";
import { gzipSync } from "node:zlib";
import type { Plugin, Rolldown } from "vite";
import { ICON_INDEX, iconFile, iconFilesByName, importedIcons } from "./icons.ts";

/** The limit for the scripts of the first page, in bytes after gzip. */
export const MAX_FIRST_LOAD_BYTES = 150_000;

/** The end of the path of the app's main module, which the entry imports at every address. */
const APP_MODULE = "/src/main.tsx";

const isLibrary = (id: string) => id.includes(`${path.sep}node_modules${path.sep}`);

/** The folders of what several features use. */
const SHARED_FOLDERS = /\/src\/(api|shared|ui)\//;

type Chunk = Pick<Rolldown.OutputChunk, "type" | "isEntry" | "imports" | "moduleIds" | "code">;
type Bundle = Record<string, Chunk | { type: "asset" }>;

/**
 * Returns the size of each script that the page at "/" loads before it can show anything, in bytes
 * after gzip.
 */
export function measureFirstLoad(bundle: Bundle): Map<string, number> {
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
  const app = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(APP_MODULE)));
  if (!entry || !app) throw new Error("The build has no entry, or no app.");
  visit(entry.file);
  visit(app.file);
  return sizes;
}

/** The error message for a first page that is too large, else `null`. */
export function sizeError(sizes: Map<string, number>): string | null {
  const sum = [...sizes.values()].reduce((total, size) => total + size, 0);
  if (sum <= MAX_FIRST_LOAD_BYTES) return null;
  const files = [...sizes].map(([file, size]) => `\n  ${size} ${file}`).join("");
  return `The first page loads ${sum} bytes of script (gzip); ${MAX_FIRST_LOAD_BYTES} is the limit.${files}`;
}

/**
 * Groups the modules of the first page and preloads its scripts. Fails the build if the scripts are
 * too large.
 */
export function limitFirstLoad(): Plugin {
  /** The modules that the entry imports, directly or indirectly. */
  let entryModules = new Set<string>();
  /** The modules that the app imports, without those of the entry. */
  let appModules = new Set<string>();
  /** The other modules that several features use, without those that need a library of their own. */
  let sharedModules = new Set<string>();
  return {
    name: "limit-first-load",
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
      entryModules = closure((id) => this.getModuleInfo(id)?.isEntry === true, new Set());
      appModules = closure((id) => id.endsWith(APP_MODULE), entryModules);
      // The library's index imports all icons, but the app needs only those that it names.
      const codeOf = (id: string) => this.getModuleInfo(id)?.code ?? "";
      const index = [...appModules].find((id) => id.endsWith(ICON_INDEX));
      const files = iconFilesByName(index ? codeOf(index) : "");
      const used = new Set(
        [...appModules].flatMap((id) => importedIcons(codeOf(id))).map((name) => files.get(name)),
      );
      for (const id of appModules) {
        const file = iconFile(id);
        if (file !== null && !used.has(file)) appModules.delete(id);
      }
      const known = new Set([...entryModules, ...appModules]);
      const needsLibrary = (id: string) =>
        [...closure((other) => other === id, known)].some((one) => isLibrary(one) && iconFile(one) === null);
      sharedModules = new Set(
        [...this.getModuleIds()].filter(
          (id) => SHARED_FOLDERS.test(id) && !known.has(id) && !needsLibrary(id),
        ),
      );
    },
    transformIndexHtml: {
      order: "post",
      handler(_, { bundle, chunk }) {
        // The entry imports the app dynamically. The preload lets the browser request it earlier, but after
        // the style sheet and the font of the page that the server prerendered.
        const files = bundle ? [...measureFirstLoad(bundle as Bundle).keys()] : [];
        return files
          .filter((file) => file !== chunk?.fileName)
          .map((file) => ({
            tag: "link",
            attrs: { rel: "modulepreload", crossorigin: true, fetchpriority: "low", href: `/${file}` },
            injectTo: "head",
          }));
      },
    },
    outputOptions(options) {
      const group = (name: string, test: (id: string) => boolean) => ({
        name,
        test: (id: string) => appModules.has(id) && test(id),
      });
      return {
        ...options,
        codeSplitting: {
          // The app imports the entry's modules from the entry's file.
          includeDependenciesRecursively: false,
          // Libraries change rarely, so their file stays in the browser's cache across deployments.
          groups: [
            group("libraries", isLibrary),
            group("app", (id) => !isLibrary(id)),
            // Many pages share these modules. Each in a file of its own would be a request of its own.
            { name: "shared", test: (id: string) => sharedModules.has(id), minShareCount: 3 },
            { name: "icons", test: (id: string) => iconFile(id) !== null && !appModules.has(id) },
          ],
        },
      };
    },
    generateBundle: {
      // Runs after the last changes that the build makes to the code.
      order: "post",
      handler(_, bundle) {
        const failure = sizeError(measureFirstLoad(bundle as Bundle));
        if (failure) this.error(failure);
      },
    },
  };
}
