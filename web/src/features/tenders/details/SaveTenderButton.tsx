// "Save": the reader keeps an eye on a tender.

import { Bookmark, BookmarkCheck } from "lucide-react";
import { needsPlan, useKeepTender } from "@/features/saved/mutations.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { useAccount } from "@/shared/session/account.ts";
import { Button } from "@/ui/Button.tsx";
import type { DetailedTender } from "../api.ts";
import { NeedsPlan } from "./PlanDialog.tsx";

export function KeepTender({ tender }: { tender: DetailedTender }) {
  const { t } = useTranslation();
  const { status } = useAccount();
  const keep = useKeepTender(tender._id);
  // Guests are told by the button beside it where to sign in.
  if (status !== "signed-in") return null;
  const { isSaved } = tender;
  return (
    <>
      {needsPlan(keep.error) && <NeedsPlan words={keep.error.message} onClose={() => keep.reset()} />}
      <Button
        look="outlined"
        size="small"
        aria-pressed={isSaved}
        disabled={keep.isPending}
        onClick={() => keep.mutate(!isSaved)}
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
