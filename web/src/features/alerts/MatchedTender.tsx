// A tender with the words that an alert found it by.

import { Link } from "react-router";
import type { components } from "@/api/schema.gen.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";

export function Found({ found }: { found: components["schemas"]["FoundTender"] }) {
  const { t } = useTranslation();
  const { passage, closing } = found;
  return (
    <>
      <Link to={paths.tender(found._id)} className="font-semibold hover:text-accent hover:underline">
        {found.title}
      </Link>
      <p className="text-sm text-ink-soft">
        {[found.organization, closing && t("alerts.found.closes", { moment: formatMoment(closing) })]
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
