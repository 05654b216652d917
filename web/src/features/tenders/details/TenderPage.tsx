// The page of one tender, to which mails and shared links lead.

import { useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { lazy, Suspense, useDeferredValue } from "react";
import { Link, useParams } from "react-router";
import { loadOperateTexts, useTranslation } from "@/i18n/i18n.ts";
import { loadChunk } from "@/shared/lazyChunk.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { paths } from "@/shared/paths.ts";
import { useAccount } from "@/shared/session/account.ts";
import { CountdownBadge } from "@/shared/tender/CountdownBadge.tsx";
import { displayTitle } from "@/shared/tender/displayTitle.ts";
import { ModerationNotice } from "@/shared/tender/ModerationNotice.tsx";
import { PrintedTitle } from "@/shared/tender/PrintedTitle.tsx";
import { placeName, placeWithDoubt } from "@/shared/tender/place.ts";
import { type DetailedTender, tenderDetails } from "@/shared/tender/tenderQueries.ts";
import { Page } from "@/ui/Sheet.tsx";
import { PastAwards } from "./PastAwards.tsx";
import { type RefusedTender, useRefusedTender } from "./refusedTender.ts";
import { SimilarTenders } from "./SimilarTenders.tsx";
import { isNotFound, TenderDetails } from "./TenderDetails.tsx";
import { MarketLinks, TenderHead, titleStyle } from "./TenderHead.tsx";

/** The menu for administrators. Its texts are loaded with it. */
const AdministratorMenu = lazy(() =>
  loadChunk(async () => {
    const [menu] = await Promise.all([import("../moderation/AdministratorMenu.tsx"), loadOperateTexts()]);
    return { default: menu.AdministratorMenu };
  }),
);

/** A placeholder in the shape of the header, shown while the tender loads. */
function HeaderSkeleton() {
  return (
    <div aria-hidden>
      <div className="skeleton my-1 h-6 w-11/12 max-w-[60ch]" />
      <div className="skeleton mt-2.5 mb-1 h-6 w-3/5 max-w-[40ch] sm:hidden" />
      <div className="skeleton mt-2.5 h-4 w-2/5" />
      <div className="skeleton mt-5 mb-1 h-12 w-full" />
    </div>
  );
}

function TenderHeader({ tender, place }: { tender: DetailedTender; place: string | null }) {
  const { user } = useAccount();
  return (
    <>
      {tender.moderation && (
        <div className="mb-4">
          <ModerationNotice tender={tender} isOwn={user?.role !== "admin"} />
        </div>
      )}
      <TenderHead
        tender={tender}
        place={place}
        menu={
          user?.role === "admin" && (
            <Suspense fallback={<span className="size-11 md:size-9" />}>
              <AdministratorMenu tender={tender} />
            </Suspense>
          )
        }
      />
    </>
  );
}

/** The header of a tender that the user can't open, with the known part of its data. */
function RefusedHeader({ refused: { title, language, lines, closing, status } }: { refused: RefusedTender }) {
  return (
    <>
      <h1 lang={language} className={titleStyle}>
        <PrintedTitle printed={title} />
      </h1>
      {lines.map((line) => (
        <p key={line} className="mt-1 text-ink-soft">
          {line}
        </p>
      ))}
      <div className="mt-2 empty:hidden">
        <CountdownBadge closing={closing} status={status} />
      </div>
    </>
  );
}

export function Component() {
  const { t } = useTranslation();
  const { id = "" } = useParams();
  const { data: tender, isPending, error } = useDeferredValue(useQuery(tenderDetails(id)));
  const refused = useRefusedTender(id, error);
  const place = placeName(tender?.location, t);
  const title = tender?.title ?? refused?.title;
  return (
    <Page className="py-6">
      <Metadata
        title={title === undefined ? t("tenders.details.title") : displayTitle(title)}
        description={
          tender
            ? [tender.organization?.name, place].filter(Boolean).join(", ")
            : (refused?.lines.join(", ") ?? t("tenders.description"))
        }
        keywords={t("tenders.keywords")}
        kind="ItemPage"
      />
      <Link
        to={paths.tenders}
        className="inline-flex min-h-11 items-center gap-2 font-semibold text-accent hover:underline print:hidden"
      >
        <ArrowLeft size={18} aria-hidden />
        {t("tenders.details.back")}
      </Link>
      <article
        className={`mt-2 rounded-xl border border-line bg-sheet shadow-sheet print:border-0 print:shadow-none ${isPending ? "min-h-[85dvh]" : ""}`}
      >
        <header className="px-4 py-5">
          {tender ? (
            <TenderHeader tender={tender} place={placeWithDoubt(tender, t)} />
          ) : refused ? (
            <RefusedHeader refused={refused} />
          ) : (
            <>
              <h1 className={isPending ? "sr-only" : "text-2xl font-bold tracking-tight"}>
                {t(isNotFound(error) ? "tenders.details.missing" : "tenders.details.title")}
              </h1>
              {isPending && <HeaderSkeleton />}
            </>
          )}
        </header>
        {/* The key changes when the tender arrives, so that details and header render together. */}
        <TenderDetails key={tender ? "tender" : "none"} id={id} heading="h2" />
      </article>
      {tender && <PastAwards id={id} />}
      {tender && <SimilarTenders id={id} />}
      {tender && tender.status !== "draft" && <MarketLinks tender={tender} />}
    </Page>
  );
}
