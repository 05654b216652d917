// The API calls of the pages about newspaper pages.

import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { enumValues } from "@/api/enums.ts";
import { messageOf } from "@/api/error.ts";
import type { BlockOutcome, NewspaperPage, PageIssueForm, PageState } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { SECOND } from "@/shared/queryDefaults.ts";
import { toast } from "@/ui/toasts.ts";

export const PAGE_STATES = enumValues<PageState>()("waiting", "leased", "read", "failed", "set-aside");

export const OUTCOMES = enumValues<BlockOutcome>()(
  "tender",
  "doubtful",
  "waits",
  "refused",
  "rejected",
  "not-a-notice",
  "too-little-text",
);

/** The time between two requests while a page is unfinished. */
const POLL_INTERVAL = 3 * SECOND;

/** Whether the state of a page changes without a person. */
const isUnfinished = ({ state }: NewspaperPage) =>
  state === "waiting" || state === "leased" || state === "failed";

export interface PageFilters {
  state?: PageState;
  publication?: string;
  paper?: string;
  date?: string;
  /** The id of a file. */
  file?: string;
}

/** The newspaper pages that pass the filters: the latest file first, each with its pages in order. */
export function pageList(filters: PageFilters) {
  return infiniteQueryOptions({
    queryKey: ["operate", "pages", filters],
    queryFn: ({ pageParam: after, signal }) =>
      call(api.GET("/operate/pages", { params: { query: { ...filters, ...(after && { after }) } }, signal })),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 2 * SECOND,
    refetchInterval: ({ state: { data } }) => {
      const work = data?.pages[0]?.work;
      const isBusy = work && work.waiting + work.leased > 0;
      return isBusy || data?.pages.some(({ pages }) => pages.some(isUnfinished)) ? POLL_INTERVAL : false;
    },
  });
}

/** A newspaper page with its blocks. */
export function newspaperPage(id: string) {
  return queryOptions({
    queryKey: ["operate", "page", id],
    queryFn: ({ signal }) => call(api.GET("/operate/pages/{id}", { params: { path: { id } }, signal })),
    staleTime: 2 * SECOND,
    refetchInterval: ({ state: { data } }) => (data && isUnfinished(data.page) ? POLL_INTERVAL : false),
  });
}

/** The name of a file of pages. */
export function pageFileName(file: string) {
  return queryOptions({
    queryKey: ["operate", "pageFile", file],
    queryFn: async ({ signal }) => {
      const { pages } = await call(api.GET("/operate/pages", { params: { query: { file } }, signal }));
      return pages[0]?.fileName ?? null;
    },
    enabled: file !== "",
    staleTime: 60 * SECOND,
  });
}

/** What an operator can do with a page. */
export type PageAction = "readAgain" | "forget";

/** Applies an action to a page. A toast shows the result. */
export function usePageAction(id: string) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const done = {
    readAgain: t("operate.pages.readAgainDone"),
    forget: t("operate.pages.forgetDone"),
  } satisfies Record<PageAction, string>;
  return useMutation({
    mutationFn: (action: PageAction): Promise<unknown> => {
      const params = { path: { id } };
      return action === "readAgain"
        ? call(api.POST("/operate/pages/{id}/reading", { params }))
        : call(api.DELETE("/operate/pages/{id}", { params }));
    },
    onSuccess: (_, action) => {
      toast.success(done[action]);
      // A forgotten page must not be requested again.
      const keys =
        action === "forget" ? ["pages", "coverage", "tasks"].map((list) => ["operate", list]) : [["operate"]];
      return Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
    },
    onError: (error) => toast.error(messageOf(error, t("operate.users.actionFailed"))),
  });
}

/** Corrects the newspaper and the issue date of the file of a page. A toast shows the result. */
export function useCorrectIssue(id: string) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: PageIssueForm) =>
      call(api.PUT("/operate/pages/{id}/issue", { params: { path: { id } }, body })),
    onSuccess: () => {
      toast.success(t("operate.pages.correctDone"));
      return client.invalidateQueries({ queryKey: ["operate"] });
    },
    onError: (error) => toast.error(messageOf(error, t("operate.users.actionFailed"))),
  });
}

/** A decision about a box: to read it as a notice, to dismiss it, or to undo such a decision. */
export type BoxAction =
  | { kind: "notice" | "dismissed"; box: readonly number[] }
  | { kind: "undo"; mark: string };

/** Decides about a box of a page. A toast shows the result. */
export function useBoxAction(id: string) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const done = {
    notice: t("operate.pages.drawnDone"),
    dismissed: t("operate.pages.dismissedDone"),
    undo: t("operate.pages.undoneDone"),
  } satisfies Record<BoxAction["kind"], string>;
  return useMutation({
    mutationFn: (action: BoxAction): Promise<unknown> =>
      action.kind === "undo"
        ? call(api.DELETE("/operate/pages/{id}/boxes/{box}", { params: { path: { id, box: action.mark } } }))
        : call(
            api.POST("/operate/pages/{id}/boxes", {
              params: { path: { id } },
              body: { box: [...action.box], decision: action.kind },
            }),
          ),
    onSuccess: (_, { kind }) => {
      toast.success(done[kind]);
      return client.invalidateQueries({ queryKey: ["operate"] });
    },
    onError: (error) => toast.error(messageOf(error, t("operate.users.actionFailed"))),
  });
}
