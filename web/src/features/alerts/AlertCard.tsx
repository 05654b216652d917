// One alert in the list, with its keywords, frequency, matches and actions.

import { useQuery } from "@tanstack/react-query";
import { BellOff, ChevronDown, Clock, Landmark, MailWarning, Users } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "@/i18n/i18n.ts";
import { wordsAround } from "@/shared/alerts/insideWords.ts";
import { useNow } from "@/shared/clock.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { ActionMenu } from "@/ui/ActionMenu.tsx";
import { Badge } from "@/ui/Badge.tsx";
import { Button } from "@/ui/Button.tsx";
import { Dialog } from "@/ui/Dialog.tsx";
import { Switch } from "@/ui/Switch.tsx";
import { AlertFilterLine } from "./AlertSummary.tsx";
import {
  type Alert,
  type AlertQuery,
  alertMatches,
  type FoundTender,
  useDeleteAlert,
  useMarkIrrelevant,
  useSendTestEmail,
  useTestAlert,
  useToggleAlert,
} from "./api.ts";
import { InsideWords } from "./InsideWords.tsx";
import { MatchedTender } from "./MatchedTender.tsx";
import { nextMail } from "./nextMail.ts";
import { SilentAlert } from "./SilentAlert.tsx";

const MAX_SHOWN_KEYWORDS = 5;

function Keywords({ alert }: { alert: Alert }) {
  const { t } = useTranslation();
  const keywords = alert.keywords ?? [];
  const bodies = alert.bodies ?? [];
  const hidden = [keywords, bodies].map(({ length }) => Math.max(length - MAX_SHOWN_KEYWORDS, 0));
  const more = hidden.reduce((sum, count) => sum + count, 0);
  return (
    <ul className="mt-2 flex flex-wrap gap-1.5">
      {keywords.slice(0, MAX_SHOWN_KEYWORDS).map(({ term, matchType }) => (
        <li key={`${matchType} ${term}`} className="min-w-0">
          <Badge tone="quiet" wraps>
            {term}
            {matchType !== "contains" && (
              <span className="font-normal"> · {t(`alerts.matchType.${matchType ?? "contains"}`)}</span>
            )}
          </Badge>
        </li>
      ))}
      {bodies.slice(0, MAX_SHOWN_KEYWORDS).map((body) => (
        <li key={`body ${body}`} className="min-w-0">
          <Badge tone="quiet" icon={Landmark} wraps>
            {body}
          </Badge>
        </li>
      ))}
      {alert.titleAndScopeOnly && (
        <li className="text-sm text-ink-soft">{t("alerts.card.titleAndScopeOnly")}</li>
      )}
      {more > 0 && <li className="text-sm text-ink-soft">{t("alerts.card.more", { count: more })}</li>}
    </ul>
  );
}

/** Offers to match only the starts of words for each keyword that was found inside longer ones. */
function InsideWordsOffers({
  alert,
  matches,
  onEdit,
}: Pick<AlertCardProps, "alert" | "onEdit"> & { matches: readonly FoundTender[] }) {
  const keywords = alert.keywords ?? [];
  const found = keywords
    .map((keyword) => ({ keyword, words: wordsAround(keyword, matches) }))
    .filter(({ words }) => words.length > 0);
  return found.map(({ keyword, words }) => (
    <InsideWords
      key={`${keyword.matchType} ${keyword.term}`}
      term={keyword.term ?? ""}
      words={words}
      onNarrow={() =>
        onEdit({
          ...alert,
          keywords: keywords.map((one) => (one === keyword ? { ...one, matchType: "starts_with" } : one)),
        })
      }
    />
  ));
}

function Matches({ alert, onEdit }: Pick<AlertCardProps, "alert" | "onEdit">) {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const { data } = useQuery(alertMatches(alert._id, page));
  const mark = useMarkIrrelevant(alert._id);
  if (!data)
    return <div role="status" aria-label={t("alerts.card.loadingMatches")} className="skeleton h-24" />;
  if (data.matches.length === 0) return <p className="text-ink-soft">{t("alerts.card.noMatches")}</p>;
  return (
    <>
      <InsideWordsOffers alert={alert} matches={data.matches} onEdit={onEdit} />
      <ul className="mt-2 grid gap-2">
        {data.matches.map((match) => (
          <li
            key={match._id}
            className={`flex flex-wrap items-start justify-between gap-x-4 gap-y-1 ${match.isIrrelevant ? "text-ink-soft line-through" : ""}`}
          >
            <div className="min-w-48 flex-1">
              <MatchedTender match={match} />
            </div>
            <Button
              variant="plain"
              size="small"
              aria-pressed={match.isIrrelevant}
              disabled={mark.isPending}
              onClick={() => mark.mutate({ tender: match._id, isIrrelevant: !match.isIrrelevant })}
            >
              {t(match.isIrrelevant ? "alerts.card.relevant" : "alerts.card.irrelevant")}
            </Button>
          </li>
        ))}
      </ul>
      {data.pagination.total > 1 && (
        <div className="mt-2 flex gap-2">
          <Button
            variant="plain"
            size="small"
            disabled={!data.pagination.hasPrev}
            onClick={() => setPage(page - 1)}
          >
            {t("tenders.pagination.previous")}
          </Button>
          <Button
            variant="plain"
            size="small"
            disabled={!data.pagination.hasNext}
            onClick={() => setPage(page + 1)}
          >
            {t("tenders.pagination.next")}
          </Button>
        </div>
      )}
    </>
  );
}

