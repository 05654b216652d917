// The list of awards, by the day of the decision. A row has columns on wide screens and at most four short
// lines on phones. A winner and a body lead to their other awards.

import { useEffect, useId, useRef, useState } from "react";
import { Link } from "react-router";
import type { Award } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { AwardAmount, AwardSource, AwardWinners } from "@/shared/awards/AwardFacts.tsx";
import { formatDay } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";

const columns = "lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)_minmax(0,2.25fr)_minmax(0,3fr)] lg:gap-x-6";

/** Awards of one day that follow each other. */
interface Day {
  decidedOn: string;
  awards: Award[];
}

/** The awards by day, in the order of the list. A list by relevance has a day more than once. */
function daysOf(awards: readonly Award[]): Day[] {
  const days: Day[] = [];
  for (const award of awards) {
    const last = days.at(-1);
    if (last?.decidedOn === award.decidedOn) last.awards.push(award);
    else days.push({ decidedOn: award.decidedOn, awards: [award] });
  }
  return days;
}

/** Whether the text of one of some elements is cut off. The elements keep their number. */
function useIsCut(isOpen: boolean) {
  const parts = useRef<(HTMLElement | null)[]>([]);
  const [isCut, setCut] = useState(false);
  useEffect(() => {
    // An open text has no limit to compare with.
    if (isOpen) return;
    const measure = () => setCut(parts.current.some((part) => part && part.scrollHeight > part.clientHeight));
    measure();
    const observer = new ResizeObserver(measure);
    for (const part of parts.current) if (part) observer.observe(part);
    return () => observer.disconnect();
  }, [isOpen]);
  return { parts, isCut };
}

/** What was bought: the title, the lot, and the link to the tender. A long title or lot opens with a button. */
function Bought({ award, id }: { award: Award; id: string }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { parts, isCut } = useIsCut(isOpen);
  const titleLines = award.lot ? "line-clamp-1 lg:line-clamp-2" : "line-clamp-2";
  return (
    <div className="min-w-0 max-lg:col-span-2">
      <h3
        ref={(heading) => {
          parts.current[0] = heading;
        }}
        id={id}
        className={`font-semibold text-wrap wrap-anywhere max-lg:leading-snug ${isOpen ? "" : titleLines}`}
      >
        {award.title}
      </h3>
      {award.lot && (
        <p
          ref={(lot) => {
            parts.current[1] = lot;
          }}
          className={`text-sm text-ink-soft wrap-anywhere ${isOpen ? "" : "line-clamp-1 lg:line-clamp-2"}`}
        >
          {t("awards.lot", { lot: award.lot })}
        </p>
      )}
      <div className="flex flex-wrap gap-x-4 empty:hidden">
        {isCut && (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-describedby={id}
            onClick={() => setOpen(!isOpen)}
            className="inline-flex min-h-6 items-center text-[0.9375rem] font-semibold text-accent hover:underline max-sm:min-h-11"
          >
            {t(isOpen ? "awards.showLess" : "awards.showWhole")}
          </button>
        )}
        {award.tender && (
          <Link
            to={paths.tender(award.tender)}
            className="inline-flex min-h-6 items-center text-[0.9375rem] text-accent underline underline-offset-2"
          >
            {t("awards.tender")}
          </Link>
        )}
      </div>
    </div>
  );
}

function AwardRow({ award }: { award: Award }) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <li>
      <article
        aria-labelledby={id}
        className={`grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 px-4 py-2.5 text-[0.9375rem] ${columns}`}
      >
        <Bought award={award} id={id} />
        <dl className="contents">
          <div className="min-w-0 max-lg:mt-0.5">
            <dt className="sr-only">{t("awards.winner")}</dt>
            <dd>
              <AwardWinners award={award} />
            </dd>
          </div>
          <div className="min-w-0 text-right max-lg:mt-0.5 max-lg:max-w-40">
            <dt className="sr-only">{t("awards.amount")}</dt>
            <dd>
              <AwardAmount award={award} />
            </dd>
          </div>
          <div className="min-w-0 text-sm max-lg:col-span-2">
            <dt className="sr-only">{t("awards.decidedBy")}</dt>
            <dd className="flex items-center justify-between gap-x-3 lg:block">
              {award.body && award.bodySlug && (
                <Link
                  to={paths.buyer(award.bodySlug)}
                  title={award.body}
                  className="min-w-0 py-0.5 text-ink-soft hover:text-accent hover:underline wrap-anywhere line-clamp-1 lg:line-clamp-2"
                >
                  {award.body}
                </Link>
              )}
              <span className="shrink-0">
                <AwardSource award={award} isShort />
              </span>
            </dd>
          </div>
        </dl>
      </article>
    </li>
  );
}

export function AwardRows({ awards }: { awards: readonly Award[] }) {
  const { t } = useTranslation();
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-sheet">
      <div
        aria-hidden
        className={`hidden border-b border-line px-4 py-2 text-sm font-semibold text-ink-soft lg:grid ${columns}`}
      >
        <span>{t("awards.bought")}</span>
        <span>{t("awards.winner")}</span>
        <span className="text-right">{t("awards.amount")}</span>
        <span>{t("awards.decidedBy")}</span>
      </div>
      {daysOf(awards).map((day) => (
        <section
          key={day.awards[0]?._id}
          aria-label={formatDay(noonOf(day.decidedOn))}
          className="border-line not-last:border-b"
        >
          <h2 className="border-b border-line bg-well px-4 py-1 text-sm font-semibold">
            <span className="sr-only">{t("awards.decided")} </span>
            <time dateTime={day.decidedOn}>{formatDay(noonOf(day.decidedOn))}</time>
          </h2>
          <ul className="divide-y divide-line">
            {day.awards.map((award) => (
              <AwardRow key={award._id} award={award} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** A moment of a day in Sri Lanka. */
function noonOf(day: string): string {
  return `${day}T12:00:00+05:30`;
}
