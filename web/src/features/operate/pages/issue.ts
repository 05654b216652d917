// The newspaper and the issue date in the path of a file, as `ingest` reads them.

/** The newspaper and the issue date of a file. Empty texts: they are unknown. */
export interface Issue {
  publication: string;
  date: string;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The issue in a path such as `daily-lanka/2026-11-20/p1.jpg`, or in a file name such as
 * `daily-lanka_2026-11-20_p1.jpg`. The folders take precedence.
 */
export function issueOfPath(path: string): Issue {
  const parts = path.split("/").filter(Boolean);
  const folders = parts.slice(0, -1);
  const at = folders.findLastIndex((folder) => DATE.test(folder));
  if (at >= 0) return { publication: folders[at - 1] ?? "", date: folders[at] ?? "" };
  const words = (parts.at(-1) ?? "").replace(/\.[^.]*$/, "").split("_");
  const nth = words.findIndex((word) => DATE.test(word));
  if (nth > 0) return { publication: words.slice(0, nth).join("_"), date: words[nth] ?? "" };
  return { publication: "", date: nth === 0 ? (words[0] ?? "") : "" };
}
