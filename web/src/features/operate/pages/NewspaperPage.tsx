// The page that shows a newspaper page with the boxes of its blocks and what became of each.

import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, ArrowRight, RotateCw, SquareDashedMousePointer, X } from "lucide-react";
import { useState } from "react";
import { Link, useNavigate, useParams, useSearchParams } from "react-router";
import { ApiError, messageOf } from "@/api/error.ts";
import type { BlockOutcome, PageBlock, PageDetails, PageMark } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { useAccount } from "@/shared/session/account.ts";
import { Badge } from "@/ui/Badge.tsx";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { EmptyState, ErrorBanner, LoadingScreen } from "@/ui/StatusMessages.tsx";
import { doubtsInWords } from "../fieldNames.ts";
import { OperatePage, STAFF } from "../OperatePage.tsx";
import { NOTICE_OUTCOMES, newspaperPage, OUTCOMES, useBoxAction, usePageAction } from "./api.ts";
import { DrawArea } from "./DrawArea.tsx";
import { type Box, FIRST_BOX, isReadable } from "./drawnBox.ts";
import { fileBatch, issueOf, usePageName } from "./names.ts";
import { outcomeLooks } from "./outcomes.ts";
import { PagePicture, useBlockName } from "./PagePicture.tsx";
import { PageProgress, PageStateBadge } from "./PageStateBadge.tsx";

function OutcomeLabel({ outcome }: { outcome: BlockOutcome }) {
  const { t } = useTranslation();
  const { icon: Icon, colour } = outcomeLooks[outcome];
  return (
    <span
      className="inline-flex items-center gap-1.5 rounded-md px-2 py-0.5 text-[0.8125rem] font-semibold"
      style={{ backgroundColor: colour, color: "#ffffff" }}
    >
      <Icon size={14} aria-hidden className="shrink-0" />
      {t(`operate.pages.outcome.${outcome}`)}
    </span>
  );
}

/** The legend with the number of blocks. Each entry shows or hides its boxes. */
function Legend({
  blocks,
  hidden,
  onToggle,
}: {
  blocks: readonly PageBlock[];
  hidden: ReadonlySet<BlockOutcome>;
  onToggle: (outcome: BlockOutcome) => void;
}) {
  const { t } = useTranslation();
  const present = OUTCOMES.filter((outcome) => blocks.some((block) => block.outcome === outcome));
  return (
    <fieldset className="mt-4 flex flex-wrap gap-2">
      <legend className="mb-1.5 text-[0.9375rem] font-semibold">{t("operate.pages.legend")}</legend>
      {present.map((outcome) => (
        <button
          key={outcome}
          type="button"
          aria-pressed={!hidden.has(outcome)}
          onClick={() => onToggle(outcome)}
          className={`inline-flex min-h-11 items-center gap-2 rounded-lg border px-2 ${hidden.has(outcome) ? "border-dashed border-edge" : "border-edge bg-sheet"}`}
        >
          <OutcomeLabel outcome={outcome} />
          <span className="pr-1 font-semibold tabular-nums">
            {blocks.filter((block) => block.outcome === outcome).length}
          </span>
          {hidden.has(outcome) && (
            <span className="pr-1 text-sm text-ink-soft">{t("operate.pages.hidden")}</span>
          )}
        </button>
      ))}
    </fieldset>
  );
}

/** Who has drawn or dismissed the box of a block, and the button that undoes it or dismisses the box. */
function BlockDecision({
  pageId,
  block,
  mark,
}: {
  pageId: string;
  block: PageBlock;
  mark: PageMark | undefined;
}) {
  const { t } = useTranslation();
  const action = useBoxAction(pageId);
  if (!mark) {
    return (
      <Button
        variant="outlined"
        size="small"
        className="mt-3"
        disabled={action.isPending}
        onClick={() => action.mutate({ kind: "dismissed", box: block.box })}
      >
        {t("operate.pages.dismiss")}
      </Button>
    );
  }
  return <MarkLine pageId={pageId} mark={mark} />;
}

/** Who has drawn or dismissed a box and when, and the button that undoes it. */
function MarkLine({ pageId, mark }: { pageId: string; mark: PageMark }) {
  const { t } = useTranslation();
  const action = useBoxAction(pageId);
  const isDrawn = mark.decision === "notice";
  return (
    <div className="mt-3 grid justify-items-start gap-2">
      <p className="text-[0.9375rem] wrap-anywhere">
        {t(isDrawn ? "operate.pages.drawnBy" : "operate.pages.dismissedBy", {
          moment: formatMoment(mark.at),
          name: mark.by ?? t("operate.audit.unknownActor"),
        })}
      </p>
      <Button
        variant="outlined"
        size="small"
        disabled={action.isPending}
        onClick={() => action.mutate({ kind: "undo", mark: mark._id })}
      >
        {t(isDrawn ? "operate.pages.removeDrawn" : "operate.pages.undoDismissal")}
      </Button>
    </div>
  );
}

