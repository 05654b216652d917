// The figures that follow from others: specification section 9, "Derived figures".

import type { AlertStats } from "./api.ts";

interface DerivedFigures {
  /** Matches for each hundred alerts, with one decimal. */
  matchEfficiency: string;
  /** Mails for each active alert, with one decimal. */
  emailsPerAlert: string;
  /** Active alerts of all, in whole per cent. */
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
