// A tender that an alert matched, with the passage that contains the keyword.

import { Link } from "react-router";
import { useTranslation } from "@/i18n/i18n.ts";
import { Passage } from "@/shared/alerts/Passage.tsx";
import { formatClosing } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { displayTitle } from "@/shared/tender/displayTitle.ts";
import { PrintedTitle } from "@/shared/tender/PrintedTitle.tsx";
import type { FoundTender } from "./api.ts";

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
