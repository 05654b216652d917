// The full text of a notice. The markdown comes from OCR and is untrusted. Raw HTML, images and
// scripts are removed, and links lead only to web pages and mail addresses. This module is loaded
// when a text is first shown.

import Markdown, { type Components } from "react-markdown";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import remarkGfm from "remark-gfm";

const schema = {
  ...defaultSchema,
  tagNames: (defaultSchema.tagNames ?? []).filter(
    (name) => !["img", "input", "picture", "source"].includes(name),
  ),
  protocols: { href: ["http", "https", "mailto"] },
};

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
        rehypePlugins={[[rehypeSanitize, schema]]}
        components={components}
      >
        {withPrintedNumbers(markdown)}
      </Markdown>
    </div>
  );
}
