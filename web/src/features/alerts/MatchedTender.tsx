// A tender that an alert matched, with the passage that contains the keyword.

import { Link } from "react-router";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatClosing } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { displayTitle } from "@/shared/tender/displayTitle.ts";
import { PrintedTitle } from "@/shared/tender/PrintedTitle.tsx";
import type { FoundTender } from "./api.ts";
import { enclosingWord } from "./insideWords.ts";

/** The passage with the keyword. If the keyword lies inside a longer word, the word is told. */
function Passage({ passage }: { passage: NonNullable<FoundTender["passage"]> }) {
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

export function MatchedTender({ match }: { match: FoundTender }) {
  const { t } = useTranslation();
  const { passage, closing } = match;
  return (
    <>
      <Link to={paths.tender(match._id)} className="font-semibold hover:text-accent hover:underline">
        <PrintedTitle printed={match.title} />
      </Link>
      <p className="text-sm text-ink-soft">
        {[
          displayTitle(match.organization),
          closing && t("alerts.found.closes", { moment: formatClosing(closing) }),
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
      {passage && <Passage passage={passage} />}
    </>
  );
}
