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

/** How many notices a reviewer holds: the shown one, and the next two. */
const HELD = 3;

/** A notice to review, with the texts and the error of a refused decision. */
export interface OpenReview {
  notice: ReviewNotice;
  texts: Record<string, string>;
  /** The messages of invalid fields, by path. */
  errors: Record<string, string>;
}

export interface ReviewSession {
  /** `loading` until the first claim, `failed` if it failed, else `ready`. */
  status: "loading" | "failed" | "ready";
  current: OpenReview | null;
  /** How many notices were decided since the page was opened. */
  decided: number;
  send: (decision: ReviewDecision, texts: Record<string, string>) => void;
  leave: () => void;
  undo: () => void;
  reload: () => void;
}

const opened = (notice: ReviewNotice): OpenReview => ({ notice, texts: {}, errors: {} });

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
  const [decided, setDecided] = useState(0);
  /** The calls in order: a claim or an undo must not overtake a decision. */
  const calls = useRef<Promise<unknown>>(Promise.resolve());
  /** The notices whose decisions are under way. A claim may still return them. */
  const underWay = useRef(new Set<string>());
  /** How many decisions the server has refused. */
  const failures = useRef(0);
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
            const next = [...stays, ...others.map((notice) => known(notice) ?? opened(notice))];
            preload(next);
            return next;
          });
        },
        (error: unknown) => {
          setStatus((before) => (before === "loading" ? "failed" : before));
          toast.error(messageOf(error, t("operate.review.claimFailed")));
        },
      ),
    [enqueue, t],
  );

  useEffect(() => {
    isOpen.current = true;
    const first = key
      ? enqueue(() => claimOne(key)).then(
          (notice) => putFirst(opened(notice)),
          (error: unknown) => toast.error(messageOf(error, t("operate.review.claimFailed"))),
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

  const send = (decision: ReviewDecision, texts: Record<string, string>) => {
    if (!current) return;
    const { notice } = current;
    underWay.current.add(notice.key);
    setHeld((held) => held.slice(1));
    setDecided((count) => count + 1);
    enqueue(() => decide(notice.key, { ...decision, version: notice.version }))
      .catch((error: unknown) => {
        failures.current += 1;
        setDecided((count) => count - 1);
        toast.error(messageOf(error, t("operate.review.decisionFailed")));
        const fields = error instanceof ApiError ? error.errors : [];
        const errors = Object.fromEntries(fields.map(({ field, message }) => [field, message]));
        // After a conflict, the notice has changed or belongs to somebody else: the next claim says so.
        if (!(error instanceof ApiError) || error.status !== 409) putFirst({ notice, texts, errors });
      })
      .finally(() => {
        underWay.current.delete(notice.key);
        void client.invalidateQueries({ queryKey: ["operate", "review"] });
        void refill();
      });
  };

  return {
    status,
    current,
    decided,
    send,
    leave: () => {
      if (!current) return;
      const { key } = current.notice;
      setHeld((held) => held.slice(1));
      enqueue(() => skip(key))
        .catch((error: unknown) => toast.error(messageOf(error, t("operate.review.decisionFailed"))))
        .finally(() => void refill());
    },
    undo: () => {
      // If the decision under way is refused, its predecessor must not be undone instead.
      const before = failures.current;
      enqueue(async () => (failures.current === before ? await undo() : null)).then(
        (notice) => {
          if (!notice) return;
          putFirst(opened(notice));
          setDecided((count) => Math.max(0, count - 1));
          void client.invalidateQueries({ queryKey: ["operate", "review"] });
        },
        (error: unknown) => toast.error(messageOf(error, t("operate.review.undoFailed"))),
      );
    },
    reload: () => {
      setStatus("loading");
      void refill();
    },
  };
}
