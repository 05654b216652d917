// Which newspapers the portal reads, and which organisations invite bids now.

import { Newspaper } from "lucide-react";
import { Link } from "react-router";
import type { HomeHighlights } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatDay } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { PrintedTitle } from "@/shared/tender/PrintedTitle.tsx";

const rowStyle =
  "flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line py-1.5 sm:py-2.5";

/** The newspapers that the portal reads. */
export function Newspapers({ newspapers }: Pick<HomeHighlights, "newspapers">) {
  const { t } = useTranslation();
  return (
    <section>
      <h2 className="text-xl font-bold tracking-tight sm:text-2xl">{t("home.newspapers.title")}</h2>
      <ul className="mt-3 border-t border-line">
        {newspapers.map(({ name, notices, latestIssue }) => (
          <li key={name} className={rowStyle}>
            <span className="flex min-w-0 items-center gap-2 font-medium">
              <Newspaper size={16} aria-hidden className="shrink-0 text-accent" />
              <span className="min-w-0 break-words">{name}</span>
            </span>
            <span className="text-sm text-ink-soft">
              {t("home.newspapers.notices", { count: notices })}
              {latestIssue && ` · ${t("home.newspapers.latest", { day: formatDay(latestIssue) })}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The organisations with the most open tenders. Each links to its page. */
export function Organizations({ organizations }: Pick<HomeHighlights, "organizations">) {
  const { t } = useTranslation();
  return (
    <section>
      <h2 className="text-xl font-bold tracking-tight sm:text-2xl">{t("home.organizations.title")}</h2>
      <ul className="mt-3 grid gap-x-14 border-t border-line max-sm:[&>li:nth-child(n+6)]:hidden md:grid-cols-2">
        {organizations.map(({ name, count }) => (
          <li key={name} className={`${rowStyle} max-sm:flex-nowrap`}>
            <Link
              to={paths.buyerNamed(name)}
              className="min-w-0 py-1 font-medium break-words hover:text-accent hover:underline max-sm:line-clamp-2"
            >
              <PrintedTitle printed={name} />
            </Link>
            <span className="shrink-0 text-sm text-ink-soft">{t("home.organizations.open", { count })}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
