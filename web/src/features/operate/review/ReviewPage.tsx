// The page where reviewers check notices: the clip on the left, the fields on the right. One key
// accepts a notice, and the next one is there at once.

import { useQuery } from "@tanstack/react-query";
import { Bell, CircleCheckBig, Clock, Flag, Undo2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Link, useSearchParams } from "react-router";
import type { ReviewDecision, ReviewNotice } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { Badge } from "@/ui/Badge.tsx";
import { Button } from "@/ui/Button.tsx";
import { EmptyState, ErrorBanner, LoadingScreen } from "@/ui/StatusMessages.tsx";
import { fieldName } from "../fieldNames.ts";
import { OperatePage, STAFF } from "../OperatePage.tsx";
import { reviewQueue } from "./api.ts";
import { ClipPane } from "./ClipPane.tsx";
import { FieldEditor } from "./FieldEditor.tsx";
import { RejectDialog } from "./RejectDialog.tsx";
import type { Relation } from "./relation.ts";
import { changedFields, IS_NOTICE, type ReviewField, reviewFields, valueOfWords } from "./reviewFields.ts";
import { SplitDialog } from "./SplitDialog.tsx";
import { FIELDS, useShortcuts } from "./shortcuts.ts";
import { TenderDialog } from "./TenderDialog.tsx";
import {
  type OpenReview,
  type ReviewMessage,
  type ReviewSession,
  useReviewSession,
} from "./useReviewSession.ts";

/** The dialogs of a review. */
type DialogName = "reject" | "source" | "correction" | "split";

/** Whether the notice may belong to a known tender, so that the reviewer must choose. */
const asksForTender = ({ reason }: ReviewNotice) => reason === "relation";

const joinDecision = ({ notice }: ReviewNotice): "source" | "correction" =>
  notice.kind === "corrigendum" ? "correction" : "source";

function RelationChoice({
  review,
  chosen,
  onChoose,
}: {
  review: ReviewNotice;
  chosen: Relation | null;
  onChoose: (relation: Relation) => void;
}) {
  const { t } = useTranslation();
  const { candidates, notice } = review;
  const style =
    "flex min-h-11 items-start gap-3 rounded-lg border border-line px-3 py-2 has-checked:border-accent has-checked:bg-accent-wash";
  return (
    <fieldset className="mb-5 rounded-xl border border-soon bg-soon-wash/40 p-3">
      <legend className="px-1 font-semibold">{t("operate.review.relationTitle")}</legend>
      <div className="grid gap-1.5">
        {candidates.map(({ tender, title, likeness }, position) => (
          <label key={tender} className={style}>
            <input
              type="radio"
              name="relation"
              data-first={position === 0 || undefined}
              className="mt-1.5 accent-accent"
              checked={chosen?.kind === "joins" && chosen.tender === tender}
              onChange={() => onChoose({ kind: "joins", tender })}
            />
            <span className="min-w-0">
              <span className="line-clamp-2 font-medium">{title}</span>
              <span className="block text-sm text-ink-soft">
                {t(notice.kind === "corrigendum" ? "operate.review.isCorrection" : "operate.review.isSource")}{" "}
                · {t("operate.review.alike", { percent: Math.round(likeness * 100) })} ·{" "}
                <Link to={paths.tender(tender)} target="_blank" className="text-accent hover:underline">
                  {t("operate.review.openTender")}
                </Link>
              </span>
            </span>
          </label>
        ))}
        <label className={style}>
          <input
            type="radio"
            name="relation"
            data-first={candidates.length === 0 || undefined}
            className="mt-1.5 accent-accent"
            checked={chosen?.kind === "tender"}
            onChange={() => onChoose({ kind: "tender" })}
          />
          <span className="font-medium">{t("operate.review.isNew")}</span>
        </label>
      </div>
    </fieldset>
  );
}

/** Why the notice is in the queue. */
function Reasons({ review }: { review: ReviewNotice }) {
  const { t } = useTranslation();
  const { notice, alerts, mistakes, doubt, tender, reason } = review;
  return (
    <div className="mb-3">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={reason === "mistake" ? "urgent" : "soon"} icon={reason === "mistake" ? Flag : undefined}>
          {t(doubt ? `operate.review.doubt.${doubt}` : `operate.review.reason.${reason}`)}
        </Badge>
        {alerts > 0 && (
          <Badge tone="accent" icon={Bell}>
            {t(alerts === 1 ? "operate.review.oneAlert" : "operate.review.alerts", { count: alerts })}
          </Badge>
        )}
        {notice.dates?.closing && (
          <Badge tone="quiet" icon={Clock}>
            {t("operate.review.closes", { moment: formatMoment(notice.dates.closing) })}
          </Badge>
        )}
        {tender && (
          <Link to={paths.tender(tender)} target="_blank" className="text-sm text-accent hover:underline">
            {t("operate.review.openTender")}
          </Link>
        )}
      </p>
      {mistakes.map(({ message, at }) => (
        <blockquote key={at} className="mt-2 border-l-4 border-urgent bg-urgent-wash/50 px-3 py-2">
          <p className="break-words whitespace-pre-wrap">{message}</p>
          <footer className="text-sm text-ink-soft">
            {t("operate.review.reported", { moment: formatMoment(at) })}
          </footer>
        </blockquote>
      ))}
      {notice.fieldStates?.[IS_NOTICE] && doubt !== "possibly-no-notice" && (
        <p className="mt-2 text-sm text-soon">{t("operate.review.doubt.possibly-no-notice")}</p>
      )}
    </div>
  );
}

