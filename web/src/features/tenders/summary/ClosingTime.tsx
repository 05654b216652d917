// The closing time of a tender, with a note if the time is uncertain or was not read.

import { useTranslation } from "@/i18n/i18n.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import type { FieldState } from "./fieldStates.ts";

export function ClosingTime({ at, state }: { at: string | null | undefined; state: FieldState }) {
  const { t } = useTranslation();
  if (!at) {
    return state === "not-read" ? (
      <span className="text-soon">{t("tenders.doubt.seeNotice")}</span>
    ) : (
      <span className="text-ink-soft">{t("tenders.card.noClosing")}</span>
    );
  }
  return (
    <>
      {formatMoment(at)}
      {state !== "certain" && (
        <span className="block text-[0.8125rem] text-soon">{t("tenders.doubt.uncertainClosing")}</span>
      )}
    </>
  );
}
