// How batches are named on the screen.

import type { BatchWithdrawal } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatDay, formatMoment } from "@/shared/format/dates.ts";

/** Returns a function that names a batch. */
export function useBatchName() {
  const { t } = useTranslation();
  return ({ batch }: BatchWithdrawal): string => {
    if (batch.kind === "file") return batch.name ?? t("operate.batches.kind.file");
    if (batch.kind === "issue") return `${batch.publication}, ${formatDay(batch.date)}`;
    return t("operate.batches.sentBy", {
      name: batch.name ?? batch.token,
      from: formatMoment(batch.from),
      until: formatMoment(batch.until),
    });
  };
}
