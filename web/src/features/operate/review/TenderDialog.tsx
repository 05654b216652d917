// Chooses the tender that a notice belongs to: one with the same reference, one of the candidates, or one
// that a search finds.

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useState } from "react";
import type { LockedTender, ReviewNotice, Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { Button } from "@/ui/Button.tsx";
import { Dialog } from "@/ui/Dialog.tsx";
import { TextField } from "@/ui/Field.tsx";
import { tenderSearch } from "./api.ts";
import { distinctChoices, referenceOf, withReference } from "./tenderChoices.ts";

interface Choice {
  id: string;
  title: string;
  detail: string;
}

interface TenderDialogProps {
  title: string;
  review: ReviewNotice;
  /** The text with which the search begins. */
  search: string;
  /** The reference number of the notice. Tenders that have it come first. */
  reference: string;
  onChoose: (tender: string) => void;
  onClose: () => void;
}

const choiceOf = (tender: Tender | LockedTender): Choice => ({
  id: tender._id ?? "",
  title: tender.title,
  detail: [
    tender.organization?.name,
    referenceOf(tender),
    tender.dates?.closing && formatMoment(tender.dates.closing),
  ]
    .filter(Boolean)
    .join(" · "),
});

export function TenderDialog({ title, review, search, reference, onChoose, onClose }: TenderDialogProps) {
  const { t } = useTranslation();
  const [begun] = useState(review.candidates.length > 0 ? "" : search);
  const [text, setText] = useState(begun);
  const wanted = useDeferredValue(text.trim());
  const isTyped = wanted !== begun.trim();
  const found = useQuery({ ...tenderSearch(wanted), placeholderData: keepPreviousData });
  const twins = useQuery(tenderSearch(reference.trim() && `"${reference.replaceAll('"', " ").trim()}"`));
  // While a search is under way, Enter must not choose what an earlier one has found.
  const isSearching = text.trim() !== wanted || found.isFetching || (!isTyped && twins.isLoading);
  const candidates: Choice[] =
    wanted.length > 1
      ? (found.data?.tenders ?? []).map(choiceOf)
      : review.candidates.map(({ tender, title, likeness }) => ({
          id: tender,
          title,
          detail: t("operate.review.alike", { percent: Math.round(likeness * 100) }),
        }));
  const withSameReference = isTyped ? [] : withReference(twins.data?.tenders ?? [], reference).map(choiceOf);
  const choices = distinctChoices([...withSameReference, ...candidates], review.tender);
  // Enter during a search chooses the first tender when the search ends.
  const [choosesFirst, setChoosesFirst] = useState(false);
  const first = choices[0]?.id;
  useEffect(() => {
    if (!choosesFirst || isSearching) return;
    setChoosesFirst(false);
    if (first) onChoose(first);
  }, [choosesFirst, isSearching, first, onChoose]);
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={title}
      actions={
        <Button variant="outlined" onClick={onClose}>
          {t("operate.review.cancel")}
        </Button>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setChoosesFirst(true);
        }}
        onKeyDown={(event) => {
          const digit = event.altKey ? /^Digit([1-9])$/.exec(event.code)?.[1] : undefined;
          const choice = digit && choices[Number(digit) - 1];
          if (!choice) return;
          event.preventDefault();
          onChoose(choice.id);
        }}
      >
        <TextField
          type="search"
          label={t("operate.review.searchTender")}
          help={t("operate.review.searchTenderHelp")}
          value={text}
          autoFocus
          onChange={(event) => {
            setText(event.target.value);
            setChoosesFirst(false);
          }}
        />
      </form>
      <ol className="mt-3 grid gap-1.5" aria-label={t("operate.review.foundTenders")}>
        {choices.map(({ id, title, detail }, position) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => onChoose(id)}
              className="flex w-full items-start gap-3 rounded-lg border border-line px-3 py-2 text-left text-ink hover:border-accent"
            >
              <kbd className="mt-0.5 rounded bg-well px-1.5 font-sans text-xs text-ink-soft">
                {position + 1}
              </kbd>
              <span className="min-w-0">
                <span className="line-clamp-2 font-medium">{title}</span>
                <span className="block text-sm text-ink-soft">{detail}</span>
              </span>
            </button>
          </li>
        ))}
      </ol>
      {wanted.length > 1 && !isSearching && choices.length === 0 && (
        <p className="mt-3">{t("operate.review.noTenderFound")}</p>
      )}
    </Dialog>
  );
}
