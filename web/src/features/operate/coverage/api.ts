// The API calls of the pages about coverage: issues, expected newspapers and holidays.

import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { enumValues } from "@/api/enums.ts";
import { messageOf } from "@/api/error.ts";
import type { ExpectedPaper, HolidayKind, Weekday } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { MINUTE, SECOND } from "@/shared/queryDefaults.ts";
import { toast } from "@/ui/toasts.ts";

export const WEEKDAYS = enumValues<Weekday>()(
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
);

export const HOLIDAY_KINDS = enumValues<HolidayKind>()("poya", "public", "no-papers");

/** The issues of all newspapers in two weeks, by default the last two. */
export function coverage(from: string | null) {
  return queryOptions({
    queryKey: ["operate", "coverage", "issues", from],
    queryFn: ({ signal }) =>
      call(api.GET("/operate/coverage", { params: { query: { ...(from && { from }) } }, signal })),
    staleTime: 10 * SECOND,
    refetchInterval: MINUTE,
  });
}

/** The newspapers that are expected. */
export const expectedPapers = queryOptions({
  queryKey: ["operate", "coverage", "papers"],
  queryFn: async ({ signal }) => (await call(api.GET("/operate/papers", { signal }))).papers,
  staleTime: 10 * SECOND,
});

/** The holidays of a year, by default the present one. */
export function holidays(year: number | null) {
  return queryOptions({
    queryKey: ["operate", "coverage", "holidays", year],
    queryFn: ({ signal }) =>
      call(api.GET("/operate/holidays", { params: { query: { ...(year && { year }) } }, signal })),
    staleTime: 10 * SECOND,
  });
}

/** What an operator enters about an expected newspaper. */
export interface PaperInput {
  name: string;
  spellings: string[];
  weekdays: Weekday[];
  dueTime: string;
  minPages: number;
  printsOnPoya: boolean;
  printsOnHolidays: boolean;
  activeFrom: string;
  isPaused: boolean;
}

/** An expected newspaper as it would be entered. */
export function inputOf({ _id, version, pausedFrom, ...paper }: ExpectedPaper): PaperInput {
  return { ...paper, isPaused: pausedFrom !== null };
}

/** What an operator can do with newspapers, issues and holidays. */
type CoverageAction =
  | { kind: "addPaper"; paper: PaperInput }
  | { kind: "changePaper"; id: string; version: number; paper: PaperInput }
  | { kind: "removePaper"; id: string }
  | { kind: "noteAbsence"; id: string; day: string; note: string }
  | { kind: "removeAbsence"; id: string; day: string }
  | { kind: "setHoliday"; day: string; name: string; holiday: HolidayKind }
  | { kind: "removeHoliday"; day: string };

function sendAction(action: CoverageAction): Promise<unknown> {
  switch (action.kind) {
    case "addPaper":
      return call(api.POST("/operate/papers", { body: action.paper }));
    case "changePaper":
      return call(
        api.PUT("/operate/papers/{id}", {
          params: { path: { id: action.id } },
          body: { version: action.version, paper: action.paper },
        }),
      );
    case "removePaper":
      return call(api.DELETE("/operate/papers/{id}", { params: { path: { id: action.id } } }));
    case "noteAbsence":
      return call(
        api.PUT("/operate/papers/{id}/absences/{day}", {
          params: { path: { id: action.id, day: action.day } },
          body: { note: action.note },
        }),
      );
    case "removeAbsence":
      return call(
        api.DELETE("/operate/papers/{id}/absences/{day}", {
          params: { path: { id: action.id, day: action.day } },
        }),
      );
    case "setHoliday":
      return call(
        api.PUT("/operate/holidays/{day}", {
          params: { path: { day: action.day } },
          body: { name: action.name, kind: action.holiday },
        }),
      );
    case "removeHoliday":
      return call(api.DELETE("/operate/holidays/{day}", { params: { path: { day: action.day } } }));
  }
}

/** Applies an action. A toast shows that it succeeded; the caller shows an error. */
export function useCoverageAction() {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: sendAction,
    onSuccess: (_, { kind }) => toast.success(t(`operate.coverage.done.${kind}`)),
    // A refused change means that the table is outdated.
    onSettled: () => client.invalidateQueries({ queryKey: ["operate"] }),
  });
}

/** The text of a failed action. */
export function useFailure(error: unknown): string | null {
  const { t } = useTranslation();
  return error ? messageOf(error, t("operate.users.actionFailed")) : null;
}
