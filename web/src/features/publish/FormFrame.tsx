// The frame of the tender form: its heading, notices about the tender, and the note about restored
// input.

import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { paths } from "@/shared/paths.ts";
import { ModerationNotice } from "@/shared/tender/ModerationNotice.tsx";
import { Button } from "@/ui/Button.tsx";
import { Page } from "@/ui/Sheet.tsx";

interface FormFrameProps {
  tender: Tender | null;
  /** Whether a new tender begins with the organisation of the latest one. */
  isFromLatest: boolean;
  /** Discards the restored input; `null` if no input was restored. */
  onStartOver: (() => void) | null;
  children: ReactNode;
}

export function FormFrame({ tender, isFromLatest, onStartOver, children }: FormFrameProps) {
  const { t } = useTranslation();
  return (
    <Page className="py-8">
      <div className="mx-auto max-w-[62rem]">
        <Link to={paths.dashboard} className="inline-block py-2 text-[0.9375rem] font-semibold text-accent">
          {t("publish.back")}
        </Link>
        <h1 className="mt-1 text-2xl font-bold tracking-tight">
          {t(tender ? "publish.editTitle" : "publish.title")}
        </h1>
        <p className="mt-1 text-ink-soft">{t(tender ? "publish.editSubtitle" : "publish.subtitle")}</p>
        {isFromLatest && !onStartOver && <p className="mt-1 text-ink-soft">{t("publish.fromLatest")}</p>}
        {tender?.moderation && (
          <div className="mt-4">
            <ModerationNotice tender={tender} isOwn />
          </div>
        )}
        {onStartOver && (
          <div
            role="status"
            className="mt-4 flex flex-wrap items-center justify-between gap-3 rounded-lg bg-calm-wash px-4 py-2.5 text-[0.9375rem] text-calm"
          >
            {t("publish.restored")}
            <Button variant="outlined" size="small" onClick={onStartOver}>
              {t("publish.startOver")}
            </Button>
          </div>
        )}
        {children}
      </div>
    </Page>
  );
}
