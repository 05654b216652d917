// The page where reviewers check notices: the clip on the left, the fields on the right. One key
// accepts a notice, and the next one is there at once.

import { useQuery } from "@tanstack/react-query";
import { Bell, CircleCheckBig, Clock, Flag, Undo2 } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
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
import { changedFields, IS_NOTICE, type ReviewField, reviewFields, valueOfWords } from "./reviewFields.ts";
import { SplitDialog } from "./SplitDialog.tsx";
import { TenderDialog } from "./TenderDialog.tsx";
import { type OpenReview, type Relation, type ReviewSession, useReviewSession } from "./useReviewSession.ts";

/** The dialogs of a review. */
type DialogName = "reject" | "source" | "correction" | "split";

/** The key that, with Alt, opens a dialog or acts. */
const SHORTCUTS = {
  KeyR: "reject",
  KeyS: "source",
  KeyC: "correction",
  KeyX: "split",
  KeyN: "skip",
  KeyZ: "undo",
} as const satisfies Record<string, DialogName | "skip" | "undo">;

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
    const wrong = Object.keys(errors)[0] ?? toCheck[0]?.path;
    const control =
      asksForTender(review) && Object.keys(errors).length === 0
        ? form.current?.querySelector<HTMLElement>(
            "input[name=relation]:checked, input[name=relation][data-first]",
          )
        : form.current?.querySelector<HTMLElement>(
            wrong ? `[data-path="${CSS.escape(wrong)}"]` : "[data-accept]",
          );
    control?.focus();
    if (control instanceof HTMLInputElement && control.type === "text") control.select();
  }, [review, errors, toCheck[0]?.path]);

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
  const act = (name: (typeof SHORTCUTS)[keyof typeof SHORTCUTS]) => {
    if (name === "skip") session.leave();
    else if (name === "undo") session.undo();
    else setDialog(name);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter that ends the composition of a Sinhala or Tamil word belongs to the word.
    if (event.nativeEvent.isComposing) return;
    // A key that is held down must not decide about notices that nobody has seen.
    if (event.repeat && (event.key === "Enter" || event.altKey)) {
      event.preventDefault();
      return;
    }
    // AltGr, with which some keyboards type characters, comes with Ctrl.
    const name =
      event.altKey &&
      !event.ctrlKey &&
      event.code in SHORTCUTS &&
      SHORTCUTS[event.code as keyof typeof SHORTCUTS];
    if (name) {
      event.preventDefault();
      act(name);
      return;
    }
    // Enter accepts, also in a text area. With Shift, it adds a line there. On a button, it presses it.
    const isButton = event.target instanceof HTMLButtonElement || event.target instanceof HTMLAnchorElement;
    if (event.key === "Enter" && !event.shiftKey && !isButton) {
      event.preventDefault();
      accept();
    }
  };
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
    <div className="mt-2 grid gap-4 md:h-[calc(100dvh-var(--header)-9.25rem)] md:grid-cols-2">
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
        onKeyDown={onKeyDown}
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
            <Button key={name} variant="outlined" size="small" onClick={() => act(name)}>
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

function Queue({ session }: { session: ReviewSession }) {
  const { t } = useTranslation();
  const { status, current } = session;
  const queue = useQuery(reviewQueue);
  if (status === "loading") return <LoadingScreen label={t("operate.review.loading")} />;
  if (status === "failed") {
    return (
      <ErrorBanner
        title={t("operate.review.claimFailed")}
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
    <>
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-soft">
        <span aria-live="polite">
          {queue.data && t("operate.review.left", { count: queue.data.total, waiting: queue.data.waiting })}
          {session.decided > 0 && ` · ${t("operate.review.decided", { count: session.decided })}`}
        </span>
        <Button variant="plain" size="small" className="ml-auto" onClick={session.undo}>
          <Undo2 size={16} aria-hidden />
          {t("operate.review.undo")}
          <kbd className="font-sans text-xs text-ink-soft max-lg:hidden">
            {t("operate.review.altKey", { key: "Z" })}
          </kbd>
        </Button>
      </div>
      {current ? (
        <Review key={`${current.notice.key} ${current.notice.version}`} open={current} session={session} />
      ) : (
        <EmptyState icon={<CircleCheckBig size={22} />} title={t("operate.review.empty")}>
          {held > 0 ? t("operate.review.heldByOthers", { count: held }) : t("operate.review.emptyHelp")}
        </EmptyState>
      )}
    </>
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
