// The address at which the user's calendar program reads the deadlines.

import { useQuery } from "@tanstack/react-query";
import { CalendarSync, Check, Copy } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "@/i18n/i18n.ts";
import { UpgradePrompt } from "@/shared/plans/UpgradePrompt.tsx";
import { Button } from "@/ui/Button.tsx";
import { SectionCard } from "@/ui/SectionCard.tsx";
import { toast } from "@/ui/toasts.ts";
import { calendarAddress, useCalendarAddress } from "./calendarApi.ts";

function CopyButton({ url }: { url: string }) {
  const { t } = useTranslation();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      setCopied(true);
    } catch {
      toast.error(t("bids.calendar.copyFailed"), { description: url });
    }
  };
  return (
    <Button size="small" onClick={() => void copy()}>
      {isCopied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
      {t(isCopied ? "bids.calendar.copied" : "bids.calendar.copy")}
    </Button>
  );
}

export function CalendarAddress() {
  const { t } = useTranslation();
  const { data: address } = useQuery(calendarAddress);
  const change = useCalendarAddress();
  if (!address) return null;
  const { feedUrl, isIncluded } = address;
  return (
    <SectionCard title={t("bids.calendar.feed")}>
      <p className="text-[0.9375rem] text-ink-soft">{t("bids.calendar.feedText")}</p>
      <div className="mt-4 grid gap-3">
        {!isIncluded && <UpgradePrompt plan="professional" text={t("bids.calendar.feedPlan")} isNamed />}
        {feedUrl && (
          <div>
            <p className="rounded-lg bg-well px-3 py-2 text-sm break-all select-all" dir="ltr">
              {feedUrl}
            </p>
            <p className="mt-1.5 text-sm text-ink-soft">{t("bids.calendar.feedSecret")}</p>
          </div>
        )}
        <div className="flex flex-wrap gap-2">
          {feedUrl && isIncluded && <CopyButton url={feedUrl} />}
          {isIncluded && (
            <Button
              variant={feedUrl ? "outlined" : "filled"}
              size="small"
              disabled={change.isPending}
              onClick={() => change.mutate("renew")}
            >
              {!feedUrl && <CalendarSync size={16} aria-hidden />}
              {t(feedUrl ? "bids.calendar.renew" : "bids.calendar.create")}
            </Button>
          )}
          {feedUrl && (
            <Button
              variant="plain"
              size="small"
              disabled={change.isPending}
              onClick={() => change.mutate("revoke")}
            >
              {t("bids.calendar.revoke")}
            </Button>
          )}
        </div>
      </div>
    </SectionCard>
  );
}
