// The tenders that are similar to the tender of the page.

import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { useTranslation } from "@/i18n/i18n.ts";
import { paths } from "@/shared/paths.ts";
import { CountdownBadge } from "@/shared/tender/CountdownBadge.tsx";
import { PrintedTitle } from "@/shared/tender/PrintedTitle.tsx";
import { similarTenders } from "../api.ts";

export function SimilarTenders({ id }: { id: string }) {
  const { t } = useTranslation();
  const { data } = useQuery(similarTenders(id));
  if (!data || data.length === 0) return null;
  return (
    <section aria-labelledby="similar" className="mt-8 print:hidden">
      <h2 id="similar" className="text-lg font-bold tracking-tight">
        {t("tenders.similar")}
      </h2>
      <ul className="mt-2 divide-y divide-line rounded-xl border border-line bg-sheet">
        {data.map(({ _id, title, organization, status, closing }) => (
          <li key={_id} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1.5 px-4 py-3">
            <div className="min-w-0">
              <Link to={paths.tender(_id)} className="font-semibold text-accent hover:underline">
                <PrintedTitle printed={title} />
              </Link>
              <p className="text-[0.9375rem] text-ink-soft">
                <PrintedTitle printed={organization} />
              </p>
            </div>
            <CountdownBadge closing={closing} status={status} />
          </li>
        ))}
      </ul>
    </section>
  );
}
