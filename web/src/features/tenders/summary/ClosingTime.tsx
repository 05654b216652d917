// The closing time of a tender, or a note if it was not read. Whether it is certain is said by the countdown.

import { useTranslation } from "@/i18n/i18n.ts";
import { formatClosing } from "@/shared/format/dates.ts";
import type { FieldState } from "@/shared/tender/fieldStates.ts";

export function ClosingTime({ at, state }: { at: string | null | undefined; state: FieldState }) {
  const { t } = useTranslation();
  if (!at) {
    return state === "not-read" ? (
      <span className="text-soon">{t("tenders.doubt.seeNotice")}</span>
    ) : (
      <span className="text-ink-soft">{t("tenders.card.noClosing")}</span>
    );
  }
  return formatClosing(at, state === "certain");
}
