// Figures that are computed from the server's statistics of alerts.

import type { AlertStats } from "./api.ts";

interface DerivedFigures {
  /** Matches per hundred alerts, with one decimal. */
  matchEfficiency: string;
  /** Mails per active alert, with one decimal. */
  emailsPerAlert: string;
  /** The share of alerts that are active, as a whole percentage. */
  activeRate: string;
}

export function derivedFigures(stats: AlertStats): DerivedFigures {
  const { totalAlerts, activeAlerts, totalMatches, totalEmailsSent } = stats;
  const ratio = (part: number, whole: number) => (whole > 0 ? part / whole : 0);
  return {
    matchEfficiency: (100 * ratio(totalMatches, totalAlerts)).toFixed(1),
    emailsPerAlert: ratio(totalEmailsSent, activeAlerts).toFixed(1),
    activeRate: (100 * ratio(activeAlerts, totalAlerts)).toFixed(0),
  };
}
