// The reports page: saved reports and the report form. Users whose plan has no reports see what
// reports offer.

import { useQuery } from "@tanstack/react-query";
import { CalendarClock, Columns3, FilePlus2, FileSpreadsheet } from "lucide-react";
import { useState } from "react";
import { messageOf } from "@/api/error.ts";
import type { User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { paths } from "@/shared/paths.ts";
import { Protected } from "@/shared/session/Protected.tsx";
import { hasReports } from "@/shared/session/planAccess.ts";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { ErrorBanner, LoadingScreen } from "@/ui/StatusMessages.tsx";
import { reportList } from "./api.ts";
import { newReport, type ReportDraft, toDraft } from "./form.ts";
import { ReportBuilder } from "./ReportBuilder.tsx";
import { SavedReports } from "./SavedReports.tsx";

const BENEFITS = [
  { key: "build", icon: Columns3 },
  { key: "files", icon: FileSpreadsheet },
  { key: "monthly", icon: CalendarClock },
] as const;

function Upsell() {
  const { t } = useTranslation();
  return (
    <Page className="py-10">
      <div className="mx-auto max-w-[46rem] text-center">
        <div className="mx-auto grid size-14 place-items-center rounded-full bg-accent-wash text-accent">
          <FileSpreadsheet size={26} aria-hidden />
        </div>
        <h1 className="mt-4 text-2xl font-bold tracking-tight">{t("reports.upsell.title")}</h1>
        <p className="mt-2 text-ink-soft">{t("reports.upsell.text")}</p>
        <ul className="mt-8 grid gap-4 text-left sm:grid-cols-3">
          {BENEFITS.map(({ key, icon: Icon }) => (
            <li key={key} className="rounded-xl border border-line bg-sheet p-4">
              <Icon size={20} aria-hidden className="text-accent" />
              <p className="mt-2 font-semibold">{t(`reports.upsell.${key}.title`)}</p>
              <p className="mt-1 text-[0.9375rem] text-ink-soft">{t(`reports.upsell.${key}.text`)}</p>
            </li>
          ))}
        </ul>
        <div className="mt-8">
          <ButtonLink to={paths.pricing} size="large">
            {t("plans.view")}
          </ButtonLink>
        </div>
      </div>
    </Page>
  );
}

function Reports({ user }: { user: User }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(reportList);
  const [open, setOpen] = useState<ReportDraft | null>(null);
  if (error && !data) {
    return (
      <Page className="py-8">
        <ErrorBanner
          title={messageOf(error, t("reports.error"))}
          action={
            <Button variant="outlined" size="small" onClick={() => void refetch()}>
              {t("shell.tryAgain")}
            </Button>
          }
        />
      </Page>
    );
  }
  if (!data) return <LoadingScreen label={t("reports.loading")} />;
  return (
    <Page className="py-8">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div>
          <h1 className="text-2xl font-bold tracking-tight">{t("reports.title")}</h1>
          <p className="mt-1 text-[0.9375rem] text-ink-soft">{t("reports.description")}</p>
        </div>
        {open === null && (
          <Button onClick={() => setOpen(newReport)}>
            <FilePlus2 size={18} aria-hidden />
            {t("reports.new")}
          </Button>
        )}
      </div>
      <div className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-8">
        {open && (
          <ReportBuilder key={open.id ?? "new"} initial={open} user={user} onClose={() => setOpen(null)} />
        )}
        <SavedReports
          reports={data.reports}
          quota={data.quota}
          onOpen={(report) => {
            setOpen(toDraft(report));
            window.scrollTo({ top: 0 });
          }}
        />
      </div>
    </Page>
  );
}

export function Component() {
  const { t } = useTranslation();
  return (
    <>
      <Metadata
        title={t("reports.pageTitle")}
        description={t("reports.description")}
        keywords={t("reports.keywords")}
        unlisted
      />
      <Protected>{(user) => (hasReports(user) ? <Reports user={user} /> : <Upsell />)}</Protected>
    </>
  );
}
