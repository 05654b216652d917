// The supplier's dashboard: a greeting and the supplier's own tenders, drafts among them.

import { useQuery } from "@tanstack/react-query";
import { FilePlus2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Tender, User } from "@/api/types.ts";
import { Metadata } from "@/app/Metadata.tsx";
import { Protected } from "@/app/Protected.tsx";
import { paths } from "@/app/paths.ts";
import { Reference } from "@/app/Reference.tsx";
import { formatDay, formatMoment } from "@/features/tenders/dates.ts";
import { placeOf } from "@/features/tenders/place.ts";
import { myTenders } from "@/features/tenders/queries.ts";
import { OwnerStatusBadge } from "@/features/tenders/StatusBadge.tsx";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { Empty, ErrorBanner, Waiting } from "@/ui/Notice.tsx";
import { Page } from "@/ui/Sheet.tsx";

function Entry({ tender }: { tender: Tender }) {
  const { t } = useTranslation();
  const { published, closing } = tender.dates ?? {};
  const facts = [
    tender.category,
    tender.referenceNo,
    tender.organization?.name,
    placeOf(tender.location, true),
    published && t("account.dashboard.published", { date: formatDay(published) }),
    closing && t("account.dashboard.closing", { date: formatMoment(closing) }),
  ].filter((fact) => fact != null && fact !== "");
  return (
    <li className="rounded-xl border border-line bg-sheet px-4 py-3">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <h3 className="text-[1.0625rem] font-semibold" lang={tender.language ?? undefined}>
          {tender.title}
        </h3>
        <OwnerStatusBadge status={tender.status} isExpired={tender.isExpired} />
      </div>
      <p className="mt-1 text-[0.9375rem] text-ink-soft">{facts.join(" · ")}</p>
    </li>
  );
}

function Dashboard({ user }: { user: User }) {
  const { t } = useTranslation();
  const mine = useQuery(myTenders);
  return (
    <Page className="py-8">
      <h1 className="text-2xl font-bold tracking-tight">
        {t("account.dashboard.greeting", { name: user.firstName })}
      </h1>
      <p className="mt-1 text-ink-soft">{t("account.dashboard.subtitle")}</p>
      <h2 className="mt-8 mb-3 text-lg font-semibold">{t("account.dashboard.heading")}</h2>
      {mine.isPending && <Waiting label={t("account.dashboard.loading")} />}
      {mine.error && (
        <ErrorBanner
          title={t("account.dashboard.error")}
          action={
            <Button look="outlined" size="small" onClick={() => void mine.refetch()}>
              {t("shell.tryAgain")}
            </Button>
          }
        >
          <p>{t("account.dashboard.errorText")}</p>
          <Reference error={mine.error} />
        </ErrorBanner>
      )}
      {mine.data?.length === 0 && (
        <Empty
          icon={<FilePlus2 size={22} />}
          title={t("account.dashboard.empty")}
          action={
            <ButtonLink to={paths.tenders} look="outlined">
              {t("account.dashboard.browse")}
            </ButtonLink>
          }
        >
          {t("account.dashboard.emptyText")}
        </Empty>
      )}
      {mine.data && mine.data.length > 0 && (
        <ul className="grid gap-2.5">
          {mine.data.map((tender) => (
            <Entry key={tender._id} tender={tender} />
          ))}
        </ul>
      )}
    </Page>
  );
}

export function Component() {
  const { t } = useTranslation();
  return (
    <>
      <Metadata
        title={t("account.dashboard.title")}
        description={t("account.dashboard.description")}
        keywords={t("account.dashboard.keywords")}
        unlisted
      />
      <Protected only="supplier">{(user) => <Dashboard user={user} />}</Protected>
    </>
  );
}
