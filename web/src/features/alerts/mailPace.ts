// How often an alert would send an e-mail, in words.

import type { Translate } from "@/i18n/translate.ts";

/** "About one e-mail every two weeks.", from the number of e-mails a week. */
export function mailPace(mailsAWeek: number, t: Translate): string {
  if (mailsAWeek >= 1.5) return t("alerts.preview.mails.many", { mails: Math.round(mailsAWeek) });
  if (mailsAWeek >= 0.75) return t("alerts.preview.mails.week");
  if (mailsAWeek >= 0.4) return t("alerts.preview.mails.weeks2");
  if (mailsAWeek >= 0.3) return t("alerts.preview.mails.weeks3");
  // One e-mail in thirty days, which the server rounds to 0.2 a week.
  return t(mailsAWeek >= 0.15 ? "alerts.preview.mails.month" : "alerts.preview.mails.rare");
}
