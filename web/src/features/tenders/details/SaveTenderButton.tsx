// The button that saves or unsaves a tender.

import { Bookmark, BookmarkCheck } from "lucide-react";
import { useTranslation } from "@/i18n/i18n.ts";
import { needsUpgrade } from "@/shared/plans/upgradeError.ts";
import { useAccount } from "@/shared/session/account.ts";
import type { DetailedTender } from "@/shared/tender/tenderQueries.ts";
import { Button } from "@/ui/Button.tsx";
import { useSaveTender } from "../api.ts";
import { PlanDialog } from "./PlanDialog.tsx";

export function SaveTenderButton({ tender }: { tender: DetailedTender }) {
  const { t } = useTranslation();
  const { status } = useAccount();
  const save = useSaveTender(tender._id);
  // Only signed-in users can save tenders.
  if (status !== "signed-in") return null;
  const { isSaved } = tender;
  return (
    <>
      {needsUpgrade(save.error) && <PlanDialog text={save.error.message} onClose={() => save.reset()} />}
      <Button
        variant="outlined"
        size="small"
        aria-pressed={isSaved}
        disabled={save.isPending}
        onClick={() => save.mutate(!isSaved)}
        className="print:hidden"
      >
        {isSaved ? (
          <BookmarkCheck size={17} aria-hidden className="text-accent" />
        ) : (
          <Bookmark size={17} aria-hidden />
        )}
        {t(isSaved ? "tenders.saved.kept" : "tenders.saved.keep")}
      </Button>
    </>
  );
}
