// The details of a tender: fields, lists, documents, history, full text, and the newspaper clip.
// They are requested when they are first shown.

import { useQuery } from "@tanstack/react-query";
import { Eye, Flag, Link as LinkIcon } from "lucide-react";
import { lazy, type ReactNode, Suspense, useDeferredValue, useState } from "react";
import { Link } from "react-router";
import { ApiError, isThrottled, messageOf } from "@/api/error.ts";
import type { Bidding as BiddingFacts, Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { fieldPosition } from "@/shared/clip/fieldPosition.ts";
import { webAddress } from "@/shared/clip/webAddress.ts";
import { loadChunk } from "@/shared/lazyChunk.ts";
import { RequestId } from "@/shared/page/RequestId.tsx";
import { paths } from "@/shared/paths.ts";
import { useAccount } from "@/shared/session/account.ts";
import { fieldState, uncertainNames } from "@/shared/tender/fieldStates.ts";
import { type DetailedTender, tenderDetails } from "@/shared/tender/tenderQueries.ts";
import { Button } from "@/ui/Button.tsx";
import { NearView } from "@/ui/NearView.tsx";
import { ErrorBanner } from "@/ui/StatusMessages.tsx";
import { Clip } from "../clip/Clip.tsx";
import { PrintedWords } from "../clip/PrintedWords.tsx";
import { type Highlights, useHighlights } from "../clip/useHighlights.ts";
import { isRepeatedIn } from "../documents/description.ts";
import { plainNotice } from "../documents/plainNotice.ts";
import { ChangeHistory } from "../history/ChangeHistory.tsx";
import { isCorrected } from "../history/closingChange.ts";
import { Bidding } from "./Bidding.tsx";
import { DetailsRefusal, ThrottledDetails } from "./DetailsRefusal.tsx";
import { GuestAllowance } from "./GuestAllowance.tsx";
import { IntendToBid } from "./IntendToBid.tsx";
import { FieldGroups, type Heading, Lots, Section, TextList } from "./parts.tsx";
import { SaveTenderButton } from "./SaveTenderButton.tsx";
import { NOTICE_TEXT_ID } from "./TenderHead.tsx";
import { TenderTools } from "./TenderTools.tsx";

const Documents = lazy(() =>
  loadChunk(async () => ({ default: (await import("../documents/Documents.tsx")).Documents })),
);
const ReportMistake = lazy(() =>
  loadChunk(async () => ({ default: (await import("./ReportMistake.tsx")).ReportMistake })),
);
const DeliveryTrace = lazy(() =>
  loadChunk(async () => ({ default: (await import("../history/DeliveryTrace.tsx")).DeliveryTrace })),
);
const NoticeText = lazy(() => loadChunk(() => import("../documents/NoticeText.tsx")));

function SkeletonLines({ count }: { count: number }) {
  return Array.from({ length: count }, (_, line) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change their order
    <div key={line} className="skeleton mb-2.5 h-4" style={{ width: `${94 - ((line * 17) % 38)}%` }} />
  ));
}

/**
 * The last row of the details: the statistics, the link to the tender's page, the button to report
 * a mistake, and the link to the source on the web.
 */
function DetailsFooter({ tender }: { tender: DetailedTender }) {
  const { t } = useTranslation();
  const [isReporting, setReporting] = useState(false);
  const { statistics } = tender;
  const sourceUrl = webAddress(tender.sourceUrl);
  const link = "inline-flex min-h-9 items-center gap-1.5 font-medium text-accent underline max-sm:min-h-11";
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-1 border-t border-line pt-3 text-sm text-ink-soft">
      {statistics && (
        <p>
          {[
            t("tenders.details.views", { count: statistics.views }),
            t("tenders.details.downloads", { count: statistics.downloads }),
            t("tenders.details.applications", { count: statistics.applications }),
          ].join(" · ")}
        </p>
      )}
      <Link to={paths.tender(tender._id)} className={`${link} print:hidden`}>
        <LinkIcon size={15} aria-hidden />
        {t("tenders.details.link")}
      </Link>
      <p className="hidden print:block">{new URL(paths.tender(tender._id), window.location.origin).href}</p>
      <button type="button" onClick={() => setReporting(true)} className={`${link} print:hidden`}>
        <Flag size={15} aria-hidden />
        {t("tenders.mistake.title")}
      </button>
      {isReporting && (
        <Suspense fallback={null}>
          <ReportMistake tender={tender} onClose={() => setReporting(false)} />
        </Suspense>
      )}
      {sourceUrl && (
        <a href={sourceUrl} target="_blank" rel="noopener noreferrer nofollow" className={link}>
          {t("tenders.details.sourceUrl")}
        </a>
      )}
    </div>
  );
}

interface BodyProps {
  tender: DetailedTender;
  heading: Heading;
}

/** The letters and digits of a text, which tell whether two texts have the same words. */
const lettersOf = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]/gu, "");

