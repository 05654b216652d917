// The figures of the portal over 90 days, in groups. The last day and the open figure stand in the
// address of the page.

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { SearchX } from "lucide-react";
import { Link } from "react-router";
import { messageOf } from "@/api/error.ts";
import type { EmptySearch } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { useNow } from "@/shared/clock.ts";
import { dayOf, formatDay } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { Button } from "@/ui/Button.tsx";
import { TextField } from "@/ui/Field.tsx";
import { EmptyState, ErrorBanner, LoadingScreen } from "@/ui/StatusMessages.tsx";
import { useFilters } from "../filters.ts";
import { OperatePage } from "../OperatePage.tsx";
import { FigureCard } from "./FigureCard.tsx";
import { FigureDialog } from "./FigureDialog.tsx";
import { figuresUntil, GROUPS } from "./figures.ts";

function EmptySearches({ searches }: { searches: readonly EmptySearch[] }) {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="empty-searches" className="mt-10">
      <h2 id="empty-searches" className="text-lg font-semibold">
        {t("operate.figures.emptySearches")}
      </h2>
      <p className="mt-1 mb-4 max-w-[70ch] text-[0.9375rem] text-ink-soft">
        {t("operate.figures.emptySearchesHelp")}
      </p>
      {searches.length === 0 ? (
        <EmptyState icon={<SearchX size={22} />} title={t("operate.figures.noEmptySearches")}>
          {t("operate.figures.noEmptySearchesHelp")}
        </EmptyState>
      ) : (
        <ol className="grid gap-x-10 lg:grid-cols-2">
          {searches.map(({ text, searches }) => (
            <li key={text} className="flex items-center justify-between gap-4 border-b border-line py-1">
              <Link
                to={`${paths.tenders}?search=${encodeURIComponent(text)}`}
                className="inline-flex min-h-11 items-center text-accent underline wrap-anywhere"
              >
                {text}
              </Link>
              <span className="shrink-0 text-sm text-ink-soft tabular-nums">
                {t("operate.figures.times", { count: searches })}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

/** The columns of each group on a wide screen, so that no card stands alone in the last row. */
const columns: Record<(typeof GROUPS)[number]["name"], string> = {
  reading: "lg:grid-cols-3",
  alerts: "lg:grid-cols-3",
  readers: "",
  money: "lg:grid-cols-4",
  queues: "lg:grid-cols-3 xl:grid-cols-5",
};

function FigureGroups({
  to,
  onOpen,
  open,
}: {
  to: string | null;
  onOpen: (name: string) => void;
  open: string | null;
}) {
  const { t } = useTranslation();
  const today = dayOf(useNow());
  const query = useQuery({ ...figuresUntil(to), placeholderData: keepPreviousData });
  if (query.error)
    return (
      <ErrorBanner
        title={messageOf(query.error, t("operate.figures.failed"))}
        action={
          <Button variant="outlined" size="small" onClick={() => void query.refetch()}>
            {t("shell.tryAgain")}
          </Button>
        }
      />
    );
  if (!query.data) return <LoadingScreen label={t("shell.loading")} />;
  const { figures, queues, emptySearches, ...days } = query.data;
  const opened = figures.find(({ figure }) => figure === open);
  return (
    <>
      <p className="text-ink-soft">
        {t("operate.figures.days", { from: formatDay(days.from), to: formatDay(days.to) })}
      </p>
      {GROUPS.map(({ name, figures: names }) => (
        <section key={name} aria-labelledby={`group-${name}`} className="mt-8">
          <h2 id={`group-${name}`} className="mb-3 text-lg font-semibold">
            {t(`operate.figures.group.${name}`)}
          </h2>
          <ul className={`grid gap-4 sm:grid-cols-2 ${columns[name]}`}>
            {names.flatMap((name) => {
              const series = figures.find(({ figure }) => figure === name);
              if (!series) return [];
              return (
                <FigureCard
                  key={name}
                  series={series}
                  from={days.from}
                  isToday={days.to === today}
                  queues={queues}
                  onOpen={() => onOpen(name)}
                />
              );
            })}
          </ul>
        </section>
      ))}
      <EmptySearches searches={emptySearches} />
      {opened && <FigureDialog series={opened} {...days} onClose={() => onOpen("")} />}
    </>
  );
}

export function Component() {
  const { t } = useTranslation();
  const { params, setFilter } = useFilters<"to" | "figure">();
  const today = dayOf(useNow());
  const to = params.get("to");
  return (
    <OperatePage title={t("operate.figures.title")}>
      <div className="mt-4 mb-5 max-w-52">
        <TextField
          type="date"
          label={t("operate.figures.lastDay")}
          value={to ?? today}
          max={today}
          onChange={({ target }) => {
            // While a date is typed, the field is empty.
            if (target.value) setFilter("to", target.value === today ? "" : target.value);
          }}
        />
      </div>
      <FigureGroups to={to} open={params.get("figure")} onOpen={(figure) => setFilter("figure", figure)} />
    </OperatePage>
  );
}
