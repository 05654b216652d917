// A tender that an alert matched, with the passage that contains the keyword.

import { Link } from "react-router";
import { useTranslation } from "@/i18n/i18n.ts";
import { enclosingWord } from "@/shared/alerts/insideWords.ts";
import { Passage } from "@/shared/alerts/Passage.tsx";
import { formatClosing } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { displayTitle } from "@/shared/tender/displayTitle.ts";
import { PrintedTitle } from "@/shared/tender/PrintedTitle.tsx";
import type { FoundTender } from "./api.ts";

type FoundPassage = NonNullable<FoundTender["passage"]>;

/** A text without what differs between a title and its place in the notice. */
const plainText = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();

/** Whether a passage says more than the title, or tells that the keyword lies inside a word. */
function saysMore(passage: FoundPassage, title: string): boolean {
  const { before, hit, after } = passage;
  return enclosingWord(passage) !== null || !plainText(title).includes(plainText(before + hit + after));
}

/** A found tender. The passage with the keyword is left out if it only repeats the title. */
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
      {passage && saysMore(passage, match.title) && <Passage passage={passage} />}
    </>
  );
}