/** Says that the title may be wrong, with the printed words if the title has others. */
function DoubtfulTitle({ tender }: { tender: Tender }) {
  const { t } = useTranslation();
  const printed = tender.evidence?.title?.text;
  if (!printed || lettersOf(printed) === lettersOf(tender.title)) {
    return <p className="mt-1">{t("tenders.doubt.titleAlone")}</p>;
  }
  return (
    <>
      <p className="mt-1">{t("tenders.doubt.title")}</p>
      <PrintedWords tender={tender} path="title" />
    </>
  );
}

/**
 * Names the uncertain fields. Also shows the printed words of a doubtful title, because the lists
 * of fields do not contain the title.
 */
function UncertainFields({ tender }: { tender: Tender }) {
  const { t } = useTranslation();
  const names = uncertainNames(tender, t);
  if (names.length === 0) return null;
  const title = fieldState(tender, "title");
  return (
    <div className="flex items-start gap-2 text-sm text-soon">
      <Eye size={16} aria-hidden className="mt-0.5 shrink-0" />
      <div className="min-w-0 flex-1">
        <p>
          <strong className="font-semibold">
            {t("tenders.doubt.notCertain", { fields: names.join(", ") })}.
          </strong>{" "}
          {t("tenders.doubt.checkNotice")}
        </p>
        {title === "doubtful" && <DoubtfulTitle tender={tender} />}
        {title === "not-read" && <p className="mt-1">{t("tenders.doubt.untitled")}</p>}
      </div>
    </div>
  );
}

/** The first part of the details: warnings and actions. */
function DetailsActions({ tender }: { tender: DetailedTender }) {
  return (
    <div className="grid min-w-0 grid-cols-1 content-start gap-5">
      <GuestAllowance />
      <UncertainFields tender={tender} />
      <div className="flex flex-wrap gap-3 empty:hidden">
        <IntendToBid tender={tender} />
        <SaveTenderButton tender={tender} />
        <TenderTools tender={tender} />
      </div>
    </div>
  );
}

/** The fields that "May I bid?" shows with their printed words, by the kind of the requirement. */
const REQUIRED_PATHS: Partial<Record<BiddingFacts["requirements"][number]["kind"], string>> = {
  grade: "cida",
  experience: "eligibility.experience",
  turnover: "eligibility.turnover",
  "bid-security": "financials.bidBond.amount",
};

/** The paths of the fields that "May I bid?" shows. */
function requiredPaths(tender: DetailedTender): ReadonlySet<string> {
  const paths = tender.bidding?.requirements.map(({ kind }) => REQUIRED_PATHS[kind]) ?? [];
  return new Set(paths.filter((path) => path !== undefined));
}

/** The second part of the details: what bidders need, description and fields. */
function DetailsFields({
  tender,
  heading,
  highlights,
  columns,
}: BodyProps & { highlights: Highlights; columns: string }) {
  return (
    <div className="grid min-w-0 grid-cols-1 content-start gap-5">
      <Bidding tender={tender} heading={heading} highlights={highlights} />
      {tender.description && !isRepeatedIn(tender.description, tender.fullTextMarkdown) && (
        <p className="max-w-[75ch] break-words" lang={tender.language ?? undefined}>
          {tender.description}
        </p>
      )}
      <FieldGroups
        tender={tender}
        highlights={highlights}
        columns={columns}
        shownElsewhere={requiredPaths(tender)}
      />
    </div>
  );
}

/** Says that a later notice has changed what is shown below. */
function FirstNoticeNote({ text }: { text: string }) {
  return <p className="mb-2 text-sm font-medium text-soon">{text}</p>;
}

