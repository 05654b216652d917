// What the user must do in the next days: the steps and tasks of bids, the steps of saved and own tenders,
// and documents that expire.

import type { CalendarEntry, CalendarTask, Company, Tender, TenderCalendar } from "@/api/types.ts";
import { isInWork } from "@/shared/bids.ts";
import { addDays, dayOf } from "@/shared/format/dates.ts";
import { isLive } from "./ownTenderNeeds.ts";

/** The number of days of the list after today. A badge that says "in 7 days" means the last of them. */
export const WEEK_DAYS = 7;

/** A document takes weeks to renew, so it is listed earlier. */
const DOCUMENT_DAYS = 30;

export type Step = Pick<CalendarEntry, "kind" | "at" | "isDoubtful">;
type Document = NonNullable<Company["documents"]>[number];

/** The steps and the tasks of a tender, or something of the company that expires. */
export type WeekItem =
  | {
      kind: "tender";
      tender: Pick<CalendarEntry, "tenderId" | "bidId" | "stage" | "title" | "organization">;
      steps: Step[];
      tasks: CalendarTask[];
    }
  | { kind: "own"; tender: Tender; steps: Step[] }
  | { kind: "document"; document: Document }
  | { kind: "cida" | "contractsAct"; name: string; expires: string };

/** The day of the first step, or of the expiry. */
function dueOf(item: WeekItem): string {
  switch (item.kind) {
    case "tender":
      return [dayOf(item.steps[0]?.at), item.tasks[0]?.due].filter(Boolean).toSorted()[0] ?? "";
    case "own":
      return dayOf(item.steps[0]?.at);
    case "document":
      return item.document.expires ?? "";
    default:
      return item.expires;
  }
}

/** Whether somebody has to act. After the delivery, only the opening and the bid security are left. */
function isToDo({ kind, stage, isCancelled }: CalendarEntry): boolean {
  if (isCancelled) return false;
  if (kind === "bond-expiry") return stage === "submitted" || stage === "won";
  if (stage === null || isInWork(stage)) return kind !== "opening";
  return stage === "submitted" && kind === "opening";
}

/** The steps of the user's own tender in the next days, which the calendar of bids does not have. */
function ownSteps({ preBid, dates }: Tender, now: number): Step[] {
  const last = addDays(dayOf(now), WEEK_DAYS);
  const moments = [
    ["pre-bid", preBid?.at],
    ["closing", dates?.closing],
    ["opening", dates?.opening],
  ] as const;
  return moments
    .flatMap(([kind, at]): Step[] => (at ? [{ kind, at, isDoubtful: false }] : []))
    .filter(({ at }) => Date.parse(at) >= now && dayOf(at) <= last)
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

/**
 * What is to be done after `now`, and the tasks that are late, the next day first, a tender once with all of
 * its steps and tasks. `own` are tenders that
 * the user has published.
 */
export function weekItems(
  calendar: Pick<TenderCalendar, "entries" | "tasks"> | undefined,
  company: Company | undefined,
  own: readonly Tender[],
  now: number,
): WeekItem[] {
  const byTender = new Map<string, WeekItem & { kind: "tender" }>();
  const ahead = (calendar?.entries ?? []).filter((entry) => isToDo(entry) && Date.parse(entry.at) >= now);
  for (const entry of ahead.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))) {
    const known = byTender.get(entry.tenderId);
    if (known) known.steps.push(entry);
    else byTender.set(entry.tenderId, { kind: "tender", tender: entry, steps: [entry], tasks: [] });
  }
  for (const task of calendar?.tasks ?? []) {
    const { bidId, tenderId, tenderTitle: title, organization, stage } = task;
    const known = byTender.get(tenderId);
    if (known) known.tasks.push(task);
    else {
      const tender = { bidId, tenderId, title, organization, stage };
      byTender.set(tenderId, { kind: "tender", tender, steps: [], tasks: [task] });
    }
  }
  const last = addDays(dayOf(now), DOCUMENT_DAYS);
  const ends = (day: string | null | undefined): day is string => day != null && day <= last;
  const { documents = [], cida = [], contractsAct = [] } = company ?? {};
  const expiring: WeekItem[] = [
    ...documents
      .filter(({ expires }) => ends(expires))
      .map((document): WeekItem => ({ kind: "document", document })),
    ...cida.flatMap(({ grade, field, expires }): WeekItem[] =>
      ends(expires) ? [{ kind: "cida", name: `${grade} ${field}`, expires }] : [],
    ),
    ...contractsAct.flatMap(({ sector, category, expires }): WeekItem[] =>
      ends(expires)
        ? [{ kind: "contractsAct", name: [sector, category].filter(Boolean).join(", "), expires }]
        : [],
    ),
  ];
  const published = own
    .filter(isLive)
    .map((tender): WeekItem & { kind: "own" } => ({ kind: "own", tender, steps: ownSteps(tender, now) }))
    .filter(({ steps }) => steps.length > 0);
  return [...byTender.values(), ...published, ...expiring].sort((one, other) =>
    dueOf(one).localeCompare(dueOf(other)),
  );
}
