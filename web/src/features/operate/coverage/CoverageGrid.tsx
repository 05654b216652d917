// The table of newspapers and days. Each cell opens a dialog. The arrow keys move between cells.

import { type KeyboardEvent, useRef } from "react";
import { Link } from "react-router";
import type { Coverage, Issue } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatDay } from "@/shared/format/dates.ts";
import { dayNumber, daysBetween, monthOf, timeText, weekdayOf } from "./days.ts";
import { addPaperPath, type OpenIssue } from "./IssueDialog.tsx";
import { pagesOf, StateIcon, useContentText } from "./issueStates.tsx";

const ARROWS: Record<string, readonly [number, number]> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

/** Moves the focus from a cell to the next one in the direction of an arrow key. */
function moveFocus(event: KeyboardEvent<HTMLTableElement>) {
  const step = ARROWS[event.key];
  const cell = event.target instanceof Element ? event.target.closest("td") : null;
  const row = cell?.closest("tr");
  if (!step || !cell || !row) return;
  const rows = [...event.currentTarget.querySelectorAll("tbody tr")].filter((row) =>
    row.querySelector("td button"),
  );
  const target =
    rows[rows.indexOf(row) + step[0]]?.querySelectorAll("td")[
      [...row.querySelectorAll("td")].indexOf(cell) + step[1]
    ];
  const button = target?.querySelector("button");
  if (!button) return;
  event.preventDefault();
  button.focus();
}

function IssueCell({ entry, isToday, onOpen }: { entry: OpenIssue; isToday: boolean; onOpen: () => void }) {
  const { t } = useTranslation();
  const { name, issue } = entry;
  const content = useContentText(issue);
  const state = t(`operate.coverage.state.${issue.state}`);
  const label = [
    t("operate.coverage.issue", { name, day: formatDay(issue.date) }),
    [state, content].filter(Boolean).join(", "),
  ].join(": ");
  return (
    <td className={`border-b border-line p-0 text-center ${isToday ? "bg-accent-wash/60" : ""}`}>
      <button
        type="button"
        aria-label={label}
        title={[state, content].filter(Boolean).join(", ")}
        onClick={onOpen}
        className="grid min-h-12 w-full min-w-12 cursor-pointer place-items-center -outline-offset-2 hover:bg-well"
      >
        <span className={issue.isGap ? "rounded-md ring-2 ring-urgent" : ""}>
          <StateIcon state={issue.state} count={pagesOf(issue) || issue.notices} />
        </span>
      </button>
    </td>
  );
}

export function CoverageGrid({ data, onOpen }: { data: Coverage; onOpen: (issue: OpenIssue) => void }) {
  const { t } = useTranslation();
  const days = daysBetween(data.from, data.to);
  const holidays = new Map(data.holidays.map((holiday) => [holiday.date, holiday]));
  const isPlaced = useRef(false);
  // A narrow window shows the latest days first.
  const place = (box: HTMLElement | null) => {
    if (!box || isPlaced.current) return;
    isPlaced.current = true;
    box.scrollLeft = box.scrollWidth;
  };
  const cells = (name: string, paper: OpenIssue["paper"], issues: readonly Issue[]) =>
    issues.map((issue) => {
      const entry = { name, paper, issue };
      return (
        <IssueCell
          key={issue.date}
          entry={entry}
          isToday={issue.date === data.today}
          onOpen={() => onOpen(entry)}
        />
      );
    });
  const rowHeadStyle =
    "sticky left-0 z-10 w-32 min-w-32 border-r border-b border-line bg-sheet px-3 py-1.5 text-left font-semibold wrap-anywhere sm:w-52 sm:min-w-52";
  return (
    <section
      ref={place}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the table
      tabIndex={0}
      aria-label={t("operate.coverage.table")}
      className="relative overflow-x-auto rounded-xl border border-line bg-sheet"
    >
      <table className="w-full border-separate border-spacing-0 text-[0.9375rem]" onKeyDown={moveFocus}>
        <caption className="sr-only">{t("operate.coverage.caption")}</caption>
        <thead>
          <tr>
            <th scope="col" className={`${rowHeadStyle} align-bottom`}>
              {t("operate.coverage.newspaper")}
            </th>
            {days.map((day, nth) => {
              const holiday = holidays.get(day);
              const isToday = day === data.today;
              return (
                <th
                  key={day}
                  scope="col"
                  aria-current={isToday ? "date" : undefined}
                  className={`border-b border-line px-1 py-1.5 align-top text-sm font-semibold ${isToday ? "bg-accent-wash text-accent" : ""}`}
                >
                  <span className="sr-only">
                    {formatDay(day)}
                    {isToday && `, ${t("operate.coverage.today")}`}
                    {holiday && `, ${holiday.name}`}
                  </span>
                  <span aria-hidden title={holiday?.name} className="grid justify-items-center leading-tight">
                    <span className="font-normal">{weekdayOf(day)}</span>
                    <span className="text-base tabular-nums">{dayNumber(day)}</span>
                    {(nth === 0 || dayNumber(day) === 1) && (
                      <span className="font-normal">{monthOf(day)}</span>
                    )}
                    {isToday && <span className="text-xs">{t("operate.coverage.today")}</span>}
                    {holiday && (
                      <span className="mt-0.5 rounded bg-soon-wash px-1 text-xs text-soon">
                        {t(`operate.coverage.holidays.short.${holiday.kind}`)}
                      </span>
                    )}
                  </span>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {data.papers.map(({ paper, issues }) => (
            <tr key={paper._id}>
              <th scope="row" className={rowHeadStyle}>
                {paper.name}
                <span className="block text-sm font-normal text-ink-soft">
                  {paper.pausedFrom
                    ? t("operate.coverage.papers.paused")
                    : t("operate.coverage.by", { time: timeText(paper.dueTime) })}
                </span>
              </th>
              {cells(paper.name, paper, issues)}
            </tr>
          ))}
        </tbody>
        {data.unlisted.length > 0 && (
          <tbody>
            <tr>
              <th
                scope="rowgroup"
                colSpan={days.length + 1}
                className="border-b border-line bg-well px-3 py-2 text-left text-sm font-semibold"
              >
                <span className="sticky left-3">{t("operate.coverage.unlisted")}</span>
              </th>
            </tr>
            {data.unlisted.map(({ name, issues }) => (
              <tr key={name}>
                <th scope="row" className={rowHeadStyle}>
                  {name}
                  <Link
                    to={addPaperPath(name)}
                    aria-label={t("operate.coverage.addNameToTable", { name })}
                    className="flex min-h-8 items-center text-sm font-medium text-accent underline underline-offset-4 max-md:min-h-11"
                  >
                    {t("operate.coverage.addToTable")}
                  </Link>
                </th>
                {cells(name, null, issues)}
              </tr>
            ))}
          </tbody>
        )}
      </table>
    </section>
  );
}