/** The third part of the details: lists, documents, history, full text and tags. */
function MoreDetails({ tender, heading }: BodyProps) {
  const { t } = useTranslation();
  const language = tender.language ?? undefined;
  const { criteria = [], documentRequired = [] } = tender.eligibility ?? {};
  // "May I bid?" shows the sentences, too.
  const isAsked = tender.bidding?.requirements.some(({ kind }) => kind === "criterion") ?? false;
  // Shown until the text is formatted. The code for that is large, and few readers scroll so far.
  const plainText = (
    <p className="notice-text whitespace-pre-line text-[0.9375rem]" lang={language}>
      {plainNotice(tender.fullTextMarkdown ?? "")}
    </p>
  );
  return (
    <div className="lazy-layout grid min-w-0 grid-cols-1 content-start gap-5">
      {criteria.length > 0 && !isAsked && (
        <Section heading={heading} title={t("tenders.details.criteria")}>
          <TextList items={criteria} language={language} />
        </Section>
      )}
      {documentRequired.length > 0 && (
        <Section heading={heading} title={t("tenders.details.documentRequired")}>
          <TextList items={documentRequired} language={language} />
        </Section>
      )}
      {tender.lots && tender.lots.length > 0 && (
        <Section heading={heading} title={t("tenders.details.lots")}>
          <Lots tender={tender} />
        </Section>
      )}
      {tender.documents && tender.documents.length > 0 && (
        <Section heading={heading} title={t("tenders.details.documents")}>
          <Suspense fallback={<SkeletonLines count={tender.documents.length} />}>
            <Documents tender={tender} documents={tender.documents} />
          </Suspense>
        </Section>
      )}
      {tender.changes && tender.changes.length > 0 && (
        <Section heading={heading} title={t("tenders.history.heading")}>
          <ChangeHistory tender={tender} />
        </Section>
      )}
      <OperatorsOnly>
        <DeliveryTrace id={tender._id} />
      </OperatorsOnly>
      {tender.fullTextMarkdown && (
        <div
          id={heading === "h2" ? NOTICE_TEXT_ID : undefined}
          className="scroll-mt-[calc(var(--header)+1rem)] border-t border-line pt-5"
        >
          <Section heading={heading} title={t("tenders.details.text")}>
            {isCorrected(tender) && <FirstNoticeNote text={t("tenders.details.firstText")} />}
            <NearView substitute={plainText}>
              <Suspense fallback={plainText}>
                <NoticeText markdown={tender.fullTextMarkdown} language={language} />
              </Suspense>
            </NearView>
          </Section>
        </div>
      )}
      {tender.tags && tender.tags.length > 0 && (
        <Section heading={heading} title={t("tenders.details.tags")}>
          <TextList items={tender.tags} language={language} />
        </Section>
      )}
    </div>
  );
}

/**
 * The layout of the details. If there is room, the clip is beside all parts and stays in view. Otherwise, it
 * stands after the actions, because a reader of a phone compares the fields with it, too.
 */
function DetailsBody({ tender, heading }: BodyProps) {
  const { t } = useTranslation();
  const highlights = useHighlights();
  const clip = tender.sources?.find((source) => webAddress(source.clipUrl));
  if (!clip) {
    return (
      <>
        <DetailsActions tender={tender} />
        <DetailsFields tender={tender} heading={heading} highlights={highlights} columns="@3xl:columns-4" />
        <MoreDetails tender={tender} heading={heading} />
        <DetailsFooter tender={tender} />
      </>
    );
  }
  return (
    <>
      <div className="grid gap-x-8 gap-y-5 @3xl:grid-cols-[minmax(0,1fr)_minmax(18rem,40%)] @3xl:grid-rows-[auto_auto_1fr]">
        <DetailsActions tender={tender} />
        <div className="min-w-0 @3xl:col-start-2 @3xl:row-span-3 @3xl:row-start-1">
          <div className="@3xl:sticky @3xl:top-[calc(var(--header)+1rem)]">
            <Section heading={heading} title={t("tenders.details.clip")}>
              {isCorrected(tender) && <FirstNoticeNote text={t("tenders.details.firstClip")} />}
              <Clip
                source={clip}
                title={tender.title}
                language={tender.language ?? undefined}
                highlights={highlights.shown.flatMap((path) => {
                  const box = fieldPosition(tender, path);
                  return box ? [{ box, isPinned: path === highlights.pinned }] : [];
                })}
              />
            </Section>
          </div>
        </div>
        <DetailsFields tender={tender} heading={heading} highlights={highlights} columns="" />
        <MoreDetails tender={tender} heading={heading} />
      </div>
      <DetailsFooter tender={tender} />
    </>
  );
}

/** Loads and shows its children only for administrators. */
function OperatorsOnly({ children }: { children: ReactNode }) {
  const { user } = useAccount();
  return user?.role === "admin" && <Suspense fallback={null}>{children}</Suspense>;
}

/** Whether the tender does not exist or its id is invalid, so that a retry is useless. */
export function isNotFound(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 422);
}

export function TenderDetails({ id, heading }: { id: string; heading: Heading }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useDeferredValue(useQuery(tenderDetails(id)));
  return (
    <div className="@container grid gap-5 border-t border-line px-4 py-5">
      {data ? (
        <DetailsBody tender={data} heading={heading} />
      ) : error instanceof ApiError && error.plan ? (
        <DetailsRefusal error={error} />
      ) : isThrottled(error) ? (
        <ThrottledDetails error={error} onRetry={() => void refetch()} />
      ) : isNotFound(error) ? (
        <p role="alert">{t("tenders.details.missingText")}</p>
      ) : error ? (
        <ErrorBanner
          title={t("tenders.details.errorTitle")}
          action={
            <Button variant="outlined" size="small" onClick={() => void refetch()}>
              {t("shell.tryAgain")}
            </Button>
          }
        >
          <p>{messageOf(error, t("tenders.details.errorFallback"))}</p>
          <RequestId error={error} />
        </ErrorBanner>
      ) : (
        <div role="status" aria-label={t("tenders.details.loading")} className="grid gap-x-8 sm:grid-cols-2">
          <div>
            <SkeletonLines count={6} />
          </div>
          <div>
            <SkeletonLines count={6} />
          </div>
        </div>
      )}
    </div>
  );
}
