// The notices that this reviewer holds. The first is shown, and the others wait with their clips
// loaded. A decision is sent in the background, so that the next notice is there at once. If the
// server refuses it, the notice comes back with what the reviewer had entered.

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError, messageOf } from "@/api/error.ts";
import type { ReviewDecision, ReviewNotice } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { MINUTE } from "@/shared/queryDefaults.ts";
import { toast } from "@/ui/toasts.ts";
import { claimNext, claimOne, decide, releaseAll, skip, undo } from "./api.ts";
import { probableRelation, type Relation } from "./relation.ts";

/** How many notices a reviewer holds: the shown one, and the next two. */
const HELD = 3;

/** A notice to review, with what the reviewer has entered, and the errors of a refused decision. */
export interface OpenReview {
  notice: ReviewNotice;
  /** The typed values of fields, by path. */
  texts: Record<string, string>;
  /** The chosen tender. `null`: none yet. */
  relation: Relation | null;
  /** The messages of invalid fields, by path. */
  errors: Record<string, string>;
}

/** What a reviewer did with a notice and can undo. */
interface ReviewStep {
  kind: ReviewDecision["decision"] | "skip";
  /** The notice as the reviewer left it. */
  review: OpenReview;
  /** Whether the server did it. */
  isDone: Promise<boolean>;
}

/** What the reviewer should know: what failed, or what was done without being shown. */
export interface ReviewMessage {
  tone: "error" | "done";
  text: string;
}

export interface ReviewSession {
  /** `loading` until the first claim, `failed` if it failed, else `ready`. */
  status: "loading" | "failed" | "ready";
  current: OpenReview | null;
  /** How many notices were decided since the page was opened. */
  decided: number;
  message: ReviewMessage | null;
  /** What `undo` undoes. `null`: the last decision of an earlier session. */
  lastStep: ReviewStep | null;
  /** Whether there may be something to undo. */
  canUndo: boolean;
  /** Changes what is entered for the shown notice. */
  edit: (change: Partial<Pick<OpenReview, "texts" | "relation">>) => void;
  send: (decision: ReviewDecision) => void;
  leave: () => void;
  undo: () => void;
  reload: () => void;
}

/** A notice as it is shown first. */
function opened(notice: ReviewNotice): OpenReview {
  return { notice, texts: {}, relation: probableRelation(notice), errors: {} };
}

/** Undoes a step, or the last decision of an earlier session. `null`: the server had refused the step. */
async function undone(step: ReviewStep | null): Promise<ReviewNotice | null> {
  if (!step) return await undo(null);
  if (!(await step.isDone)) return null;
  const { key } = step.review.notice;
  // A skipped notice is only at the end of the queue. No decision must be undone for it.
  return step.kind === "skip" ? await claimOne(key) : await undo(key);
}

/** Loads the clips of the next notices. */
function preload(reviews: OpenReview[]) {
  for (const { notice } of reviews.slice(1)) {
    if (notice.clipUrl) new Image().src = notice.clipUrl;
  }
}

