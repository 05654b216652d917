// The page that shows a newspaper page with the boxes of its blocks and what became of each.

import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, ArrowRight, PencilLine, RotateCw, SquareDashedMousePointer } from "lucide-react";
import { useState } from "react";
import { Link, useNavigate, useParams, useSearchParams } from "react-router";
import { ApiError, messageOf } from "@/api/error.ts";
import type { BlockOutcome, PageBlock, PageDetails } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { useAccount } from "@/shared/session/account.ts";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { EmptyState, ErrorBanner, LoadingScreen } from "@/ui/StatusMessages.tsx";
import { OperatePage, STAFF } from "../OperatePage.tsx";
import { newspaperPage, useBoxAction, usePageAction } from "./api.ts";
import { blocksOf, isNotice } from "./blocks.ts";
import { CorrectIssueDialog } from "./CorrectIssueDialog.tsx";
import { DrawArea } from "./DrawArea.tsx";
import { type Box, isReadable } from "./drawnBox.ts";
import { Legend } from "./Legend.tsx";
import { fileBatch, issueOf, usePageName } from "./names.ts";
import { OutcomeLabel } from "./OutcomeLabel.tsx";
import { PagePicture, useBlockName } from "./PagePicture.tsx";
import { PageProgress, PageStateBadge } from "./PageStateBadge.tsx";
import { SelectedBlock } from "./SelectedBlock.tsx";
import { WaitingBoxes } from "./WaitingBoxes.tsx";

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
  const notices = blocks.filter(isNotice);
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

/** The buttons with which an operator draws a missed notice. */
function DrawTools({
  isDrawing,
  canRead,
  onStart,
  onRead,
  onCancel,
}: {
  isDrawing: boolean;
  canRead: boolean;
  onStart: () => void;
  onRead: () => void;
  onCancel: () => void;
}) {
  const { t } = useTranslation();
  if (!isDrawing) {
    return (
      <Button variant="outlined" size="small" onClick={onStart}>
        <SquareDashedMousePointer size={16} aria-hidden />
        {t("operate.pages.draw")}
      </Button>
    );
  }
  return (
    <>
      <Button size="small" disabled={!canRead} onClick={onRead}>
        {t("operate.pages.readDrawn")}
      </Button>
      <Button variant="outlined" size="small" onClick={onCancel}>
        {t("operate.users.cancel")}
      </Button>
      <p className="flex-1 text-sm text-ink-soft md:basis-80">
        {t("operate.pages.drawHelp")}{" "}
        <span className="pointer-coarse:hidden">{t("operate.pages.drawKeys")}</span>
      </p>
    </>
  );
}

function PageView({ details }: { details: PageDetails }) {
  const { t } = useTranslation();
  const { page, pictureUrl, boxes, previous, next } = details;
  const blocks = blocksOf(details);
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
  const [isDrawing, setDrawing] = useState(false);
  const [drawn, setDrawn] = useState<Box | null>(null);
  const [isCorrecting, setCorrecting] = useState(false);
  const boxAction = useBoxAction(page._id);
  const startDrawing = () => {
    // On narrow screens, the panel would cover the picture.
    select(null);
    setDrawing(true);
  };
  const stopDrawing = () => {
    setDrawing(false);
    setDrawn(null);
  };
  const canRead = drawn !== null && isReadable(drawn) && !boxAction.isPending;
  const readDrawn = () => {
    if (canRead) boxAction.mutate({ kind: "notice", box: drawn }, { onSuccess: stopDrawing });
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
          {page.hasFile && (
            <Button variant="outlined" size="small" onClick={() => setCorrecting(true)}>
              <PencilLine size={16} aria-hidden />
              {t("operate.pages.correct")}
            </Button>
          )}
          {isCorrecting && <CorrectIssueDialog page={page} onClose={() => setCorrecting(false)} />}
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
          <div
            className={`mt-4 grid gap-6 lg:min-h-[32rem] lg:grid-cols-[minmax(0,1fr)_22rem] ${block ? "max-lg:pb-[45dvh]" : ""}`}
          >
            <PagePicture
              url={pictureUrl}
              name={name}
              blocks={shown}
              selected={selected}
              onSelect={select}
              tools={
                page.hasFile && (
                  <DrawTools
                    isDrawing={isDrawing}
                    canRead={canRead}
                    onStart={startDrawing}
                    onRead={readDrawn}
                    onCancel={stopDrawing}
                  />
                )
              }
            >
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
              {isDrawing && (
                <DrawArea box={drawn} onChange={setDrawn} onConfirm={readDrawn} onCancel={stopDrawing} />
              )}
            </PagePicture>
            {/* On wide screens, it is as high as the picture. */}
            <div className="flex flex-col gap-6 lg:h-0 lg:min-h-full">
              {block && (
                <SelectedBlock
                  page={page}
                  block={block}
                  mark={markOf(block.mark)}
                  onClose={() => select(null)}
                />
              )}
              <div className="grid content-start gap-6 lg:min-h-0 lg:flex-1 lg:overflow-y-auto">
                <WaitingBoxes pageId={page._id} marks={unread} />
                <NoticeList blocks={blocks} selected={selected} onSelect={select} />
              </div>
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
