// The notes on a bid, the last one first, and a form for another one.

import { Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { BidDetails } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { Button } from "@/ui/Button.tsx";
import { TextArea } from "@/ui/Field.tsx";
import { useBidAction } from "./api.ts";
import { FoldedSection } from "./FoldedSection.tsx";

function NoteForm({ bidId }: { bidId: string }) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const action = useBidAction(bidId);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === "") return;
    action.mutate({ kind: "addNote", text }, { onSuccess: () => setText("") });
  };
  return (
    <form noValidate onSubmit={submit} className="grid gap-3">
      <TextArea
        label={t("bids.note.text")}
        rows={3}
        maxLength={4000}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button
        type="submit"
        variant="outlined"
        size="small"
        className="justify-self-start"
        disabled={action.isPending || text.trim() === ""}
      >
        {t("bids.note.add")}
      </Button>
    </form>
  );
}

export function Notes({ details, anchor }: { details: BidDetails; anchor: string }) {
  const { t } = useTranslation();
  const { bid, notes } = details;
  const action = useBidAction(bid._id);
  return (
    <FoldedSection title={t("bids.note.heading")} summary={String(notes.length)} anchor={anchor}>
      <NoteForm bidId={bid._id} />
      {notes.length > 0 && (
        <ul className="mt-5 divide-y divide-line border-t border-line">
          {notes.map(({ _id, author, text, createdAt, isDeletable }) => {
            const name = author?.name ?? t("bids.deletedUser");
            const moment = formatMoment(createdAt);
            return (
              <li key={_id} className="py-3">
                <div className="flex items-start justify-between gap-2">
                  <p className="pt-1 text-sm text-ink-soft wrap-anywhere">{`${name} · ${moment}`}</p>
                  {isDeletable && (
                    <button
                      type="button"
                      aria-label={t("bids.note.delete", { name, moment })}
                      disabled={action.isPending}
                      onClick={() => action.mutate({ kind: "deleteNote", note: _id })}
                      className="grid size-11 shrink-0 place-items-center rounded-lg text-ink-soft hover:bg-well hover:text-urgent md:size-9"
                    >
                      <Trash2 size={16} aria-hidden />
                    </button>
                  )}
                </div>
                <p className="max-w-[70ch] whitespace-pre-line wrap-anywhere">{text}</p>
              </li>
            );
          })}
        </ul>
      )}
    </FoldedSection>
  );
}
