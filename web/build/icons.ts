// Finds the icons that modules use. All of them import the icons from one module of the library, which
// imports the file of every icon.

/** The end of the path of the module from which icons are imported. */
export const ICON_INDEX = "/lucide-react/dist/esm/lucide-react.mjs";

const ICON_FILE = /\/lucide-react\/dist\/esm\/icons\/([\w-]+)\.mjs$/;

/** The name of the file of an icon, without its ending; `null` for any other module. */
export function iconFile(id: string): string | null {
  return ICON_FILE.exec(id)?.[1] ?? null;
}

/** Maps the names of the icons to their files, given the code of the module that exports them. */
export function iconFilesByName(index: string): Map<string, string> {
  const exported = index.matchAll(/export \{([^}]*)\} from ["']\.\/icons\/([\w-]+)\.mjs["']/g);
  return new Map(
    [...exported].flatMap(([, names = "", file = ""]) =>
      [...names.matchAll(/default as (\w+)/g)].map(([, name = ""]) => [name, file] as const),
    ),
  );
}

/** The names of the icons that a module imports. */
export function importedIcons(code: string): string[] {
  const imports = code.matchAll(/import\s*\{([^}]*)\}\s*from\s*["']lucide-react["']/g);
  return [...imports].flatMap(([, names = ""]) =>
    names.split(",").flatMap((name) => name.trim().split(/\s+as\s+/)[0] || []),
  );
}
