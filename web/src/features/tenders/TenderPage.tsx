// One tender on a page of its own: where mails and shared links lead.

import { useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { useDeferredValue } from "react";
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

/** In the shape of what comes. */
function HeaderSkeleton() {
  return (
    <div aria-hidden>
      <div className="skeleton my-1 h-6 w-11/12 max-w-[60ch]" />
      <div className="skeleton mt-2.5 mb-1 h-6 w-3/5 max-w-[40ch] sm:hidden" />
      <div className="skeleton mt-2.5 h-4 w-2/5" />
      <div className="skeleton mt-4 mb-1 h-5 w-1/2" />
    </div>
  );
}

export function Component() {
  const { t } = useTranslation();
  const { id = "" } = useParams();
  const { data: tender, isPending } = useDeferredValue(useQuery(tenderDetails(id)));
  const language = tender?.language ?? undefined;
  const place = placeOf(tender?.location, t);
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
      <article
        className={`mt-2 rounded-xl border border-line bg-sheet shadow-sheet ${isPending ? "min-h-[85dvh]" : ""}`}
      >
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
            <>
              <h1 className={isPending ? "sr-only" : "text-2xl font-bold tracking-tight"}>
                {t("tenders.title")}
              </h1>
              {isPending && <HeaderSkeleton />}
            </>
          )}
        </header>
        {/* With the tender it comes anew: nothing that is on the screen moves. */}
        <TenderDetails key={tender ? "tender" : "none"} id={id} heading="h2" />
      </article>
      {tender && <Similar id={id} />}
    </Page>
  );
}
