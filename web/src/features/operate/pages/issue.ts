// The newspaper and the issue date in the folders of a file, as `ingest` reads them. The worker reads
// the name of the file itself.

/** The newspaper and the issue date of a file. Empty texts: they are unknown. */
export interface Issue {
  publication: string;
  date: string;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The issue in a path such as `daily-lanka/2026-11-20/p1.jpg`. */
export function issueOfPath(path: string): Issue {
  const folders = path.split("/").slice(0, -1);
  const date = folders.at(-1) ?? "";
  if (!DATE.test(date)) return { publication: "", date: "" };
  return { publication: titleCase(folders.at(-2) ?? ""), date };
}

/** `Daily Lanka` for `daily-lanka`. */
function titleCase(name: string): string {
  return name
    .split(/[-_ ]+/)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}
