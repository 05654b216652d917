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

// The notice stands under a heading of the third level.
const components: Components = {
  h1: "h4",
  h2: "h4",
  h3: "h5",
  h4: "h5",
  h5: "h6",
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
      {children}
    </a>
  ),
};

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
        {markdown}
      </Markdown>
    </div>
  );
}
