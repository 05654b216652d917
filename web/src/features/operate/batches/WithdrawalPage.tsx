// The page that shows how far the withdrawal of a batch is. It can be undone here.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useParams } from "react-router";
import { ApiError, messageOf } from "@/api/error.ts";
import type { BatchWithdrawal } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { useNow } from "@/shared/clock.ts";
import { ConfirmDialog } from "@/shared/dialogs/ConfirmDialog.tsx";
import { formatMoment } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { SectionCard } from "@/ui/SectionCard.tsx";
import { ErrorBanner, LoadingScreen } from "@/ui/StatusMessages.tsx";
import { OperatePage } from "../OperatePage.tsx";
import { batchWithdrawal, isUnfinished, useUndoWithdrawal } from "./api.ts";
import { Numbers } from "./Numbers.tsx";
import { useBatchName } from "./names.ts";
import { WithdrawalStateBadge } from "./WithdrawalStateBadge.tsx";

/** The part of the notices that is done, in percent. */
function progressOf(withdrawal: BatchWithdrawal): number {
  const { state, notices, withdrawnNotices, skippedNotices, restoredNotices } = withdrawal;
  const [done, all] =
    state === "undoing"
      ? [restoredNotices, withdrawnNotices]
      : state === "withdrawing"
        ? [withdrawnNotices + skippedNotices, notices]
        : [1, 1];
  return all === 0 ? 100 : Math.floor((done / all) * 100);
}

function Progress({ withdrawal }: { withdrawal: BatchWithdrawal }) {
  const { t } = useTranslation();
  const percent = progressOf(withdrawal);
  return (
    <div className="mt-4">
      <div
        role="progressbar"
        aria-label={t("operate.batches.progress")}
        aria-valuenow={percent}
        className="h-2 overflow-hidden rounded-full bg-well"
      >
        <div className="h-full bg-accent" style={{ width: `${percent}%` }} />
      </div>
      <p className="mt-2 text-[0.9375rem] text-ink-soft">{t("operate.batches.mayLeave")}</p>
    </div>
  );
}

function UndoDialog({ withdrawal, onClose }: { withdrawal: BatchWithdrawal; onClose: () => void }) {
  const { t } = useTranslation();
  const undo = useUndoWithdrawal(withdrawal._id);
  return (
    <ConfirmDialog
      title={t("operate.batches.undoTitle")}
      onClose={onClose}
      confirm={
        <Button
          disabled={undo.isPending}
          onClick={() => undo.mutate(undefined, { onSuccess: onClose, onError: onClose })}
        >
          {t("operate.batches.undoConfirm")}
        </Button>
      }
    >
      {t("operate.batches.undoHelp", { count: withdrawal.withdrawnNotices })}
    </ConfirmDialog>
  );
}

function WithdrawalView({ withdrawal }: { withdrawal: BatchWithdrawal }) {
  const { t } = useTranslation();
  const now = useNow();
  const [isUndoing, setUndoing] = useState(false);
  const { state, reason, startedAt, startedBy, undoUntil, undoneAt, undoneBy } = withdrawal;
  const people = [
    t("operate.batches.startedAt", { moment: formatMoment(startedAt) }),
    startedBy && t("operate.batches.by", { name: startedBy }),
    undoneAt && t("operate.batches.undoneAt", { moment: formatMoment(undoneAt) }),
    undoneBy && t("operate.batches.by", { name: undoneBy }),
  ];
  const canUndo = undoUntil !== null && Date.parse(undoUntil) > now;
  return (
    <div className="mt-3 grid gap-6">
      <div>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span role="status">
            <WithdrawalStateBadge state={state} />
          </span>
          <span className="text-[0.9375rem] wrap-anywhere text-ink-soft">
            {people.filter(Boolean).join(" · ")}
          </span>
        </p>
        <p className="mt-2 wrap-anywhere">{t("operate.batches.because", { reason })}</p>
        {isUnfinished(withdrawal) && <Progress withdrawal={withdrawal} />}
      </div>
      <SectionCard title={t("operate.batches.result")}>
        <Numbers
          numbers={[
            [t("operate.batches.ofBatch"), withdrawal.notices],
            [t("operate.batches.rejected"), withdrawal.withdrawnNotices],
            [t("operate.batches.withdrawn"), withdrawal.withdrawnTenders],
            [t("operate.batches.kept"), withdrawal.keptTenders],
            [t("operate.batches.mailed"), withdrawal.mailed],
            ...(undoneAt
              ? ([
                  [t("operate.batches.restored"), withdrawal.restoredNotices],
                  [t("operate.batches.published"), withdrawal.restoredTenders],
                  [t("operate.batches.mailedUndo"), withdrawal.mailedUndo],
                ] as const)
              : []),
            ...(withdrawal.skippedNotices > 0
              ? ([[t("operate.batches.skipped"), withdrawal.skippedNotices]] as const)
              : []),
          ]}
        />
        {undoUntil && (
          <div className="mt-6 flex flex-wrap items-center gap-4">
            <Button variant="outlined" disabled={!canUndo} onClick={() => setUndoing(true)}>
              {t("operate.batches.undo")}
            </Button>
            <span className="text-[0.9375rem] text-ink-soft">
              {t("operate.batches.undoUntil", { moment: formatMoment(undoUntil) })}
            </span>
          </div>
        )}
      </SectionCard>
      {isUndoing && <UndoDialog withdrawal={withdrawal} onClose={() => setUndoing(false)} />}
    </div>
  );
}

function LoadedWithdrawal({ id }: { id: string }) {
  const { t } = useTranslation();
  const found = useQuery(batchWithdrawal(id));
  if (found.data) return <WithdrawalView withdrawal={found.data} />;
  if (found.isPending) return <LoadingScreen label={t("shell.loading")} />;
  const isMissing = found.error instanceof ApiError && [404, 422].includes(found.error.status);
  return (
    <div className="mt-6">
      <ErrorBanner
        title={isMissing ? t("operate.batches.missing") : messageOf(found.error, t("operate.failed"))}
        action={
          <ButtonLink to={paths.operateBatches} variant="outlined" size="small">
            {t("operate.batches.back")}
          </ButtonLink>
        }
      />
    </div>
  );
}

export function Component() {
  const { t } = useTranslation();
  const { id = "" } = useParams();
  const nameOf = useBatchName();
  const { data } = useQuery({ ...batchWithdrawal(id), enabled: false });
  return (
    <OperatePage
      title={
        data ? t("operate.batches.withdrawalOf", { batch: nameOf(data) }) : t("operate.batches.withdrawal")
      }
    >
      <LoadedWithdrawal key={id} id={id} />
    </OperatePage>
  );
}