interface AlertCardProps {
  alert: Alert;
  /** Whether the user followed a link to this alert. Its matches are then shown at once. */
  isRequested: boolean;
  /** Opens the form, with a proposed query if there is one. */
  onEdit: (proposed?: AlertQuery) => void;
}

export function AlertCard({ alert, isRequested, onEdit }: AlertCardProps) {
  const { t } = useTranslation();
  const id = useId();
  const [isConfirming, setConfirming] = useState(false);
  const [open, setOpen] = useState(isRequested);
  const card = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isRequested) card.current?.scrollIntoView({ block: "start" });
  }, [isRequested]);
  const toggle = useToggleAlert();
  const remove = useDeleteAlert();
  const test = useTestAlert();
  const mail = useSendTestEmail();
  const { name, description, madeBy, isActive, emailSettings, stats, paused, silentSince } = alert;
  const { totalMatches, emailsSent, lastMatchedAt } = stats;
  const now = useNow();
  const next = isActive && !paused ? nextMail(emailSettings, now) : null;
  return (
    <li ref={card} className="scroll-mt-20 rounded-xl border border-line bg-sheet py-3 pr-2 pl-4">
      <div className="flex items-start justify-between gap-2">
        <div className={`min-w-0 flex-1 wrap-anywhere ${isActive ? "" : "text-ink-soft"}`}>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h3 className="min-w-0 text-[1.0625rem] font-semibold">{name}</h3>
            <Badge tone="calm" icon={Clock}>
              {t(`alerts.frequency.${emailSettings.frequency}`)}
            </Badge>
            {!emailSettings.enabled && (
              <Badge tone="quiet" icon={BellOff}>
                {t("alerts.card.silent")}
              </Badge>
            )}
            {paused && (
              <Badge tone="soon" icon={MailWarning}>
                {t("alerts.paused.address")}
              </Badge>
            )}
            {alert.silentChannels.map((channel) => (
              <Badge key={channel} tone="soon" icon={MailWarning}>
                {t("alerts.paused.channel", { channel: t(`alerts.channel.${channel}`) })}
              </Badge>
            ))}
          </div>
          {madeBy && (
            <p className="mt-0.5 flex items-center gap-1.5 text-sm text-ink-soft">
              <Users size={14} aria-hidden className="shrink-0" />
              {t("alerts.card.madeBy", { name: madeBy })}
            </p>
          )}
          {description && <p className="mt-0.5 text-[0.9375rem] text-ink-soft">{description}</p>}
          <Keywords alert={alert} />
          <AlertFilterLine alert={alert} />
          <p className="mt-2 text-sm text-ink-soft">
            {t("alerts.card.matches", { count: totalMatches })}
            {lastMatchedAt && ` · ${t("alerts.card.last", { moment: formatMoment(lastMatchedAt) })}`}
            {" · "}
            <span className="whitespace-nowrap">{t("alerts.card.emails", { count: emailsSent })}</span>
            {next && ` · ${t("alerts.card.next", { moment: formatMoment(next) })}`}
          </p>
        </div>
        <div className="flex shrink-0 items-center gap-1 max-sm:flex-col max-sm:items-end">
          <Switch
            label={t("alerts.card.toggle", { name })}
            checked={isActive}
            disabled={toggle.isPending}
            onChange={() => toggle.mutate(alert._id)}
          />
          <Button
            variant="plain"
            size="small"
            aria-label={t("alerts.card.edit", { name })}
            onClick={() => onEdit()}
          >
            {t("publish.action.edit")}
          </Button>
          <ActionMenu
            label={t("publish.action.more", { title: name })}
            actions={[
              { label: t("alerts.card.test"), onChoose: () => test.mutate(alert._id) },
              { label: t("alerts.card.testMail"), onChoose: () => mail.mutate(alert._id) },
              { label: t("publish.action.delete"), isDestructive: true, onChoose: () => setConfirming(true) },
            ]}
          />
        </div>
      </div>
      {silentSince && (
        <SilentAlert id={alert._id} since={silentSince} isRequested={isRequested} onTake={onEdit} />
      )}
      {totalMatches > 0 && (
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          className="mt-1 inline-flex min-h-9 items-center gap-1 text-sm font-semibold text-accent hover:underline max-sm:min-h-11"
        >
          {t(open ? "alerts.card.hideMatches" : "alerts.card.showMatches")}
          <ChevronDown size={16} aria-hidden className={open ? "rotate-180" : ""} />
        </button>
      )}
      <div id={id} hidden={!open} className="mt-2 mr-2 border-t border-line pt-3">
        {open && <Matches alert={alert} onEdit={onEdit} />}
      </div>
      <Dialog
        open={isConfirming}
        onClose={() => setConfirming(false)}
        title={t("alerts.delete.title")}
        actions={
          <>
            <Button variant="outlined" onClick={() => setConfirming(false)}>
              {t("publish.confirm.keep")}
            </Button>
            <Button
              variant="danger"
              onClick={() => {
                remove.mutate(alert._id);
                setConfirming(false);
              }}
            >
              {t("publish.action.delete")}
            </Button>
          </>
        }
      >
        <p className="font-semibold text-ink">{name}</p>
        <p className="mt-1">{t("alerts.delete.text")}</p>
      </Dialog>
    </li>
  );
}
