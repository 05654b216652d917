// Who has decided about boxes, and the drawn boxes that a worker has to read.

import type { PageMark } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { Button } from "@/ui/Button.tsx";
import { useBoxAction } from "./api.ts";

/** Who has drawn or dismissed a box and when, and the button that undoes it. */
export function MarkLine({ pageId, mark }: { pageId: string; mark: PageMark }) {
  const { t } = useTranslation();
  const action = useBoxAction(pageId);
  const isDrawn = mark.decision === "notice";
  return (
    <div className="mt-3 grid justify-items-start gap-2">
      <p className="text-[0.9375rem] wrap-anywhere">
        {t(isDrawn ? "operate.pages.drawnBy" : "operate.pages.dismissedBy", {
          moment: formatMoment(mark.at),
          name: mark.by ?? t("operate.audit.unknownActor"),
        })}
      </p>
      <Button
        variant="outlined"
        size="small"
        disabled={action.isPending}
        onClick={() => action.mutate({ kind: "undo", mark: mark._id })}
      >
        {t(isDrawn ? "operate.pages.removeDrawn" : "operate.pages.undoDismissal")}
      </Button>
    </div>
  );
}

/** The drawn boxes that no block shows yet, because a worker has to read them. */
export function WaitingBoxes({ pageId, marks }: { pageId: string; marks: readonly PageMark[] }) {
  const { t } = useTranslation();
  if (marks.length === 0) return null;
  return (
    <section aria-label={t("operate.pages.waitingBoxes")}>
      <h2 className="mb-2 text-lg font-semibold">{t("operate.pages.waitingBoxes")}</h2>
      <ul className="divide-y divide-line rounded-xl border border-line bg-sheet">
        {marks.map((mark) => (
          <li key={mark._id} className="px-3 pb-3">
            <MarkLine pageId={pageId} mark={mark} />
          </li>
        ))}
      </ul>
    </section>
  );
}
