// The desk of administrators and reviewers: what waits and since when, and the figures of today
// beside those of an average day.

import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { Link } from "react-router";
import { messageOf } from "@/api/error.ts";
import type { OperatorTask } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { useNow } from "@/shared/clock.ts";
import { paths } from "@/shared/paths.ts";
import { useAccount } from "@/shared/session/account.ts";
import { Button } from "@/ui/Button.tsx";
import { EmptyState, ErrorBanner, LoadingScreen } from "@/ui/StatusMessages.tsx";
import {
  type FigureName,
  figuresUntil,
  formatDuration,
  formatValue,
  todayAndUsual,
} from "./figures/figures.ts";
import { OperatePage, STAFF } from "./OperatePage.tsx";
import { TASKS, waitingWork } from "./tasks.ts";

/** The figures that say how the day goes. */
const FIGURES_OF_TODAY: readonly FigureName[] = [
  "pages",
  "notices",
  "matches",
  "emails",
  "bounces",
  "new-users",
];

function LoadingFailed({ error, title, retry }: { error: Error; title: string; retry: () => void }) {
  const { t } = useTranslation();
  const action = (
    <Button variant="outlined" size="small" onClick={retry}>
      {t("shell.tryAgain")}
    </Button>
  );
  return <ErrorBanner title={messageOf(error, title)} action={action} />;
}

/** A kind of work of which something waits. The whole row leads to its page. */
function TaskRow({ work }: { work: OperatorTask }) {
  const { t } = useTranslation();
  const now = useNow();
  const { task, waiting, oldestSince } = work;
  const { icon: Icon, path } = TASKS[task];
  const seconds = oldestSince && Math.max(0, (now - Date.parse(oldestSince)) / 1000);
  return (
    <li className="relative flex items-center gap-4 px-4 py-3 hover:bg-accent-wash has-focus-visible:bg-accent-wash">
      <Icon size={22} aria-hidden className="shrink-0 text-accent" />
      <div className="min-w-0 flex-1">
        <Link to={path} className="font-semibold after:absolute after:inset-0">
          {t(`operate.home.task.${task}`)}
        </Link>
        <p className="text-[0.9375rem] text-ink-soft">
          {typeof seconds === "number"
            ? t("operate.home.oldest", { age: formatDuration(seconds, t) })
            : t(`operate.home.help.${task}`)}
        </p>
      </div>
      <span className="text-2xl font-bold tracking-tight tabular-nums">{waiting}</span>
    </li>
  );
}

/** The way to the gaps of earlier days, which are no work of today. */
function EarlierGaps() {
  const { t } = useTranslation();
  return (
    <Link to={paths.operateCoverage} className="text-accent underline underline-offset-4">
      {t("operate.home.earlierGaps")}
    </Link>
  );
}

function Waiting() {
  const { t } = useTranslation();
  const { data: tasks, error, refetch } = useQuery(waitingWork);
  if (!tasks && error)
    return <LoadingFailed error={error} title={t("operate.failed")} retry={() => void refetch()} />;
  if (!tasks) return <LoadingScreen label={t("shell.loading")} />;
  const open = tasks.filter(({ waiting }) => waiting > 0);
  const done = tasks.filter(({ waiting }) => waiting === 0);
  const names = done.map(({ task }) => t(`operate.home.task.${task}`));
  return (
    <section aria-labelledby="waiting" className="mt-4">
      <h2 id="waiting" className="mb-3 text-lg font-semibold">
        {t("operate.home.waiting")}
      </h2>
      {open.length === 0 ? (
        <EmptyState
          icon={<CircleCheck size={22} />}
          title={t("operate.home.nothing")}
          action={<EarlierGaps />}
        >
          {t("operate.home.nothingHelp")}
        </EmptyState>
      ) : (
        <>
          <ul className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-sheet">
            {open.map((work) => (
              <TaskRow key={work.task} work={work} />
            ))}
          </ul>
          {names.length > 0 && (
            <p className="mt-3 flex items-start gap-2 text-[0.9375rem] text-ink-soft">
              <CircleCheck size={18} aria-hidden className="mt-0.5 shrink-0" />
              <span>
                {t("operate.home.done", { names: names.join(", ") })}{" "}
                {done.some(({ task }) => task === "gaps") && <EarlierGaps />}
              </span>
            </p>
          )}
        </>
      )}
    </section>
  );
}

function Today() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(figuresUntil(null));
  if (!data && error)
    return <LoadingFailed error={error} title={t("operate.figures.failed")} retry={() => void refetch()} />;
  if (!data) return <LoadingScreen label={t("shell.loading")} />;
  return (
    <section aria-labelledby="today" className="mt-10">
      <h2 id="today" className="mb-3 text-lg font-semibold">
        {t("operate.home.today")}
      </h2>
      <ul className="grid grid-cols-2 gap-4 md:grid-cols-3 xl:grid-cols-6">
        {FIGURES_OF_TODAY.flatMap((name) => {
          const series = data.figures.find(({ figure }) => figure === name);
          if (!series) return [];
          const { today, usual } = todayAndUsual(series);
          return (
            <li
              key={name}
              className="relative rounded-xl border border-line bg-sheet p-4 hover:border-accent"
            >
              <Link
                to={`${paths.operateFigures}?figure=${name}`}
                className="font-semibold after:absolute after:inset-0"
              >
                {t(`operate.figures.name.${name}`)}
              </Link>
              <p className="mt-1 text-2xl font-bold tracking-tight tabular-nums">
                {today === null ? t("operate.figures.none") : formatValue(today, series, t)}
              </p>
              <p className="mt-1 text-sm text-ink-soft">
                {usual === null
                  ? t("operate.home.noUsual")
                  : t("operate.home.usual", { value: formatValue(usual, series, t) })}
              </p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

export function Component() {
  const { t } = useTranslation();
  const { user } = useAccount();
  return (
    <OperatePage title={t("operate.home.title")} only={STAFF}>
      <Waiting />
      {user?.role === "admin" && <Today />}
    </OperatePage>
  );
}
