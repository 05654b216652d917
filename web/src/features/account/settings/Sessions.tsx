// The browsers in which the user is signed in.

import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { RequestId } from "@/shared/page/RequestId.tsx";
import { Badge } from "@/ui/Badge.tsx";
import { Button } from "@/ui/Button.tsx";
import { SectionCard } from "@/ui/SectionCard.tsx";
import { ErrorBanner } from "@/ui/StatusMessages.tsx";
import { mySessions, useEndOtherSessions, useEndSession } from "./api.ts";
import { parseUserAgent } from "./userAgent.ts";

export function Sessions() {
  const { t } = useTranslation();
  const sessions = useQuery(mySessions);
  const browserName = (agent: string | null) => {
    const { browser, system } = parseUserAgent(agent);
    if (browser && system) return t("account.settings.browserOn", { browser, system });
    return browser ?? system ?? t("account.settings.unknownBrowser");
  };
  const end = useEndSession();
  const endOthers = useEndOtherSessions();
  const hasOthers = sessions.data?.some(({ isCurrent }) => !isCurrent);
  return (
    <SectionCard title={t("account.settings.sessions")}>
      {sessions.error && (
        <ErrorBanner title={t("account.settings.sessionsFailed")}>
          <RequestId error={sessions.error} />
        </ErrorBanner>
      )}
      <ul className="divide-y divide-line">
        {sessions.data?.map(({ _id, userAgent, usedAt, isCurrent }) => (
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
      {hasOthers && (
        <Button
          variant="outlined"
          size="small"
          className="mt-4 justify-self-start"
          disabled={endOthers.isPending}
          onClick={() => endOthers.mutate()}
        >
          {t("account.settings.signOutOthers")}
        </Button>
      )}
    </SectionCard>
  );
}
