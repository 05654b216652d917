// One of the supplier's own tenders, with its fields and actions.

import { CircleAlert, Eye, HandCoins } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import type { Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatClosing, formatDay, formatMoment } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { ClosedDays } from "@/shared/tender/ClosedDays.tsx";
import { CountdownBadge } from "@/shared/tender/CountdownBadge.tsx";
import { placeName } from "@/shared/tender/place.ts";
import { vocabularyName } from "@/shared/tender/vocabularyNames.ts";
import { type Action, ActionMenu } from "@/ui/ActionMenu.tsx";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { Dialog } from "@/ui/Dialog.tsx";
import { useChangeTenderStatus, useDeleteTender } from "./api.ts";
import { OwnTenderStatus } from "./OwnTenderStatus.tsx";
import { isLive, needOf, type OwnTenderNeed } from "./ownTenderNeeds.ts";

/** The actions that ask for confirmation, because they can't be undone. */
type ConfirmedAction = "delete" | "withdraw" | "closed" | "awarded" | "cancelled";

function ConfirmDialog({
  action,
  tender,
  onClose,
}: {
  action: ConfirmedAction | null;
  tender: Tender;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const changeStatus = useChangeTenderStatus();
  const remove = useDeleteTender();
  const current = action ?? "withdraw";
  const actionKeys = {
    delete: "delete",
    withdraw: "withdraw",
    closed: "close",
    awarded: "award",
    cancelled: "cancel",
  } as const;
  const confirm = () => {
    if (current === "delete" || current === "withdraw") {
      remove.mutate({ id: tender._id, isDraft: current === "delete" });
    } else {
      changeStatus.mutate({ id: tender._id, status: current });
    }
    onClose();
  };
  return (
    <Dialog
      open={action !== null}
      onClose={onClose}
      title={t(`publish.confirm.${current}.title`)}
      actions={
        <>
          <Button variant="outlined" onClick={onClose}>
            {t("publish.confirm.keep")}
          </Button>
          <Button onClick={confirm}>{t(`publish.action.${actionKeys[current]}`)}</Button>
        </>
      }
    >
      <p className="font-semibold text-ink">{tender.title}</p>
      <p className="mt-1">{t(`publish.confirm.${current}.text`)}</p>
    </Dialog>
  );
}

/** When bids for a live tender close. */
function Closing({ closing }: { closing: string }) {
  const { t } = useTranslation();
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 pr-2 text-[0.9375rem] font-semibold">
      {t("account.dashboard.closing", { date: formatClosing(closing) })}
      <CountdownBadge closing={closing} />
      <ClosedDays closing={closing} />
    </p>
  );
}

/** What waits for the publisher. The form answers all but the decision, which is in the menu. */
function Need({ need, id }: { need: OwnTenderNeed; id: string }) {
  const { t } = useTranslation();
  const text = t(`account.dashboard.needs.${need}`);
  return (
    <p className="mt-1 flex items-start gap-1.5 pr-2 text-[0.9375rem] font-medium text-soon">
      <CircleAlert size={16} aria-hidden className="mt-1 shrink-0" />
      {need === "decision" ? (
        <span>{text}</span>
      ) : (
        <Link to={paths.editTender(id)} className="underline underline-offset-2">
          {text}
        </Link>
      )}
    </p>
  );
}

/** How often the tender was opened, and how many suppliers intend to bid. */
function Interest({ statistics: { views, applications } }: Pick<Tender, "statistics">) {
  const { t } = useTranslation();
  return (
    <p className="mt-1 flex flex-wrap gap-x-4 pr-2 text-sm font-medium">
      {/* Who intends to bid may know the tender from a mail or a list. */}
      {(views > 0 || applications === 0) && (
        <span className="flex items-center gap-1.5">
          <Eye size={15} aria-hidden className="text-ink-soft" />
          {views === 0 ? t("account.dashboard.noViews") : t("account.dashboard.views", { count: views })}
        </span>
      )}
      <span className="flex items-center gap-1.5">
        <HandCoins size={15} aria-hidden className="text-ink-soft" />
        {applications === 0
          ? t("account.dashboard.noApplications")
          : t("account.dashboard.applications", { count: applications })}
      </span>
    </p>
  );
}

export function OwnTenderRow({ tender }: { tender: Tender }) {
  const { t } = useTranslation();
  const [action, setAction] = useState<ConfirmedAction | null>(null);
  const { published, closing } = tender.dates ?? {};
  const { status, moderation } = tender;
  const live = isLive(tender);
  const need = needOf(tender);
  // The page of a draft shows nothing more than the form, unless the draft waits for a check.
  const hasPage = status !== "draft" || moderation?.heldAt;
  const title = tender.title || t("account.dashboard.untitled");
  const facts = [
    tender.category && vocabularyName("category", tender.category, t),
    tender.referenceNo,
    tender.organization?.name,
    placeName(tender.location, t, true),
    status !== "draft" && published && t("account.dashboard.published", { date: formatDay(published) }),
    closing && !live && t("account.dashboard.closing", { date: formatMoment(closing) }),
  ].filter((fact): fact is string => typeof fact === "string" && fact !== "");
  const reason = moderation?.takedown
    ? t("tenders.moderation.takenDownText", {
        reason: moderation.takedown.reason,
        date: formatDay(moderation.takedown.at),
      })
    : moderation?.refusal && t("tenders.moderation.refusedText", { reason: moderation.refusal.reason });
  const openDialog = (next: ConfirmedAction) => () => setAction(next);
  const actions: Action[] =
    status === "draft"
      ? [{ label: t("publish.action.delete"), isDestructive: true, onChoose: openDialog("delete") }]
      : status === "published"
        ? [
            { label: t("publish.action.close"), onChoose: openDialog("closed") },
            { label: t("publish.action.award"), onChoose: openDialog("awarded") },
            { label: t("publish.action.cancel"), isDestructive: true, onChoose: openDialog("cancelled") },
            { label: t("publish.action.withdraw"), isDestructive: true, onChoose: openDialog("withdraw") },
          ]
        : [];
  return (
    <li className="rounded-xl border border-line bg-sheet py-3 pr-2 pl-4">
      <div className="flex items-start justify-between gap-2">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <h3
            className="min-w-0 break-words text-[1.0625rem] font-semibold"
            lang={tender.language ?? undefined}
          >
            {hasPage ? <Link to={paths.tender(tender._id)}>{title}</Link> : title}
          </h3>
          <OwnTenderStatus status={status} isExpired={tender.isExpired} moderation={moderation} />
        </div>
        <div className="flex shrink-0 items-center gap-1">
          {status !== "withdrawn" && (
            <ButtonLink
              to={paths.editTender(tender._id)}
              variant="plain"
              size="small"
              aria-label={t("account.dashboard.edit", { title })}
            >
              {t("publish.action.edit")}
            </ButtonLink>
          )}
          {actions.length > 0 && <ActionMenu label={t("publish.action.more", { title })} actions={actions} />}
        </div>
      </div>
      <p className="mt-1 pr-2 text-[0.9375rem] text-ink-soft">{facts.join(" · ")}</p>
      {live && closing && <Closing closing={closing} />}
      {need && <Need need={need} id={tender._id} />}
      {status !== "draft" && <Interest statistics={tender.statistics} />}
      {reason && <p className="mt-1 pr-2 text-[0.9375rem] break-words">{reason}</p>}
      <ConfirmDialog action={action} tender={{ ...tender, title }} onClose={() => setAction(null)} />
    </li>
  );
}
