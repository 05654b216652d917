// The words of a notice in which an alert found its keyword.

import type { components } from "@/api/schema.gen.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { enclosingWord } from "./insideWords.ts";

/** The passage with the keyword. If the keyword lies inside a longer word, the word is told. */
export function Passage({ passage }: { passage: components["schemas"]["FoundPassage"] }) {
  const { t } = useTranslation();
  const { before, hit, after } = passage;
  const around = enclosingWord(passage);
  const mark = (
    <mark className={`rounded bg-accent-wash font-semibold text-accent ${around ? "" : "px-0.5"}`}>
      {hit}
    </mark>
  );
  if (!around) {
    return (
      <p className="text-sm break-words">
        {before}
        {mark}
        {after}
      </p>
    );
  }
  const { head, tail, word } = around;
  return (
    <>
      <p className="text-sm break-words">
        {before.slice(0, before.length - head.length)}
        <span className="underline decoration-soon decoration-dotted decoration-2 underline-offset-4">
          {head}
          {mark}
          {tail}
        </span>
        {after.slice(tail.length)}
      </p>
      <p className="text-sm text-soon wrap-anywhere">{t("alerts.preview.insideWord", { word })}</p>
    </>
  );
}
