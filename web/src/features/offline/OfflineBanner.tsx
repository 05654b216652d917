// The banner above pages that show cached data because the portal is unreachable.

import { useQueryClient } from "@tanstack/react-query";
import { CloudOff } from "lucide-react";
import { useCallback, useSyncExternalStore } from "react";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { Page } from "@/ui/Sheet.tsx";
import { oldestShownData } from "./responseCache.ts";

export default function OfflineBanner() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const subscribe = useCallback(
    (listener: () => void) => client.getQueryCache().subscribe(listener),
    [client],
  );
  const since = useSyncExternalStore(subscribe, () => oldestShownData(client));
  return (
    <div role="status">
      {since !== null && (
        <div className="border-b border-line bg-soon-wash text-soon">
          <Page className="flex items-start gap-2.5 py-2 text-[0.9375rem]">
            <CloudOff size={18} aria-hidden className="mt-0.5 shrink-0" />
            <p>
              {t(navigator.onLine ? "shell.offline.silent" : "shell.offline.none")}{" "}
              {t("shell.offline.since", { moment: formatMoment(new Date(since).toISOString()) })}
            </p>
          </Page>
        </div>
      )}
    </div>
  );
}
