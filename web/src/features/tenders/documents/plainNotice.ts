// The text of a notice without its Markdown.

/** Escaped signs, and backslashes that break a line. */
const ESCAPES = /\\([^\w\s]|(?=\n|$))/g;
const HEADINGS = /^#+ /gm;
/** The line below the head of a table. */
const RULES = /^\|(?: *:?-+:? *\|)+$\n?/gm;
const CELLS = /^\|(.*)\|$/gm;

/** What a notice prints, as plain text: without marks of headings, tables and line breaks. */
export function plainNotice(markdown: string): string {
  return markdown
    .replace(RULES, "")
    .replace(CELLS, (_, cells: string) =>
      cells
        .split("|")
        .map((cell) => cell.trim())
        .filter(Boolean)
        .join(" · "),
    )
    .replace(HEADINGS, "")
    .replace(ESCAPES, "$1")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