/** A session of reviews. It starts with the notice `key`, if there is one. */
export function useReviewSession(key: string | null): ReviewSession {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [status, setStatus] = useState<ReviewSession["status"]>("loading");
  const [held, setHeld] = useState<OpenReview[]>([]);
  /** What was done on this page and not undone, latest last. */
  const [steps, setSteps] = useState<readonly ReviewStep[]>([]);
  const [isUndoing, setUndoing] = useState(false);
  /** Whether the server knows no decision before those of this page. */
  const [isNothingBefore, setNothingBefore] = useState(false);
  const [message, setMessage] = useState<ReviewMessage | null>(null);
  /** Why the last claim failed. */
  const [claimFailure, setClaimFailure] = useState<string | null>(null);
  /** The calls in order: a claim or an undo must not overtake a decision. */
  const calls = useRef<Promise<unknown>>(Promise.resolve());
  /** The notices whose decisions are under way. A claim may still return them. */
  const underWay = useRef(new Set<string>());
  /** What was entered for notices that changed before the decision arrived, by key. */
  const unsaved = useRef(new Map<string, Record<string, string>>());
  /** The shown notice, for the calls that end later. */
  const shownKey = useRef<string | null>(null);
  /** Whether the page is still open. A claim after it has closed would hold notices for nobody. */
  const isOpen = useRef(true);

  const enqueue = useCallback(<Result>(run: () => Promise<Result>): Promise<Result> => {
    const result = calls.current.then(run, run);
    calls.current = result.catch(() => undefined);
    return result;
  }, []);

  const putFirst = useCallback((review: OpenReview) => {
    setHeld((held) => [review, ...held.filter(({ notice }) => notice.key !== review.notice.key)]);
  }, []);

  const refill = useCallback(
    () =>
      enqueue(async () => (isOpen.current ? await claimNext(HELD) : [])).then(
        (notices) => {
          setStatus("ready");
          setClaimFailure(null);
          const shown = shownKey.current;
          if (shown && !underWay.current.has(shown) && !notices.some(({ key }) => key === shown)) {
            setMessage({ tone: "error", text: t("operate.review.replaced") });
          }
          setHeld((held) => {
            // The shown notice stays, also if a more urgent one has arrived.
            const [shown] = held;
            const stays = shown && notices.some(({ key }) => key === shown.notice.key) ? [shown] : [];
            const others = notices.filter(
              ({ key }) => key !== stays[0]?.notice.key && !underWay.current.has(key),
            );
            // A notice whose decision was refused keeps what the reviewer had entered.
            const known = (notice: ReviewNotice) =>
              held.find((one) => one.notice.key === notice.key && one.notice.version === notice.version);
            const fresh = (notice: ReviewNotice) => ({
              ...opened(notice),
              texts: unsaved.current.get(notice.key) ?? {},
            });
            const next = [...stays, ...others.map((notice) => known(notice) ?? fresh(notice))];
            preload(next);
            return next;
          });
        },
        (error: unknown) => {
          setStatus((before) => (before === "loading" ? "failed" : before));
          setClaimFailure(messageOf(error, t("operate.review.claimFailed")));
        },
      ),
    [enqueue, t],
  );

  useEffect(() => {
    isOpen.current = true;
    const first = key
      ? enqueue(() => claimOne(key)).then(
          (notice) => putFirst(opened(notice)),
          (error: unknown) =>
            setMessage({ tone: "error", text: messageOf(error, t("operate.review.claimFailed")) }),
        )
      : Promise.resolve();
    void first.then(refill);
    const renewal = setInterval(() => void refill(), MINUTE);
    return () => {
      clearInterval(renewal);
      isOpen.current = false;
      void enqueue(releaseAll).catch(() => undefined);
    };
  }, [key, enqueue, putFirst, refill, t]);

  const [current = null] = held;
  useEffect(() => {
    shownKey.current = current?.notice.key ?? null;
  }, [current]);

  const edit = (change: Partial<Pick<OpenReview, "texts" | "relation">>) =>
    setHeld(([shown, ...others]) => (shown ? [{ ...shown, ...change }, ...others] : []));

  /** The queue and what waits at the desk have changed. */
  const refresh = () => {
    for (const name of ["review", "tasks"]) void client.invalidateQueries({ queryKey: ["operate", name] });
  };

  /** Leaves the shown notice, and sends what the reviewer did with it. If it is refused, the notice comes back. */
  const conclude = (kind: ReviewStep["kind"], run: (notice: ReviewNotice) => Promise<unknown>) => {
    if (!current) return;
    const review = current;
    const { key } = review.notice;
    underWay.current.add(key);
    setMessage(null);
    setHeld((held) => held.slice(1));
    const done = enqueue(() => run(review.notice)).then(
      () => true,
      (error: unknown) => {
        setSteps((steps) => steps.filter((one) => one !== step));
        const reason = messageOf(error, "");
        const text = reason ? t("operate.review.refused", { reason }) : t("operate.review.decisionFailed");
        // A reviewer who has left the page must know it too.
        if (isOpen.current) setMessage({ tone: "error", text });
        else toast.error(text);
        const fields = error instanceof ApiError ? error.errors : [];
        const errors = Object.fromEntries(fields.map(({ field, message }) => [field, message]));
        // After a conflict, the notice has changed or belongs to somebody else: the next claim says so.
        if (error instanceof ApiError && error.status === 409) unsaved.current.set(key, review.texts);
        else putFirst({ ...review, errors });
        return false;
      },
    );
    const step: ReviewStep = { kind, review, isDone: done };
    setSteps((steps) => [...steps, step]);
    void done.then(() => {
      underWay.current.delete(key);
      refresh();
      void refill();
    });
  };

  const lastStep = steps.at(-1) ?? null;
  const canUndo = !isUndoing && (lastStep !== null || !isNothingBefore);
  return {
    status,
    current,
    decided: steps.filter(({ kind }) => kind !== "skip").length,
    message: message ?? (claimFailure === null ? null : { tone: "error", text: claimFailure }),
    lastStep,
    canUndo,
    edit,
    send: (decision) =>
      conclude(decision.decision, ({ key, version }) => decide(key, { ...decision, version })),
    leave: () => conclude("skip", ({ key }) => skip(key)),
    undo: () => {
      if (!canUndo) return;
      setUndoing(true);
      setMessage(null);
      enqueue(() => undone(lastStep))
        .then(
          (notice) => {
            if (!notice) return;
            setSteps((steps) => steps.filter((one) => one !== lastStep));
            const { texts = {}, relation = null } = lastStep?.review ?? {};
            const fresh = opened(notice);
            putFirst({ ...fresh, texts, relation: relation ?? fresh.relation });
            if (!lastStep) {
              const title = notice.notice.title || t("operate.review.untitled");
              setMessage({ tone: "done", text: t("operate.review.undone", { title }) });
            }
            refresh();
          },
          (error: unknown) => {
            // A skipped notice that is gone is no reason to keep the decisions before it.
            if (lastStep?.kind === "skip" && error instanceof ApiError && error.isRefusal) {
              setSteps((steps) => steps.filter((one) => one !== lastStep));
            }
            const isNothing = !lastStep && error instanceof ApiError && error.status === 404;
            if (isNothing) setNothingBefore(true);
            setMessage({
              tone: isNothing ? "done" : "error",
              text: isNothing
                ? t("operate.review.nothingToUndo")
                : messageOf(error, t("operate.review.undoFailed")),
            });
          },
        )
        .finally(() => setUndoing(false));
    },
    reload: () => {
      setStatus("loading");
      void refill();
    },
  };
}
