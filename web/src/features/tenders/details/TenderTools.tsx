// What a reader can do with a tender: put its closing into a calendar, share it, print it, and have tenders
// like it e-mailed.

import { CalendarPlus, Printer, Share2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "@/i18n/i18n.ts";
import { useNow } from "@/shared/clock.ts";
import { loadChunk } from "@/shared/lazyChunk.ts";
import { paths } from "@/shared/paths.ts";
import { AlertLink } from "@/shared/tender/AlertLink.tsx";
import { alertLikePath } from "@/shared/tender/newAlertPath.ts";
import type { DetailedTender } from "@/shared/tender/tenderQueries.ts";
import { Button, buttonStyle } from "@/ui/Button.tsx";
import { takesNoBids } from "../summary/biddingFacts.ts";
import { calendarFile } from "./calendarFile.ts";

const importShareMenu = async () => ({ default: (await import("./ShareMenu.tsx")).ShareMenu });
const ShareMenu = lazy(() => loadChunk(importShareMenu));

/** The button of the menu that shares a tender. Few readers need the menu, so it is loaded on demand. */
function Share({ tender }: { tender: DetailedTender }) {
  const { t } = useTranslation();
  const [isWanted, setWanted] = useState(false);
  // A failed attempt changes nothing: a page must not reload because a pointer passes over a button.
  const preload = () => void importShareMenu().catch(() => undefined);
  const button = (
    <Button
      variant="outlined"
      size="small"
      className="print:hidden"
      aria-haspopup="menu"
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => setWanted(true)}
    >
      <Share2 size={17} aria-hidden />
      {t("tenders.share.button")}
    </Button>
  );
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <ShareMenu tender={tender} />
    </Suspense>
  );
}

export function TenderTools({ tender }: { tender: DetailedTender }) {
  const { t } = useTranslation();
  const now = useNow();
  const titles = { closing: t("tenders.details.closes"), preBid: t("tenders.details.preBid") };
  const address = new URL(paths.tender(tender._id), window.location.origin).href;
  const calendar = takesNoBids(tender, now) ? null : calendarFile(tender, address, titles, new Date(now));
  return (
    <>
      {calendar && (
        <a
          href={`data:text/calendar;charset=utf-8,${encodeURIComponent(calendar)}`}
          download={`tender-${tender._id}.ics`}
          className={`${buttonStyle({ variant: "outlined", size: "small" })} print:hidden`}
        >
          <CalendarPlus size={17} aria-hidden />
          {t("tenders.details.calendar")}
        </a>
      )}
      {tender.status !== "draft" && <Share tender={tender} />}
      <Button
        variant="outlined"
        size="small"
        className="print:hidden max-sm:hidden"
        onClick={() => window.print()}
      >
        <Printer size={17} aria-hidden />
        {t("tenders.details.print")}
      </Button>
      {tender.status !== "draft" && (
        <AlertLink path={alertLikePath(tender)} look="outlined" label={t("alerts.fromTender")} />
      )}
    </>
  );
}
