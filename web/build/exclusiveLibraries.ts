// Large libraries that only one page may load. A build fails if another page loads one of them.

import type { Plugin, Rolldown } from "vite";

/** The libraries, and the module of the only page that loads each of them. */
const EXCLUSIVE: Record<string, string> = {
  recharts: "/src/features/operate/figures/FiguresPage.tsx",
};

type Chunk = Pick<
  Rolldown.OutputChunk,
  "type" | "isEntry" | "isDynamicEntry" | "facadeModuleId" | "imports" | "moduleIds"
>;
type Bundle = Record<string, Chunk | { type: "asset" }>;

/**
 * Returns an error message for each library that a page loads besides its own, or that its own page
 * does not load.
 */
export function exclusivityErrors(bundle: Bundle, exclusive = EXCLUSIVE): string[] {
  const chunkOf = (file: string) => {
    const chunk = bundle[file];
    return chunk?.type === "chunk" ? chunk : null;
  };
  /** The modules that load with a chunk. */
  const modulesOf = (file: string, seen = new Set<string>()): string[] => {
    const chunk = chunkOf(file);
    if (!chunk || seen.has(file)) return [];
    seen.add(file);
    return [...chunk.moduleIds, ...chunk.imports.flatMap((imported) => modulesOf(imported, seen))];
  };
  return Object.entries(exclusive).flatMap(([library, page]) => {
    const loaders = Object.keys(bundle).filter((file) => {
      const chunk = chunkOf(file);
      const isLoaded = chunk?.isEntry || chunk?.isDynamicEntry;
      return isLoaded && modulesOf(file).some((id) => id.includes(`/node_modules/${library}/`));
    });
    const isOwn = (file: string) => chunkOf(file)?.facadeModuleId?.endsWith(page) === true;
    const others = loaders.filter((file) => !isOwn(file));
    return [
      ...others.map((file) => `${file} loads ${library}, which only ${page} may load.`),
      ...(loaders.some(isOwn) ? [] : [`${page} does not load ${library}.`]),
    ];
  });
}

/** Fails the build if a page loads a library of another page. */
export function keepLibrariesExclusive(): Plugin {
  return {
    name: "keep-libraries-exclusive",
    apply: "build",
    generateBundle(_, bundle) {
      const [failure] = exclusivityErrors(bundle as Bundle);
      if (failure) this.error(failure);
    },
  };
}
