// When and how the user is reminded of the deadlines of a bid, or of all bids.

import { useState } from "react";
import type { BidDetails, ReminderForm } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import type { Translate } from "@/i18n/translate.ts";
import { Button } from "@/ui/Button.tsx";
import { CheckGroup } from "@/ui/CheckGroup.tsx";
import { useBidAction } from "./api.ts";
import { FoldedSection } from "./FoldedSection.tsx";

/** The hours before a deadline that the page offers. */
const TIMES = [336, 168, 72, 48, 24, 3] as const;
/** What the page proposes to a user who has chosen nothing yet. */
const PROPOSAL: ReminderForm = { channels: ["email"], saleEnds: [48], preBid: [24], closing: [168, 48, 3] };
const DEADLINES = ["closing", "saleEnds", "preBid"] as const;

type Channel = "email" | "sms" | "whatsapp" | "webhook";

/** A time before a deadline in words. */
function timeText(hours: number, t: Translate): string {
  return hours % 24 === 0
    ? t("bids.reminders.days", { count: hours / 24 })
    : t("bids.reminders.hours", { count: hours });
}

/** The times of a deadline in one line; empty if there are none. */
function timesText(hours: readonly number[], t: Translate): string {
  return [...hours]
    .sort((a, b) => b - a)
    .map((one) => timeText(one, t))
    .join(", ");
}

/** The deadlines of which a setting reminds. */
function remindedOf(setting: ReminderForm) {
  if (setting.channels.length === 0) return [];
  return DEADLINES.filter((deadline) => setting[deadline].length > 0);
}

/** The times before the first deadline of which the user is reminded; most often the closing. */
function summaryText(setting: ReminderForm, t: Translate): string {
  const [first] = remindedOf(setting);
  return first ? timesText(setting[first], t) : t("bids.reminders.none");
}

function Summary({ setting }: { setting: ReminderForm }) {
  const { t } = useTranslation();
  const chosen = remindedOf(setting);
  if (chosen.length === 0) {
    return <p className="text-ink-soft">{t("bids.reminders.none")}</p>;
  }
  return (
    <dl className="grid gap-2 text-[0.9375rem]">
      {chosen.map((deadline) => (
        <div key={deadline}>
          <dt className="text-sm text-ink-soft">{t(`bids.reminders.before.${deadline}`)}</dt>
          <dd>{timesText(setting[deadline], t)}</dd>
        </div>
      ))}
      <div>
        <dt className="text-sm text-ink-soft">{t("bids.reminders.channels")}</dt>
        <dd>
          {setting.channels.map((channel) => t(`bids.reminders.channel.${channel as Channel}`)).join(", ")}
        </dd>
      </div>
    </dl>
  );
}

function Form({ details, close }: { details: BidDetails; close: () => void }) {
  const { t } = useTranslation();
  const { bid, reminders } = details;
  const known = reminders.own ?? reminders.all;
  const isEmpty = reminders.own === null && reminders.all.channels.length === 0;
  const [setting, setSetting] = useState<ReminderForm>(isEmpty ? PROPOSAL : known);
  const action = useBidAction(bid._id);
  const save = (forAll: boolean) => action.mutate({ kind: "remind", forAll, setting }, { onSuccess: close });
  return (
    <div className="grid gap-5">
      <div className="rounded-lg bg-well px-3.5 py-3">
        <p className="text-sm font-semibold">{t("bids.reminders.stored")}</p>
        <Summary setting={known} />
        {isEmpty && <p className="mt-1 text-sm text-ink-soft">{t("bids.reminders.proposal")}</p>}
      </div>
      {DEADLINES.map((deadline) => {
        const times = [...new Set([...TIMES, ...setting[deadline]])].sort((a, b) => b - a).map(String);
        return (
          <CheckGroup
            key={deadline}
            label={t(`bids.reminders.before.${deadline}`)}
            values={times}
            name={(hours) => timeText(Number(hours), t)}
            chosen={setting[deadline].map(String)}
            onChange={(chosen) => setSetting({ ...setting, [deadline]: chosen.map(Number) })}
          />
        );
      })}
      <CheckGroup
        label={t("bids.reminders.channels")}
        values={reminders.channels}
        name={(channel) => t(`bids.reminders.channel.${channel as Channel}`)}
        chosen={setting.channels}
        onChange={(channels) => setSetting({ ...setting, channels })}
      />
      <div className="flex flex-wrap gap-3">
        <Button size="small" disabled={action.isPending} onClick={() => save(false)}>
          {t("bids.reminders.forThis")}
        </Button>
        <Button variant="outlined" size="small" disabled={action.isPending} onClick={() => save(true)}>
          {t("bids.reminders.forAll")}
        </Button>
        <Button variant="plain" size="small" onClick={close}>
          {t("bids.task.cancel")}
        </Button>
      </div>
    </div>
  );
}

export function Reminders({ details, anchor }: { details: BidDetails; anchor: string }) {
  const { t } = useTranslation();
  const { bid, reminders } = details;
  const [isOpen, setOpen] = useState(false);
  const action = useBidAction(bid._id);
  return (
    <FoldedSection
      title={t("bids.reminders.heading")}
      summary={summaryText(reminders.own ?? reminders.all, t)}
      anchor={anchor}
    >
      {isOpen ? (
        <Form details={details} close={() => setOpen(false)} />
      ) : (
        <div className="grid gap-4">
          <Summary setting={reminders.own ?? reminders.all} />
          <p className="text-sm text-ink-soft">
            {t(reminders.own ? "bids.reminders.own" : "bids.reminders.all")} {t("bids.reminders.help")}
          </p>
          <div className="flex flex-wrap gap-3">
            <Button variant="outlined" size="small" onClick={() => setOpen(true)}>
              {t("bids.reminders.change")}
            </Button>
            {reminders.own && (
              <Button
                variant="plain"
                size="small"
                disabled={action.isPending}
                onClick={() => action.mutate({ kind: "resetReminders" })}
              >
                {t("bids.reminders.reset")}
              </Button>
            )}
          </div>
        </div>
      )}
    </FoldedSection>
  );
}
