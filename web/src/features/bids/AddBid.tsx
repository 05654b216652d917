// Adds the tender of a mailed link to the board, and says so. A plan without room for another open bid
// is named.

import { useEffect, useEffectEvent, useRef } from "react";
import { useSearchParams } from "react-router";
import { messageOf } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { UpgradePrompt } from "@/shared/plans/UpgradePrompt.tsx";
import { needsUpgrade } from "@/shared/plans/upgradeError.ts";
import { ErrorBanner } from "@/ui/StatusMessages.tsx";
import { toast } from "@/ui/toasts.ts";
import { useAddBid } from "./api.ts";

export function AddBid({ tenderId }: { tenderId: string }) {
  const { t } = useTranslation();
  const [, setParameters] = useSearchParams();
  const add = useAddBid();
  const sent = useRef<string | null>(null);
  const send = useEffectEvent((id: string) => {
    // In development, effects run twice.
    if (sent.current === id) return;
    sent.current = id;
    add.mutate(id, {
      onSuccess: () => {
        toast.success(t("bids.added"));
        setParameters({}, { replace: true });
      },
    });
  });
  useEffect(() => send(tenderId), [tenderId]);
  if (!add.error) return null;
  const text = messageOf(add.error, t("bids.failed"));
  return (
    <div className="mb-5">
      {needsUpgrade(add.error) ? (
        <UpgradePrompt plan={add.error.plan} text={text} />
      ) : (
        <ErrorBanner title={text} />
      )}
    </div>
  );
}
