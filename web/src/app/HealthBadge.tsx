// Shows in the navigation bar whether the API responds.

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

export function HealthBadge() {
  const { t } = useTranslation();
  const online = useSyncExternalStore(subscribeToOnline, () => navigator.onLine);
  const { data, error } = useQuery(health);
  const client = useQueryClient();

  // When the browser goes online or offline, the health is requested at once.
  useEffect(
    () => subscribeToOnline(() => void client.invalidateQueries({ queryKey: health.queryKey })),
    [client],
  );

  const state = healthState(online, data, error);
  const stateName = t(`shell.health.${state}`);
  const { tone, icon } = stateStyles[state];
  return (
    <span role="status" aria-label={t("shell.health.label", { state: stateName })} className="inline-flex">
      <Badge tone={tone} icon={icon}>
        <span className="nav-state">{stateName}</span>
      </Badge>
    </span>
  );
}
