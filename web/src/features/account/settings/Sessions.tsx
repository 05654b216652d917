// The browsers in which the user is signed in: this one, then those used last.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { RequestId } from "@/shared/page/RequestId.tsx";
import { Badge } from "@/ui/Badge.tsx";
import { Button } from "@/ui/Button.tsx";
import { SectionCard } from "@/ui/SectionCard.tsx";
import { ErrorBanner } from "@/ui/StatusMessages.tsx";
import { mySessions, useEndOtherSessions, useEndSession } from "./api.ts";
import { parseUserAgent } from "./userAgent.ts";

/** The number of browsers that are shown at first. */
const SHOWN = 5;

export function Sessions() {
  const { t } = useTranslation();
  const [isWhole, setWhole] = useState(false);
  const sessions = useQuery(mySessions);
  const browserName = (agent: string | null) => {
    const { browser, system } = parseUserAgent(agent);
    if (browser && system) return t("account.settings.browserOn", { browser, system });
    return browser ?? system ?? t("account.settings.unknownBrowser");
  };
  const end = useEndSession();
  const endOthers = useEndOtherSessions();
  const all = [...(sessions.data ?? [])].sort(
    (a, b) => Number(b.isCurrent) - Number(a.isCurrent) || Date.parse(b.usedAt) - Date.parse(a.usedAt),
  );
  const shown = isWhole ? all : all.slice(0, SHOWN);
  const hasOthers = all.some(({ isCurrent }) => !isCurrent);
  return (
    <SectionCard title={t("account.settings.sessions")}>
      {sessions.error && (
        <ErrorBanner title={t("account.settings.sessionsFailed")}>
          <RequestId error={sessions.error} />
        </ErrorBanner>
      )}
      <ul className="divide-y divide-line">
        {shown.map(({ _id, userAgent, usedAt, isCurrent }) => (
          <li
            key={_id}
            className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0 last:pb-0"
          >
            <div className="min-w-0 flex-1">
              <p className="text-[0.9375rem]" title={userAgent ?? undefined}>
                {browserName(userAgent)}
              </p>
              <p className="text-sm text-ink-soft">
                {t("account.settings.lastUsed", { date: formatMoment(usedAt) })}
              </p>
            </div>
            {isCurrent ? (
              <Badge tone="good">{t("account.settings.thisOne")}</Badge>
            ) : (
              <Button
                variant="outlined"
                size="small"
                disabled={end.isPending}
                onClick={() => end.mutate(_id)}
              >
                {t("account.settings.signOutThere")}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap gap-3 empty:hidden">
        {shown.length < all.length && (
          <Button variant="plain" size="small" onClick={() => setWhole(true)}>
            {t("account.settings.allSessions", { count: all.length })}
          </Button>
        )}
        {hasOthers && (
          <Button
            variant="outlined"
            size="small"
            disabled={endOthers.isPending}
            onClick={() => endOthers.mutate()}
          >
            {t("account.settings.signOutOthers")}
          </Button>
        )}
      </div>
    </SectionCard>
  );
}