function Review({ open, session }: { open: OpenReview; session: ReviewSession }) {
  const { t } = useTranslation();
  const { notice: review, texts, relation, errors } = open;
  const [fields] = useState(() => reviewFields(review));
  const [active, setActive] = useState<string | null>(null);
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const certainFrom = fields.findIndex(({ state }) => state === "certain");
  const [toCheck, certain] =
    certainFrom < 0 ? [fields, []] : [fields.slice(0, certainFrom), fields.slice(certainFrom)];

  // The cursor begins in the first invalid or doubtful field, or in the choice of the tender.
  useEffect(() => {
    const find = (selector: string) => form.current?.querySelector<HTMLElement>(selector) ?? null;
    const field = (path: string) => find(`[data-path="${CSS.escape(path)}"]`);
    const control =
      Object.keys(errors).map(field).find(Boolean) ??
      (asksForTender(review)
        ? find("input[name=relation]:checked, input[name=relation][data-first]")
        : toCheck[0] && field(toCheck[0].path)) ??
      find("[data-accept]");
    control?.focus();
    if (control instanceof HTMLInputElement && control.type === "text") control.select();
  }, [review, errors, toCheck[0]]);

  const textOf = ({ path, value }: ReviewField) => texts[path] ?? value;
  const setText = (path: string, text: string) => session.edit({ texts: { ...texts, [path]: text } });
  const send = (decision: Omit<ReviewDecision, "fields">) => {
    const hasFields = decision.decision !== "reject" && decision.decision !== "split";
    session.send({ ...decision, ...(hasFields && { fields: changedFields(fields, texts) }) });
  };
  const accept = () => {
    if (!asksForTender(review)) send({ decision: "accept" });
    else if (relation?.kind === "tender") send({ decision: "tender" });
    else if (relation) send({ decision: joinDecision(review), tender: relation.tender });
    else setDialog(joinDecision(review));
  };
  const acts = {
    reject: () => setDialog("reject"),
    source: () => setDialog("source"),
    correction: () => setDialog("correction"),
    split: () => setDialog("split"),
    skip: session.leave,
  };
  useShortcuts({ ...acts, accept });
  const actions = [
    ["reject", "R"],
    ["source", "S"],
    ["correction", "C"],
    ["split", "X"],
    ["skip", "N"],
  ] as const;
  const editor = (field: ReviewField) => (
    <FieldEditor
      key={field.path}
      field={field}
      label={fieldName(field.path, t)}
      value={textOf(field)}
      error={errors[field.path]}
      language={review.notice.language ?? undefined}
      onChange={(text) => setText(field.path, text)}
      onFocus={() => setActive(field.path)}
    />
  );
  const activeField = fields.find(({ path }) => path === active);
  return (
    <div className="mt-2 grid gap-4 md:min-h-0 md:flex-1 md:grid-cols-2 md:grid-rows-[minmax(0,1fr)]">
      <ClipPane
        review={review}
        path={active}
        onSelect={({ first, last }) => {
          if (!activeField) return;
          const value = valueOfWords(review.words, activeField.kind, first, last);
          if (value !== null) setText(activeField.path, value);
          form.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(activeField.path)}"]`)?.focus();
        }}
      />
      <form
        ref={form}
        noValidate
        aria-label={t("operate.review.form")}
        className="flex min-h-0 flex-col"
        {...{ [FIELDS]: true }}
        onSubmit={(event) => {
          event.preventDefault();
          accept();
        }}
      >
        <div className="min-h-0 flex-1 overflow-y-auto pr-1">
          <Reasons review={review} />
          {asksForTender(review) && (
            <RelationChoice
              review={review}
              chosen={relation}
              onChoose={(relation) => session.edit({ relation })}
            />
          )}
          {toCheck.length > 0 && (
            <section className="mb-5 grid gap-3" aria-label={t("operate.review.toCheck")}>
              {toCheck.map(editor)}
            </section>
          )}
          <section className="grid gap-3" aria-label={t("operate.review.certain")}>
            <h2 className="text-sm font-semibold text-ink-soft">{t("operate.review.certain")}</h2>
            {certain.map(editor)}
          </section>
        </div>
        <div className="sticky bottom-0 flex flex-wrap items-center gap-2 border-t border-line bg-paper py-2">
          <Button type="submit" data-accept>
            <CircleCheckBig size={18} aria-hidden />
            {t("operate.review.accept")}
            <kbd className="font-sans text-xs opacity-80 max-lg:hidden">{t("operate.review.enterKey")}</kbd>
          </Button>
          {actions.map(([name, key]) => (
            <Button key={name} variant="outlined" size="small" onClick={acts[name]}>
              {t(`operate.review.action.${name}`)}
              <kbd className="font-sans text-xs text-ink-soft max-lg:hidden">
                {t("operate.review.altKey", { key })}
              </kbd>
            </Button>
          ))}
        </div>
      </form>
      {dialog === "reject" && (
        <RejectDialog
          onReject={(reason, isNoNotice) => send({ decision: "reject", reason, isNoNotice })}
          onClose={() => setDialog(null)}
        />
      )}
      {(dialog === "source" || dialog === "correction") && (
        <TenderDialog
          title={t(`operate.review.${dialog}Title`)}
          review={review}
          search={texts.title ?? review.notice.title ?? ""}
          reference={texts.referenceNo ?? review.notice.referenceNo ?? ""}
          onChoose={(tender) => send({ decision: dialog, tender })}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === "split" && (
        <SplitDialog
          review={review}
          onSplit={(areas) => send({ decision: "split", areas })}
          onClose={() => setDialog(null)}
        />
      )}
    </div>
  );
}

