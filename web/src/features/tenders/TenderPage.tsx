// One tender on a page of its own: where mails and shared links lead.

import { useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { Link, useParams } from "react-router";
import { Metadata } from "@/app/Metadata.tsx";
import { paths } from "@/app/paths.ts";
import { useTranslation } from "@/locales/i18n.ts";
import { Page } from "@/ui/Sheet.tsx";
import { CountdownBadge } from "./CountdownBadge.tsx";
import { formatMoment } from "./dates.ts";
import { placeOf } from "./place.ts";
import { tenderDetails } from "./queries.ts";
import { Similar } from "./Similar.tsx";
import { TenderDetails } from "./TenderDetails.tsx";

export function Component() {
  const { t } = useTranslation();
  const { id = "" } = useParams();
  const { data: tender } = useQuery(tenderDetails(id));
  const language = tender?.language ?? undefined;
  const place = placeOf(tender?.location);
  const closing = tender?.dates?.closing;
  return (
    <Page className="py-6">
      <Metadata
        title={tender?.title ?? t("tenders.title")}
        description={
          tender ? [tender.organization?.name, place].filter(Boolean).join(", ") : t("tenders.description")
        }
        keywords={t("tenders.keywords")}
        kind="ItemPage"
      />
      <Link
        to={paths.tenders}
        className="inline-flex min-h-11 items-center gap-2 font-semibold text-accent hover:underline"
      >
        <ArrowLeft size={18} aria-hidden />
        {t("tenders.details.back")}
      </Link>
      <article className="mt-2 rounded-xl border border-line bg-sheet shadow-sheet">
        <header className="px-4 py-5">
          {tender ? (
            <>
              <h1 lang={language} className="max-w-[60ch] text-2xl leading-snug font-bold tracking-tight">
                {tender.title}
              </h1>
              <p className="mt-1 text-ink-soft">
                <span lang={language}>{tender.organization?.name}</span>
                {place && ` · ${place}`}
              </p>
              <p className="mt-2 flex flex-wrap items-center gap-3 font-medium">
                {closing && `${t("tenders.details.closes")} ${formatMoment(closing)}`}
                <CountdownBadge closing={closing} />
              </p>
            </>
          ) : (
            <h1 className="text-2xl font-bold tracking-tight">{t("tenders.title")}</h1>
          )}
        </header>
        <TenderDetails id={id} heading="h2" />
      </article>
      {tender && <Similar id={id} />}
    </Page>
  );
}
