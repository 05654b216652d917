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

/** What a reviewer chose for a notice that may belong to a known tender. */
export type Relation = { kind: "tender" } | { kind: "joins"; tender: string };

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

export interface ReviewSession {
  /** `loading` until the first claim, `failed` if it failed, else `ready`. */
  status: "loading" | "failed" | "ready";
  current: OpenReview | null;
  /** How many notices were decided since the page was opened. */
  decided: number;
  /** Changes what is entered for the shown notice. */
  edit: (change: Partial<Pick<OpenReview, "texts" | "relation">>) => void;
  send: (decision: ReviewDecision) => void;
  leave: () => void;
  undo: () => void;
  reload: () => void;
}

/** A notice as it is shown first. The first candidate is chosen, which is the most likely one. */
function opened(notice: ReviewNotice): OpenReview {
  const [probable] = notice.candidates;
  const relation: Relation | null = probable ? { kind: "joins", tender: probable.tender } : null;
  return { notice, texts: {}, relation, errors: {} };
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
  const [decided, setDecided] = useState(0);
  /** The calls in order: a claim or an undo must not overtake a decision. */
  const calls = useRef<Promise<unknown>>(Promise.resolve());
  /** The notices whose decisions are under way. A claim may still return them. */
  const underWay = useRef(new Set<string>());
  /** How many decisions the server has refused. */
  const failures = useRef(0);
  /** The notices of the decisions that were made on this page and not undone, latest last. */
  const made = useRef<string[]>([]);
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
          const shown = shownKey.current;
          if (shown && !underWay.current.has(shown) && !notices.some(({ key }) => key === shown)) {
            toast.error(t("operate.review.replaced"));
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
  useEffect(() => {
    shownKey.current = current?.notice.key ?? null;
  }, [current]);

  const edit = (change: Partial<Pick<OpenReview, "texts" | "relation">>) =>
    setHeld(([shown, ...others]) => (shown ? [{ ...shown, ...change }, ...others] : []));

  const send = (decision: ReviewDecision) => {
    if (!current) return;
    const { notice } = current;
    underWay.current.add(notice.key);
    setHeld((held) => held.slice(1));
    setDecided((count) => count + 1);
    enqueue(() => decide(notice.key, { ...decision, version: notice.version }))
      .then(() => {
        made.current.push(notice.key);
      })
      .catch((error: unknown) => {
        failures.current += 1;
        setDecided((count) => count - 1);
        toast.error(messageOf(error, t("operate.review.decisionFailed")));
        const fields = error instanceof ApiError ? error.errors : [];
        const errors = Object.fromEntries(fields.map(({ field, message }) => [field, message]));
        // After a conflict, the notice has changed or belongs to somebody else: the next claim says so.
        if (error instanceof ApiError && error.status === 409) unsaved.current.set(notice.key, current.texts);
        else putFirst({ ...current, errors });
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
    edit,
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
      enqueue(async () =>
        failures.current === before ? await undo(made.current.at(-1) ?? null) : null,
      ).then(
        (notice) => {
          if (!notice) return;
          made.current.pop();
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
