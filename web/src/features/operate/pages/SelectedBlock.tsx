// The panel about the selected block: what became of it, and what an operator can do. On narrow
// screens, it stays at the bottom.

import { X } from "lucide-react";
import type { NewspaperPage, PageBlock, PageMark } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { paths } from "@/shared/paths.ts";
import { Badge } from "@/ui/Badge.tsx";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { doubtsInWords } from "../fieldNames.ts";
import { useBoxAction } from "./api.ts";
import { type BlockDecision, decisionFor, isNotice, standingOf } from "./blocks.ts";
import { OutcomeLabel } from "./OutcomeLabel.tsx";
import { MarkLine } from "./WaitingBoxes.tsx";

/** The links to the notice of a block, and the button that decides about its box. */
function BlockActions({
  page,
  block,
  decision,
}: {
  page: NewspaperPage;
  block: PageBlock;
  decision: BlockDecision | null;
}) {
  const { t } = useTranslation();
  const action = useBoxAction(page._id);
  return (
    <div className="mt-3 flex flex-wrap gap-2 empty:hidden">
      {block.reviewReason && block.noticeKey && (
        <ButtonLink to={paths.operateReviewOf(block.noticeKey)} size="small">
          {t("operate.pages.openReview")}
        </ButtonLink>
      )}
      {block.tenderId && (
        <ButtonLink to={paths.tender(block.tenderId)} size="small">
          {t("operate.pages.openTender")}
        </ButtonLink>
      )}
      {decision && (
        <Button
          variant="outlined"
          size="small"
          disabled={action.isPending}
          onClick={() => action.mutate({ kind: decision, box: block.box })}
        >
          {t(decision === "notice" ? "operate.pages.isNotice" : "operate.pages.dismiss")}
        </Button>
      )}
    </div>
  );
}

export function SelectedBlock({
  page,
  block,
  mark,
  onClose,
}: {
  page: NewspaperPage;
  block: PageBlock;
  mark: PageMark | undefined;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const standing = standingOf(block, mark, page);
  return (
    <section
      aria-label={t("operate.pages.selected", { number: block.number })}
      className="shrink-0 overflow-y-auto rounded-xl border border-edge bg-sheet p-4 max-lg:fixed max-lg:inset-x-3 max-lg:bottom-3 max-lg:z-10 max-lg:max-h-[45dvh] max-lg:shadow-sheet lg:sticky lg:top-[calc(var(--header)+0.5rem)] lg:max-h-[50dvh]"
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
          {block.reason && standing !== "dismissed" && (
            <p className="mt-1 text-[0.9375rem] wrap-anywhere text-ink-soft">
              {isNotice(block)
                ? t("operate.pages.doubts", { reason: doubtsInWords(block.reason, t) })
                : t("operate.pages.reason", { reason: block.reason })}
            </p>
          )}
          <p className="mt-1 text-[0.9375rem] text-ink-soft">{t(`operate.pages.standing.${standing}`)}</p>
          {block.reviewReason && (
            <p className="mt-1 text-[0.9375rem] text-ink-soft">
              {t("operate.pages.inReview", { reason: t(`operate.review.reason.${block.reviewReason}`) })}
            </p>
          )}
          {mark && <MarkLine pageId={page._id} mark={mark} />}
          <BlockActions page={page} block={block} decision={decisionFor(block, mark, page)} />
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
