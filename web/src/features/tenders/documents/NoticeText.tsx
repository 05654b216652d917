// The full text of a notice. The markdown comes from OCR and is untrusted. Raw HTML, images and
// scripts are removed, and links lead only to web pages and mail addresses. This module is loaded
// when a text is first shown.

import Markdown, { type Components, type ExtraProps } from "react-markdown";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import remarkGfm from "remark-gfm";

const schema = {
  ...defaultSchema,
  tagNames: (defaultSchema.tagNames ?? []).filter(
    (name) => !["img", "input", "picture", "source"].includes(name),
  ),
  protocols: { href: ["http", "https", "mailto"] },
};

type Element = NonNullable<ExtraProps["node"]>;

/** Whether an element contains no text. */
function isEmpty(node: Element["children"][number]): boolean {
  if (node.type === "text") return node.value.trim() === "";
  return node.type !== "element" || node.children.every(isEmpty);
}

/**
 * Removes the empty heads of tables. Every table has a head in markdown, but few tables of a notice
 * have one in print. A single empty cell of a head becomes an ordinary cell.
 */
function withoutEmptyHeads() {
  const mend = ({ children }: Pick<Element, "children">) => {
    for (const node of children) {
      if (node.type !== "element") continue;
      if (node.tagName === "table") {
        node.children = node.children.filter(
          (part) => part.type !== "element" || part.tagName !== "thead" || !isEmpty(part),
        );
      }
      if (node.tagName === "th" && isEmpty(node)) node.tagName = "td";
      mend(node);
    }
  };
  return mend;
}

// A headline of the notice is a paragraph, because it is not a heading of the page.
const Headline: Components["h1"] = ({ children }) => <p className="headline">{children}</p>;

const components: Components = {
  h1: Headline,
  h2: Headline,
  h3: Headline,
  h4: Headline,
  h5: Headline,
  h6: Headline,
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
      {children}
    </a>
  ),
};

/**
 * Keeps the printed numbers of paragraphs. Markdown would renumber a notice's 1, 3, 4 as 1, 2, 3.
 */
export function withPrintedNumbers(markdown: string): string {
  return markdown.replaceAll(/^(\s{0,3}\d{1,9})([.)])(?=\s)/gm, "$1\\$2");
}

export default function NoticeText({
  markdown,
  language,
}: {
  markdown: string;
  language: string | undefined;
}) {
  return (
    <div className="notice-text text-[0.9375rem]" lang={language}>
      <Markdown
        remarkPlugins={[[remarkGfm, { singleTilde: false }]]}
        rehypePlugins={[[rehypeSanitize, schema], withoutEmptyHeads]}
        components={components}
      >
        {withPrintedNumbers(markdown)}
      </Markdown>
    </div>
  );
}