/** The drawn boxes that no block shows yet, because a worker has to read them. */
function WaitingBoxes({ pageId, marks }: { pageId: string; marks: readonly PageMark[] }) {
  const { t } = useTranslation();
  if (marks.length === 0) return null;
  return (
    <section aria-label={t("operate.pages.waitingBoxes")}>
      <h2 className="mb-2 text-lg font-semibold">{t("operate.pages.waitingBoxes")}</h2>
      <ul className="divide-y divide-line rounded-xl border border-line bg-sheet">
        {marks.map((mark) => (
          <li key={mark._id} className="px-3 pb-3">
            <MarkLine pageId={pageId} mark={mark} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What became of the selected block. On narrow screens, it stays at the bottom. */
function SelectedBlock({
  pageId,
  block,
  mark,
  onClose,
}: {
  pageId: string;
  block: PageBlock;
  mark: PageMark | undefined;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  return (
    <section
      aria-label={t("operate.pages.selected", { number: block.number })}
      className="z-30 rounded-xl border border-edge bg-sheet p-4 max-lg:fixed max-lg:inset-x-3 max-lg:bottom-3 max-lg:max-h-[45vh] max-lg:overflow-auto max-lg:shadow-sheet"
    >
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-2">
            <span className="font-semibold tabular-nums">
              {t("operate.pages.block", { number: block.number })}
            </span>
            <OutcomeLabel outcome={block.outcome} />
            {mark && (
              <Badge tone={mark.decision === "notice" ? "accent" : "quiet"}>
                {t(mark.decision === "notice" ? "operate.pages.drawn" : "operate.pages.dismissed")}
              </Badge>
            )}
          </p>
          {block.title && <p className="mt-2 font-semibold wrap-anywhere">{block.title}</p>}
          {block.reason && mark?.decision !== "dismissed" && (
            <p className="mt-1 text-[0.9375rem] wrap-anywhere text-ink-soft">
              {NOTICE_OUTCOMES.includes(block.outcome)
                ? t("operate.pages.doubts", { reason: doubtsInWords(block.reason, t) })
                : t("operate.pages.reason", { reason: block.reason })}
            </p>
          )}
          <p className="mt-1 text-[0.9375rem] text-ink-soft">
            {mark?.decision === "dismissed"
              ? t("operate.pages.dismissedHelp")
              : t(`operate.pages.outcomeHelp.${block.outcome}`)}
          </p>
          {block.reviewReason && (
            <p className="mt-1 text-[0.9375rem] text-ink-soft">
              {t("operate.pages.inReview", { reason: t(`operate.review.reason.${block.reviewReason}`) })}
            </p>
          )}
          {block.reviewReason && block.noticeKey && (
            <ButtonLink to={paths.operateReviewOf(block.noticeKey)} size="small" className="mt-3">
              {t("operate.pages.openReview")}
            </ButtonLink>
          )}
          {block.tenderId && (
            <ButtonLink to={paths.tender(block.tenderId)} size="small" className="mt-3">
              {t("operate.pages.openTender")}
            </ButtonLink>
          )}
          <BlockDecision pageId={pageId} block={block} mark={mark} />
        </div>
        <button
          type="button"
          aria-label={t("operate.pages.unselect")}
          onClick={onClose}
          className="-mt-2 -mr-2 grid size-11 shrink-0 place-items-center rounded-lg text-ink-soft hover:text-ink"
        >
          <X size={17} aria-hidden />
        </button>
      </div>
    </section>
  );
}

function NoticeList({
  blocks,
  selected,
  onSelect,
}: {
  blocks: readonly PageBlock[];
  selected: number | null;
  onSelect: (number: number) => void;
}) {
  const { t } = useTranslation();
  const nameOf = useBlockName();
  const notices = blocks.filter(({ outcome }) => NOTICE_OUTCOMES.includes(outcome));
  return (
    <section aria-label={t("operate.pages.noticeList")}>
      <h2 className="mb-2 text-lg font-semibold">{t("operate.pages.noticeList")}</h2>
      {notices.length === 0 && <p className="text-ink-soft">{t("operate.pages.noNotices")}</p>}
      <ul className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-sheet">
        {notices.map((block) => (
          <li key={block.number}>
            <button
              type="button"
              aria-label={nameOf(block)}
              aria-pressed={block.number === selected}
              onClick={() => onSelect(block.number)}
              className={`grid w-full gap-1 px-3 py-2.5 text-left hover:bg-well ${block.number === selected ? "bg-accent-wash" : ""}`}
            >
              <span className="flex items-center gap-2">
                <span className="text-sm font-semibold tabular-nums">{block.number}</span>
                <OutcomeLabel outcome={block.outcome} />
              </span>
              <span className="text-[0.9375rem] wrap-anywhere">{block.title}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function useSelection() {
  const [params, setParams] = useSearchParams();
  const selected = Number(params.get("block")) || null;
  const select = (number: number | null) =>
    setParams(
      (params) => {
        if (number === null) params.delete("block");
        else params.set("block", String(number));
        return params;
      },
      { replace: true, preventScrollReset: true },
    );
  return [selected, select] as const;
}

/** The blocks of a page. Those that a person has dismissed are no notices, and lie below the others. */
function withDismissals({ blocks, boxes }: PageDetails): PageBlock[] {
  const dismissed = new Set(boxes.filter(({ decision }) => decision === "dismissed").map(({ _id }) => _id));
  const isDismissed = ({ mark }: PageBlock) => mark !== null && dismissed.has(mark);
  return [
    ...blocks.filter(isDismissed).map((block) => ({ ...block, outcome: "not-a-notice" as const })),
    ...blocks.filter((block) => !isDismissed(block)),
  ];
}

function PageView({ details }: { details: PageDetails }) {
  const { t } = useTranslation();
  const { page, pictureUrl, boxes, previous, next } = details;
  const blocks = withDismissals(details);
  const name = usePageName(page);
  const navigate = useNavigate();
  const { user } = useAccount();
  const action = usePageAction(page._id);
  const [selected, select] = useSelection();
  const [hidden, setHidden] = useState<ReadonlySet<BlockOutcome>>(new Set(["too-little-text"]));
  const toggle = (outcome: BlockOutcome) => {
    const next = new Set(hidden);
    if (!next.delete(outcome)) next.add(outcome);
    setHidden(next);
  };
  const block = blocks.find(({ number }) => number === selected);
  const [drawn, setDrawn] = useState<Box | null>(null);
  const boxAction = useBoxAction(page._id);
  const readDrawn = () => {
    if (drawn && isReadable(drawn)) {
      boxAction.mutate({ kind: "notice", box: drawn }, { onSuccess: () => setDrawn(null) });
    }
  };
  const markOf = (id: string | null) => boxes.find(({ _id }) => _id === id);
  const unread = boxes.filter(({ _id }) => blocks.every(({ mark }) => mark !== _id));
  const shown = blocks.filter((one) => one === block || !hidden.has(one.outcome));
  return (
    <>
      <div className="mt-1 flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-72">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="text-lg wrap-anywhere">{issueOf(page) || t("operate.pages.unknownIssue")}</span>
            <PageStateBadge state={page.state} />
          </p>
          <div className="mt-1 text-[0.9375rem] text-ink-soft">
            <PageProgress page={page} />
            {page.readAt && <p>{t("operate.pages.readAt", { moment: formatMoment(page.readAt) })}</p>}
          </div>
        </div>
        <div className="flex flex-wrap gap-2">
          {previous && (
            <ButtonLink
              to={paths.operatePage(previous)}
              variant="outlined"
              size="small"
              aria-label={t("operate.pages.previous")}
            >
              <ArrowLeft size={17} aria-hidden />
            </ButtonLink>
          )}
          {next && (
            <ButtonLink
              to={paths.operatePage(next)}
              variant="outlined"
              size="small"
              aria-label={t("operate.pages.next")}
            >
              <ArrowRight size={17} aria-hidden />
            </ButtonLink>
          )}
          {page.hasFile && page.state !== "waiting" && (
            <Button
              variant="outlined"
              size="small"
              disabled={action.isPending}
              onClick={() => action.mutate("readAgain")}
            >
              <RotateCw size={16} aria-hidden />
              {t("operate.pages.readAgain")}
            </Button>
          )}
          {user?.role === "admin" && (
            <ButtonLink to={`${paths.operateNewBatch}?${fileBatch(page)}`} variant="outlined" size="small">
              {t("operate.pages.withdrawFile")}
            </ButtonLink>
          )}
          {page.state !== "read" && page.state !== "leased" && !pictureUrl && (
            <Button
              variant="danger"
              size="small"
              disabled={action.isPending}
              onClick={() => action.mutate("forget", { onSuccess: () => void navigate(paths.operatePages) })}
            >
              {t("operate.pages.forget")}
            </Button>
          )}
        </div>
      </div>
      {pictureUrl ? (
        <>
          <Legend blocks={blocks} hidden={hidden} onToggle={toggle} />
          {page.hasFile && (
            <div className="mt-4 flex flex-wrap items-center gap-3">
              {drawn ? (
                <>
                  <Button
                    size="small"
                    disabled={!isReadable(drawn) || boxAction.isPending}
                    onClick={readDrawn}
                  >
                    {t("operate.pages.readDrawn")}
                  </Button>
                  <Button variant="outlined" size="small" onClick={() => setDrawn(null)}>
                    {t("operate.users.cancel")}
                  </Button>
                  <p className="basis-80 text-[0.9375rem] text-ink-soft">{t("operate.pages.drawHelp")}</p>
                </>
              ) : (
                <Button variant="outlined" size="small" onClick={() => setDrawn(FIRST_BOX)}>
                  <SquareDashedMousePointer size={16} aria-hidden />
                  {t("operate.pages.draw")}
                </Button>
              )}
            </div>
          )}
          <div className="mt-4 grid gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
            <PagePicture url={pictureUrl} name={name} blocks={shown} selected={selected} onSelect={select}>
              {unread.map(({ _id, box: [x = 0, y = 0, width = 0, height = 0] }) => (
                <span
                  key={_id}
                  className="pointer-events-none absolute border-3 border-dashed border-[#0b5c63]"
                  style={{
                    left: `${x * 100}%`,
                    top: `${y * 100}%`,
                    width: `${width * 100}%`,
                    height: `${height * 100}%`,
                  }}
                />
              ))}
              {drawn && (
                <DrawArea
                  box={drawn}
                  onChange={setDrawn}
                  onConfirm={readDrawn}
                  onCancel={() => setDrawn(null)}
                />
              )}
            </PagePicture>
            <div className="grid content-start gap-6 lg:max-h-[90vh] lg:overflow-y-auto">
              {block && (
                <SelectedBlock
                  pageId={page._id}
                  block={block}
                  mark={markOf(block.mark)}
                  onClose={() => select(null)}
                />
              )}
              <WaitingBoxes pageId={page._id} marks={unread} />
              <NoticeList blocks={blocks} selected={selected} onSelect={select} />
            </div>
          </div>
        </>
      ) : (
        <div className="mt-6">
          <EmptyState
            icon={<RotateCw size={22} />}
            title={t("operate.pages.noPicture")}
            action={
              <Link to={paths.operatePages} className="text-accent underline">
                {t("operate.pages.back")}
              </Link>
            }
          >
            {t(page.state === "set-aside" ? "operate.pages.setAsideHelp" : "operate.pages.noPictureHelp")}
          </EmptyState>
        </div>
      )}
    </>
  );
}

function LoadedPage({ id }: { id: string }) {
  const { t } = useTranslation();
  const found = useQuery(newspaperPage(id));
  if (found.data) return <PageView details={found.data} />;
  if (found.isPending) return <LoadingScreen label={t("shell.loading")} />;
  const isMissing = found.error instanceof ApiError && [404, 422].includes(found.error.status);
  return (
    <div className="mt-6">
      <ErrorBanner
        title={isMissing ? t("operate.pages.missing") : messageOf(found.error, t("operate.failed"))}
        action={
          isMissing ? (
            <ButtonLink to={paths.operatePages} variant="outlined" size="small">
              {t("operate.pages.back")}
            </ButtonLink>
          ) : (
            <Button variant="outlined" size="small" onClick={() => void found.refetch()}>
              {t("shell.tryAgain")}
            </Button>
          )
        }
      />
    </div>
  );
}

/** The name of the page, once it is loaded. */
function usePageTitle(id: string): string {
  const { t } = useTranslation();
  const { data } = useQuery({ ...newspaperPage(id), enabled: false });
  if (!data) return t("operate.pages.page");
  const { fileName, number, pageCount } = data.page;
  return pageCount === 1
    ? fileName
    : t("operate.pages.pageOfFile", { file: fileName, number, pages: pageCount ?? "?" });
}

export function Component() {
  const { id = "" } = useParams();
  return (
    <OperatePage title={usePageTitle(id)} only={STAFF}>
      <LoadedPage key={id} id={id} />
    </OperatePage>
  );
}
