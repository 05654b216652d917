// The full text of a notice, from markdown that a machine read and nobody vouches for: no raw HTML, no images, no scripts,
// links only to the web and to mail. Loaded when it is first shown.

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

// A printed headline is no heading of our page.
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
 * Keeps the numbers of numbered paragraphs as printed: markdown counts on from the first by itself, and so would turn a
 * notice's 1, 3, 4 into 1, 2, 3.
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
