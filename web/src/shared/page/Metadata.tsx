// A page's title, description, keywords and structured data. React moves the title and the meta
// elements into the document's head.

import { useTranslation } from "@/i18n/i18n.ts";

interface MetadataProps {
  title: string;
  description: string;
  keywords: string;
  /** The schema.org type of the page. */
  kind?: "WebPage" | "WebSite" | "CollectionPage" | "ItemPage" | "ContactPage";
  /** The page's main entity, as a schema.org object. */
  about?: object;
  /** Whether search engines should skip the page. */
  unlisted?: boolean;
}

export function Metadata({
  title,
  description,
  keywords,
  kind = "WebPage",
  about,
  unlisted = false,
}: MetadataProps) {
  const { t, language } = useTranslation();
  const name = t("shell.name");
  const data = {
    "@context": "https://schema.org",
    "@type": kind,
    name: title,
    description,
    isPartOf: { "@type": "WebSite", name },
    inLanguage: language,
    ...(about && { mainEntity: about }),
  };
  return (
    <>
      <title>{`${title} · ${name}`}</title>
      <meta name="description" content={description} />
      <meta name="keywords" content={keywords} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      {unlisted && <meta name="robots" content="noindex" />}
      <script
        type="application/ld+json"
        // biome-ignore lint/security/noDangerouslySetInnerHtml: every `<` in the JSON is escaped
        dangerouslySetInnerHTML={{ __html: JSON.stringify(data).replaceAll("<", "\\u003c") }}
      />
    </>
  );
}
