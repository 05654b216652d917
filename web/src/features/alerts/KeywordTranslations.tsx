// Translations of an alert's keywords into the other languages of notices. A click adds a
// translation as a keyword.

import { Plus } from "lucide-react";
import { useTranslation } from "@/i18n/i18n.ts";
import { languageNames } from "@/i18n/languages.ts";
import type { AlertPreview } from "./api.ts";

type PreviewKeyword = AlertPreview["keywords"][number];
export type OfferedKeyword = PreviewKeyword["equivalents"][number]["keyword"];

interface KeywordTranslationsProps {
  keywords: readonly PreviewKeyword[];
  /** How many more keywords the alert can have. */
  remainingKeywords: number;
  onAdd: (keywords: OfferedKeyword[]) => void;
}

const chipStyle =
  "inline-flex min-h-9 items-center gap-1 rounded-lg border border-edge bg-sheet px-2.5 text-sm hover:border-accent hover:text-accent max-md:min-h-11";

/** Removes repeated translations. Each stays with the first keyword that has it. */
function withoutDuplicates(keywords: readonly PreviewKeyword[]): PreviewKeyword[] {
  const seen = new Set<string>();
  const isNew = ({ language, word }: PreviewKeyword["equivalents"][number]) => {
    const before = seen.size;
    return seen.add(`${language} ${word}`).size > before;
  };
  return keywords.map((entry) => ({ ...entry, equivalents: entry.equivalents.filter(isNew) }));
}

export function KeywordTranslations({ keywords, remainingKeywords, onAdd }: KeywordTranslationsProps) {
  const { t } = useTranslation();
  const offering = withoutDuplicates(keywords).filter(({ equivalents }) => equivalents.length > 0);
  const unknown = keywords.filter(({ equivalents }) => equivalents.length === 0);
  const all = offering.flatMap(({ equivalents }) => equivalents.map(({ keyword }) => keyword));
  if (all.length === 0 || remainingKeywords <= 0) return null;
  return (
    <section aria-label={t("alerts.elsewhere.title")} className="mt-4 border-t border-line pt-3">
      <h4 className="text-[0.9375rem] font-semibold">{t("alerts.elsewhere.title")}</h4>
      <p className="mt-0.5 text-sm text-ink-soft">{t("alerts.elsewhere.help")}</p>
      <dl className="mt-2 grid gap-2">
        {offering.map(({ term, equivalents }) => (
          <div key={term}>
            <dt className="text-sm break-words text-ink-soft">{term}</dt>
            <dd className="mt-1 flex flex-wrap gap-1.5">
              {equivalents.map(({ language, word, keyword }) => (
                <button
                  key={`${language} ${word}`}
                  type="button"
                  aria-label={t("alerts.elsewhere.add", { word, language: languageNames[language] })}
                  onClick={() => onAdd([keyword])}
                  className={chipStyle}
                >
                  <Plus size={14} aria-hidden />
                  <span lang={language}>{word}</span>
                </button>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      {unknown.length > 0 && (
        <p className="mt-2 text-sm break-words text-ink-soft">
          {t("alerts.elsewhere.unknown", { terms: unknown.map(({ term }) => term).join(", ") })}
        </p>
      )}
      {all.length > 1 && all.length <= remainingKeywords && (
        <button
          type="button"
          onClick={() => onAdd(all)}
          className="mt-2 min-h-9 text-sm font-semibold text-accent hover:underline max-md:min-h-11"
        >
          {t("alerts.elsewhere.addAll", { count: all.length })}
        </button>
      )}
    </section>
  );
}
