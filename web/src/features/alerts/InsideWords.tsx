// Warns that a keyword is found inside other words, and offers to match only starts of words.

import { useTranslation } from "@/i18n/i18n.ts";
import { Button } from "@/ui/Button.tsx";

interface InsideWordsProps {
  term: string;
  /** Words inside which the keyword was found. */
  words: readonly string[];
  onNarrow: () => void;
}

/** The warning with its offer. Without words, it is an empty region, so that a warning is read aloud. */
export function InsideWords({ term, words, onNarrow }: InsideWordsProps) {
  const { t } = useTranslation();
  return (
    <div role="status">
      {words.length > 0 && (
        <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1.5 rounded-lg bg-soon-wash px-3 py-2 text-sm text-soon">
          <p className="min-w-0 flex-1 basis-52 wrap-anywhere">
            {t("alerts.preview.insideWords", { term, words: words.map((word) => `“${word}”`).join(", ") })}
          </p>
          <Button
            variant="outlined"
            size="small"
            onClick={onNarrow}
            className="max-w-full whitespace-normal!"
          >
            {t("alerts.preview.onlyStarts", { term })}
          </Button>
        </div>
      )}
    </div>
  );
}
