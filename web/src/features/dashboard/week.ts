// What a bidder must do in the next days: the steps of bids and saved tenders, and documents that expire.

import type { CalendarEntry, Company } from "@/api/types.ts";
import { isInWork } from "@/shared/bids.ts";
import { addDays, dayOf } from "@/shared/format/dates.ts";

/** The number of days of the list after today. A badge that says "in 7 days" means the last of them. */
export const WEEK_DAYS = 7;

/** A document takes weeks to renew, so it is listed earlier. */
const DOCUMENT_DAYS = 30;

type Step = Pick<CalendarEntry, "kind" | "at" | "isDoubtful">;
type Document = NonNullable<Company["documents"]>[number];

/** The steps of a tender, or something of the company that expires. */
export type WeekItem =
  | {
      kind: "tender";
      tender: Pick<CalendarEntry, "tenderId" | "bidId" | "stage" | "title" | "organization">;
      steps: Step[];
    }
  | { kind: "document"; document: Document }
  | { kind: "cida" | "contractsAct"; name: string; expires: string };

/** The day of the first step, or of the expiry. */
function dueOf(item: WeekItem): string {
  switch (item.kind) {
    case "tender":
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

/** What is to be done after `now`, the next day first, a tender once with all of its steps. */
export function weekItems(
  entries: readonly CalendarEntry[],
  company: Company | undefined,
  now: number,
): WeekItem[] {
  const byTender = new Map<string, WeekItem & { kind: "tender" }>();
  const ahead = entries.filter((entry) => isToDo(entry) && Date.parse(entry.at) >= now);
  for (const entry of ahead.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))) {
    const known = byTender.get(entry.tenderId);
    if (known) known.steps.push(entry);
    else byTender.set(entry.tenderId, { kind: "tender", tender: entry, steps: [entry] });
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
  return [...byTender.values(), ...expiring].sort((one, other) => dueOf(one).localeCompare(dueOf(other)));
}
