// A tender that an alert matched, with the passage that contains the keyword.

import { Link } from "react-router";
import type { components } from "@/api/schema.gen.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { displayTitle } from "@/shared/tender/displayTitle.ts";
import { PrintedTitle } from "@/shared/tender/PrintedTitle.tsx";

export function MatchedTender({ match }: { match: components["schemas"]["FoundTender"] }) {
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
          closing && t("alerts.found.closes", { moment: formatMoment(closing) }),
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
      {passage && (
        <p className="text-sm break-words">
          {passage.before}
          <mark className="rounded bg-accent-wash px-0.5 font-semibold text-accent">{passage.hit}</mark>
          {passage.after}
        </p>
      )}
    </>
  );
}
