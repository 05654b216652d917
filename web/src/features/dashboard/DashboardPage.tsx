// The supplier's dashboard: a greeting, four counters and the supplier's own tenders, drafts among them.

import { useQuery } from "@tanstack/react-query";
import { FilePlus2, Plus } from "lucide-react";
import { isUnanswered } from "@/api/error.ts";
import type { User } from "@/api/types.ts";
import { Metadata } from "@/app/Metadata.tsx";
import { Protected } from "@/app/Protected.tsx";
import { paths } from "@/app/paths.ts";
import { Reference } from "@/app/Reference.tsx";
import { myTenders } from "@/features/tenders/queries.ts";
import { useTranslation } from "@/locales/i18n.ts";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { Empty, ErrorBanner, Waiting } from "@/ui/Notice.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { Entry } from "./Entry.tsx";

const COUNTERS = ["all", "live", "draft", "closed"] as const;

function Counters({ counts }: { counts: Record<(typeof COUNTERS)[number], number> }) {
  const { t } = useTranslation();
  return (
    <dl className="mt-6 grid grid-cols-2 gap-3 sm:grid-cols-4">
      {COUNTERS.map((key) => (
        <div key={key} className="flex flex-col-reverse rounded-xl border border-line bg-sheet px-4 py-3">
          <dt className="text-sm text-ink-soft">{t(`account.dashboard.counters.${key}`)}</dt>
          <dd className="text-2xl font-bold">{counts[key]}</dd>
        </div>
      ))}
    </dl>
  );
}

function Dashboard({ user }: { user: User }) {
  const { t } = useTranslation();
  const { data: mine, ...query } = useQuery(myTenders);
  return (
    <Page className="py-8">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="text-2xl font-bold tracking-tight">
            {t("account.dashboard.greeting", { name: user.firstName })}
          </h1>
          <p className="mt-1 text-ink-soft">{t("account.dashboard.subtitle")}</p>
        </div>
        <ButtonLink to={paths.addTender}>
          <Plus size={18} aria-hidden />
          {t("publish.action.add")}
        </ButtonLink>
      </div>
      {mine && <Counters counts={mine.counts} />}
      <h2 className="mt-8 mb-3 text-lg font-semibold">{t("account.dashboard.heading")}</h2>
      {query.isPending && <Waiting label={t("account.dashboard.loading")} />}
      {query.error && !(mine && isUnanswered(query.error)) && (
        <ErrorBanner
          title={t("account.dashboard.error")}
          action={
            <Button look="outlined" size="small" onClick={() => void query.refetch()}>
              {t("shell.tryAgain")}
            </Button>
          }
        >
          <p>{t("account.dashboard.errorText")}</p>
          <Reference error={query.error} />
        </ErrorBanner>
      )}
      {mine?.items.length === 0 && (
        <Empty
          icon={<FilePlus2 size={22} />}
          title={t("account.dashboard.empty")}
          action={
            <ButtonLink to={paths.addTender} look="outlined">
              {t("publish.action.first")}
            </ButtonLink>
          }
        >
          {t("account.dashboard.emptyText")}
        </Empty>
      )}
      {mine && mine.items.length > 0 && (
        <ul className="grid gap-2.5">
          {mine.items.map((tender) => (
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
