// The checklist of a bid: what must be ready before the closing, where each row comes from, and who ticked it.

import { Printer, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { BidChecklistRow, BidDetails } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { Checkbox, TextField } from "@/ui/Field.tsx";
import { SectionCard } from "@/ui/SectionCard.tsx";
import { useBidAction } from "./api.ts";
import { rowText } from "./checklistText.ts";

/** Says what a row rests on. */
function Basis({ row }: { row: NonNullable<BidChecklistRow["derived"]> }) {
  const { t } = useTranslation();
  const { basis, printed, isDoubtful } = row;
  if (printed) {
    return (
      <>
        <p className="wrap-anywhere">{t("bids.checklist.printed", { text: printed })}</p>
        {isDoubtful && <p className="text-soon">{t("bids.deadline.doubtful")}</p>}
      </>
    );
  }
  return <p>{t(`bids.checklist.basis.${basis}`)}</p>;
}

function Row({ bidId, row }: { bidId: string; row: BidChecklistRow }) {
  const { t } = useTranslation();
  const action = useBidAction(bidId);
  const { key, fingerprint, derived, own, tick, outdatedTick } = row;
  const { title, facts } = rowText(row, t);
  const person = (by: { name: string } | null) => by?.name ?? t("bids.deletedUser");
  return (
    <li className="flex items-start gap-2 py-1.5">
      <div className="min-w-0 flex-1">
        <Checkbox
          label={<span className={`wrap-anywhere ${tick ? "text-ink-soft" : "font-medium"}`}>{title}</span>}
          checked={tick !== null}
          disabled={action.isPending}
          onChange={(event) =>
            action.mutate({ kind: "tickRow", key, fingerprint, isDone: event.target.checked })
          }
        />
        <div className="-mt-1 grid gap-0.5 pl-8 text-sm text-ink-soft">
          {outdatedTick && (
            <p className="font-medium text-soon">
              {t("bids.checklist.changed", {
                name: person(outdatedTick.by),
                moment: formatMoment(outdatedTick.at),
              })}
            </p>
          )}
          {facts.map((fact) => (
            <p key={fact} className="text-ink wrap-anywhere">
              {fact}
            </p>
          ))}
          {derived && <Basis row={derived} />}
          {tick && (
            <p>{t("bids.checklist.ticked", { name: person(tick.by), moment: formatMoment(tick.at) })}</p>
          )}
        </div>
      </div>
      {own && (
        <button
          type="button"
          aria-label={t("bids.checklist.delete", { title })}
          disabled={action.isPending}
          onClick={() => action.mutate({ kind: "deleteRow", row: own._id })}
          className="grid size-11 shrink-0 place-items-center rounded-lg text-ink-soft hover:bg-well hover:text-urgent md:size-9"
        >
          <Trash2 size={16} aria-hidden />
        </button>
      )}
    </li>
  );
}

function RowForm({ bidId }: { bidId: string }) {
  const { t } = useTranslation();
  const [title, setTitle] = useState("");
  const action = useBidAction(bidId);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (title.trim() === "") return;
    action.mutate({ kind: "addRow", title: title.trim() }, { onSuccess: () => setTitle("") });
  };
  return (
    <form noValidate onSubmit={submit} className="mt-3 grid gap-4 border-t border-line pt-4">
      <TextField
        label={t("bids.checklist.newRow")}
        value={title}
        maxLength={200}
        autoComplete="off"
        onChange={(event) => setTitle(event.target.value)}
      />
      <Button
        type="submit"
        variant="outlined"
        size="small"
        className="justify-self-start"
        disabled={action.isPending || title.trim() === ""}
      >
        {t("bids.checklist.add")}
      </Button>
    </form>
  );
}

export function Checklist({ details }: { details: BidDetails }) {
  const { t } = useTranslation();
  const { bid, checklist } = details;
  const rows = checklist ?? [];
  const done = rows.filter(({ tick }) => tick !== null).length;
  return (
    <SectionCard title={t("bids.checklist.heading")}>
      {checklist === null ? (
        <p className="text-ink-soft">{t("bids.checklist.locked")}</p>
      ) : (
        <>
          <div className="-mt-3 mb-3 flex flex-wrap items-center justify-between gap-3">
            <p className="text-ink-soft">{t("bids.checklist.done", { done, all: rows.length })}</p>
            <ButtonLink to={paths.bidCover(bid._id)} variant="outlined" size="small">
              <Printer size={16} aria-hidden />
              {t("bids.cover.open")}
            </ButtonLink>
          </div>
          <ul className="divide-y divide-line">
            {rows.map((row) => (
              <Row key={row.key} bidId={bid._id} row={row} />
            ))}
          </ul>
          <RowForm bidId={bid._id} />
        </>
      )}
    </SectionCard>
  );
}
