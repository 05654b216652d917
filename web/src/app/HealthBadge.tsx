// Shows whether the API responds: in the footer if it does, and in the navigation bar if it does not.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, CircleDashed, CloudOff, type LucideIcon, WifiOff } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";
import { useTranslation } from "@/i18n/i18n.ts";
import { type HealthState, health, healthState } from "@/shared/health.ts";
import { Badge, type Tone } from "@/ui/Badge.tsx";

const stateStyles: Record<HealthState, { tone: Tone; icon: LucideIcon }> = {
  "no-internet": { tone: "soon", icon: WifiOff },
  checking: { tone: "quiet", icon: CircleDashed },
  connected: { tone: "good", icon: CircleCheck },
  "api-error": { tone: "urgent", icon: CircleAlert },
  "backend-offline": { tone: "urgent", icon: CloudOff },
};

function subscribeToOnline(listener: () => void) {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

/** The badge appears in one of the two places, depending on the state. */
export function HealthBadge({ place }: { place: "header" | "footer" }) {
  const { t } = useTranslation();
  const online = useSyncExternalStore(subscribeToOnline, () => navigator.onLine);
  const { data, error } = useQuery(health);
  const client = useQueryClient();

  // When the browser goes online or offline, the health is requested at once.
  useEffect(() => {
    if (place === "footer") return;
    return subscribeToOnline(() => void client.invalidateQueries({ queryKey: health.queryKey }));
  }, [client, place]);

  const state = healthState(online, data, error);
  const stateName = t(`shell.health.${state}`);
  const { tone, icon } = stateStyles[state];
  const isWell = state === "connected" || state === "checking";
  if (isWell !== (place === "footer")) return null;
  return (
    <span role="status" aria-label={t("shell.health.label", { state: stateName })} className="inline-flex">
      <Badge tone={tone} icon={icon}>
        {stateName}
      </Badge>
    </span>
  );
}
