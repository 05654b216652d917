// A live preview of the recent tenders that the edited alert would have matched.

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ApiError, messageOf } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { type AlertBody, type AlertPreview, type AlertQuery, alertPreview } from "./api.ts";
import { type AlertForm, MAX_KEYWORDS, toPreviewBody } from "./form.ts";
import { KeywordTranslations, type OfferedKeyword } from "./KeywordTranslations.tsx";
import { MatchedTender } from "./MatchedTender.tsx";
import { mailPace } from "./mailPace.ts";
import { TooBroad } from "./TooBroad.tsx";

const DEBOUNCE_MS = 500;
/** Beyond the second, matches are shown on wide screens only, where they stand beside the form. */
const MAX_SHOWN_MATCHES = 5;

/**
 * The request body of the preview; `null` while the form can't be previewed. A change of the form
 * takes effect after `DEBOUNCE_MS` without further changes.
 */
function useDebouncedBody(form: AlertForm): AlertBody | null {
  const written = JSON.stringify(toPreviewBody(form));
  const [settled, setSettled] = useState(written);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(written), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [written]);
  return JSON.parse(settled) as AlertBody | null;
}

/** The matches of the form, which follow it after `DEBOUNCE_MS`. */
export function usePreview(form: AlertForm) {
  const body = useDebouncedBody(form);
  const preview = useQuery({ ...alertPreview(body ?? {}), enabled: body !== null });
  return { body, ...preview };
}

/** What the alert would find, in a line. The preview tells screen readers the same. */
export function PreviewCount({ form }: { form: AlertForm }) {
  const { t } = useTranslation();
  const { body, data, error } = usePreview(form);
  if (body === null) return <p className="text-sm text-ink-soft">{t("alerts.preview.begin")}</p>;
  if (error || !data) return null;
  return (
    <p className="text-sm">
      <strong className="text-base tabular-nums">
        {data.matchCount}
        {data.hasMore && "+"}
      </strong>{" "}
      {t("alerts.preview.matches", { count: data.matchCount, days: data.days })}
    </p>
  );
}

/** The keyword that finds more than each of the others; `null` if none does. */
function noisiestKeyword({ keywords }: AlertPreview): string | null {
  const most = Math.max(...keywords.map(({ count }) => count));
  const leading = keywords.filter(({ count }) => count === most);
  return most > 0 && keywords.length > 1 && leading.length === 1 ? (leading[0]?.term ?? null) : null;
}

/** The error of the preview. A rate limit ends by itself, so only a hint is shown for it. */
function PreviewError({ error }: { error: Error }) {
  const { t } = useTranslation();
  if (error instanceof ApiError && error.status === 429) {
    return (
      <p role="status" className="mt-1 text-[0.9375rem] text-ink-soft">
        {t("alerts.preview.resting")}
      </p>
    );
  }
  return <p className="mt-1 text-[0.9375rem] text-urgent">{messageOf(error, t("alerts.preview.failed"))}</p>;
}

interface MatchPreviewProps {
  form: AlertForm;
  onAdd: (keywords: OfferedKeyword[]) => void;
  /** Takes a narrower version of the alert. Without it, none are offered. */
  onTake?: (query: AlertQuery) => void;
}

export function MatchPreview({ form, onAdd, onTake }: MatchPreviewProps) {
  const { t } = useTranslation();
  const { body, data, error, isFetching } = usePreview(form);
  const noisiest = data && noisiestKeyword(data);
  return (
    <section
      aria-label={t("alerts.preview.title")}
      aria-busy={isFetching}
      className="rounded-xl border border-line bg-paper p-4"
    >
      <h3 className="font-semibold">{t("alerts.preview.title")}</h3>
      {body === null && <p className="mt-1 text-[0.9375rem] text-ink-soft">{t("alerts.preview.begin")}</p>}
      {body !== null && error && <PreviewError error={error} />}
      {body !== null && data && (
        <>
          <p role="status" className="mt-1 text-[0.9375rem]">
            <strong className="text-lg tabular-nums">
              {data.matchCount}
              {data.hasMore && "+"}
            </strong>{" "}
            {t("alerts.preview.matches", { count: data.matchCount, days: data.days })}{" "}
            {data.matchCount > 0 && mailPace(data.mailsAWeek, t)}
          </p>
          {data.breadth.isTooBroad && <TooBroad breadth={data.breadth} {...(onTake && { onTake })} />}
          {data.keywords.length > 1 && (
            <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm">
              {data.keywords.map(({ term, count }) => (
                <li key={term}>
                  {term}: <span className="font-semibold tabular-nums">{count}</span>
                </li>
              ))}
            </ul>
          )}
          {noisiest && (
            <p className="mt-1 text-sm text-ink-soft">{t("alerts.preview.noisiest", { term: noisiest })}</p>
          )}
          <ul className="mt-3 grid gap-2.5">
            {data.matches.slice(0, MAX_SHOWN_MATCHES).map((match) => (
              <li key={match._id} className="max-lg:nth-[n+3]:hidden">
                <MatchedTender match={match} />
              </li>
            ))}
          </ul>
          <KeywordTranslations
            keywords={data.keywords}
            remainingKeywords={MAX_KEYWORDS - form.keywords.length}
            onAdd={onAdd}
          />
        </>
      )}
    </section>
  );
}
