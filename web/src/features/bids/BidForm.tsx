// The forms for the stage, the owner and the value of a bid.

import { type FormEvent, useId, useState } from "react";
import { parseEnum } from "@/api/enums.ts";
import type { BidDetails } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { isInWork } from "@/shared/bids.ts";
import { groupDigits } from "@/shared/format/groupDigits.ts";
import { Button } from "@/ui/Button.tsx";
import { SelectField, TextField } from "@/ui/Field.tsx";
import { SectionCard } from "@/ui/SectionCard.tsx";
import { readAmount } from "./amount.ts";
import { useBidAction } from "./api.ts";
import { STAGES } from "./board.ts";

function ValueForm({ details }: { details: BidDetails }) {
  const { t } = useTranslation();
  const messageId = useId();
  const { bid } = details;
  const [text, setText] = useState(bid.value === null ? "" : groupDigits(String(bid.value)));
  const action = useBidAction(bid._id);
  const value = readAmount(text);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (value === undefined) return;
    const { version, owner } = bid;
    action.mutate({ kind: "change", version, ownerId: owner?._id ?? null, value });
  };
  return (
    <form noValidate onSubmit={submit} className="grid gap-2">
      <TextField
        label={t("bids.value")}
        help={t(isInWork(bid.stage) ? "bids.valueHelp" : "bids.valueSubmittedHelp")}
        value={text}
        inputMode="decimal"
        autoComplete="off"
        maxLength={30}
        error={value === undefined ? t("bids.notAnAmount") : undefined}
        messageId={messageId}
        onChange={(event) => setText(event.target.value)}
      />
      {value !== undefined && value !== bid.value && (
        <Button type="submit" size="small" className="justify-self-start" disabled={action.isPending}>
          {t("bids.saveValue")}
        </Button>
      )}
    </form>
  );
}

/** Chooses the stage of a bid. */
export function StageSelect({ details: { bid } }: { details: BidDetails }) {
  const { t } = useTranslation();
  const action = useBidAction(bid._id);
  const chooseStage = (text: string) => {
    const stage = parseEnum(STAGES, text);
    if (stage) action.mutate({ kind: "place", version: bid.version, stage, before: null });
  };
  return (
    <label className="inline-flex items-center gap-2 text-[0.9375rem] text-ink-soft">
      {t("bids.stageLabel")}
      <select
        value={bid.stage}
        disabled={action.isPending}
        onChange={(event) => chooseStage(event.target.value)}
        className="min-h-11 rounded-lg border border-edge bg-sheet px-2.5 font-semibold text-ink md:min-h-9"
      >
        {STAGES.map((stage) => (
          <option key={stage} value={stage}>
            {t(`bids.stage.${stage}`)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The owner and the value of a bid. */
export function BidForm({ details, anchor }: { details: BidDetails; anchor: string }) {
  const { t } = useTranslation();
  const { bid, people } = details;
  const action = useBidAction(bid._id);
  const chooseOwner = (id: string) => {
    const ownerId = id === "" ? null : id;
    action.mutate({ kind: "change", version: bid.version, ownerId, value: bid.value });
  };
  return (
    <SectionCard title={t("bids.state")} anchor={anchor}>
      <div className="grid gap-5">
        <SelectField
          label={t("bids.owner")}
          value={bid.owner?._id ?? ""}
          disabled={action.isPending}
          onChange={(event) => chooseOwner(event.target.value)}
        >
          <option value="">{t("bids.nobody")}</option>
          {people.map(({ _id, name }) => (
            <option key={_id} value={_id}>
              {name}
            </option>
          ))}
        </SelectField>
        <ValueForm key={`${bid.value}`} details={details} />
      </div>
    </SectionCard>
  );
}