/** Says what `session.undo` undoes, and does it. */
function UndoButton({ session: { lastStep, canUndo, undo } }: { session: ReviewSession }) {
  const { t } = useTranslation();
  useShortcuts({ undo });
  return (
    <Button variant="plain" size="small" className="ml-auto min-w-0" disabled={!canUndo} onClick={undo}>
      <Undo2 size={16} aria-hidden className="shrink-0" />
      {t(lastStep ? `operate.review.undoStep.${lastStep.kind}` : "operate.review.undoEarlier")}
      {lastStep && (
        <span className="max-w-80 truncate font-normal max-sm:max-w-32">
          {lastStep.review.notice.notice.title || t("operate.review.untitled")}
        </span>
      )}
      <kbd className="font-sans text-xs text-ink-soft max-lg:hidden">
        {t("operate.review.altKey", { key: "Z" })}
      </kbd>
    </Button>
  );
}

/** What the reviewer should know, above the notice instead of on it. */
function Message({ message }: { message: ReviewMessage | null }) {
  return (
    <div role="status">
      {message && (
        <p
          className={`mt-1 rounded-lg border px-3 py-1.5 text-[0.9375rem] break-words ${message.tone === "error" ? "border-urgent bg-urgent-wash text-urgent" : "border-good bg-good-wash text-good"}`}
        >
          {message.text}
        </p>
      )}
    </div>
  );
}

function Queue({ session }: { session: ReviewSession }) {
  const { t } = useTranslation();
  const { status, current, message } = session;
  const queue = useQuery(reviewQueue);
  if (status === "loading") return <LoadingScreen label={t("operate.review.loading")} />;
  if (status === "failed") {
    return (
      <ErrorBanner
        title={message?.text ?? t("operate.review.claimFailed")}
        action={
          <Button variant="outlined" size="small" onClick={session.reload}>
            {t("operate.review.tryAgain")}
          </Button>
        }
      />
    );
  }
  const held = queue.data ? queue.data.claimed : 0;
  return (
    <div className="mt-2 flex flex-col md:h-[calc(100dvh-var(--header)-6rem)]">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-soft">
        <span aria-live="polite">
          {queue.data && t("operate.review.left", { count: queue.data.total, waiting: queue.data.waiting })}
          {session.decided > 0 && ` · ${t("operate.review.decided", { count: session.decided })}`}
        </span>
        <UndoButton session={session} />
      </div>
      <Message message={message} />
      {current ? (
        <Review key={`${current.notice.key} ${current.notice.version}`} open={current} session={session} />
      ) : (
        <EmptyState icon={<CircleCheckBig size={22} />} title={t("operate.review.empty")}>
          {held > 0 ? t("operate.review.heldByOthers", { count: held }) : t("operate.review.emptyHelp")}
        </EmptyState>
      )}
    </div>
  );
}

function ReviewDesk() {
  const [params] = useSearchParams();
  const session = useReviewSession(params.get("notice"));
  return <Queue session={session} />;
}

export function Component() {
  const { t } = useTranslation();
  return (
    <OperatePage title={t("operate.review.title")} only={STAFF} isCompact>
      <ReviewDesk />
    </OperatePage>
  );
}
