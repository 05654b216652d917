// The alerts page: the list, the form and the statistics. Users whose plan has no alerts see what
// alerts offer.

import { useQuery } from "@tanstack/react-query";
import { Bell, BellPlus, Filter, MailCheck } from "lucide-react";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { ApiError } from "@/api/error.ts";
import type { User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { paths } from "@/shared/paths.ts";
import { Protected } from "@/shared/session/Protected.tsx";
import { hasAlerts } from "@/shared/session/planAccess.ts";
import { Badge } from "@/ui/Badge.tsx";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { EmptyState, ErrorBanner, LoadingScreen } from "@/ui/StatusMessages.tsx";
import { Tabs } from "@/ui/Tabs.tsx";
import { AlertCard } from "./AlertCard.tsx";
import { AlertEditor } from "./AlertEditor.tsx";
import { type Alert, alertList } from "./api.ts";
import { prefilledAlert } from "./prefill.ts";
import { Statistics } from "./Statistics.tsx";

/** The query parameter with the id of an alert. Mails use it to link to the alert's matches. */
const ALERT_PARAMETER = "alert";

const BENEFITS = [
  { key: "unlimited", icon: BellPlus },
  { key: "instant", icon: MailCheck },
  { key: "filters", icon: Filter },
] as const;

function Upsell() {
  const { t } = useTranslation();
  return (
    <Page className="py-10">
      <div className="mx-auto max-w-[46rem] text-center">
        <div className="mx-auto grid size-14 place-items-center rounded-full bg-accent-wash text-accent">
          <Bell size={26} aria-hidden />
        </div>
        <h1 className="mt-4 text-2xl font-bold tracking-tight">{t("alerts.upsell.title")}</h1>
        <p className="mt-2 text-ink-soft">{t("alerts.upsell.text")}</p>
        <ul className="mt-8 grid gap-4 text-left sm:grid-cols-3">
          {BENEFITS.map(({ key, icon: Icon }) => (
            <li key={key} className="rounded-xl border border-line bg-sheet p-4">
              <Icon size={20} aria-hidden className="text-accent" />
              <p className="mt-2 font-semibold">{t(`alerts.upsell.${key}.title`)}</p>
              <p className="mt-1 text-[0.9375rem] text-ink-soft">{t(`alerts.upsell.${key}.text`)}</p>
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

interface AlertListProps {
  /** The id of the alert in the address. The list shows its matches at once. */
  openAlertId: string | null;
  onEdit: (id: string) => void;
}

function AlertGroup({
  title,
  alerts,
  openAlertId,
  onEdit,
}: { title: string; alerts: Alert[] } & AlertListProps) {
  if (alerts.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2 className="mb-2.5 text-lg font-semibold">
        {title} <span className="font-normal text-ink-soft">({alerts.length})</span>
      </h2>
      <ul className="grid grid-cols-1 gap-2.5">
        {alerts.map((alert) => (
          <AlertCard
            key={alert._id}
            alert={alert}
            isRequested={alert._id === openAlertId}
            onEdit={() => onEdit(alert._id)}
          />
        ))}
      </ul>
    </section>
  );
}

function AlertList({ openAlertId, onEdit, onCreate }: AlertListProps & { onCreate: () => void }) {
  const { t } = useTranslation();
  const { data, error, isPending, refetch } = useQuery(alertList);
  if (isPending) return <LoadingScreen label={t("alerts.loading")} />;
  if (error && !data) {
    const isRefused = error instanceof ApiError && error.status === 403;
    return (
      <ErrorBanner
        title={t(isRefused ? "alerts.refused" : "alerts.error")}
        action={
          <Button variant="outlined" size="small" onClick={() => void refetch()}>
            {t("shell.tryAgain")}
          </Button>
        }
      />
    );
  }
  const alerts = data?.alerts ?? [];
  if (alerts.length === 0) {
    return (
      <EmptyState
        icon={<BellPlus size={22} />}
        title={t("alerts.empty.title")}
        action={<Button onClick={onCreate}>{t("alerts.empty.action")}</Button>}
      >
        {t("alerts.empty.text")}
      </EmptyState>
    );
  }
  return (
    <div className="grid gap-6">
      <AlertGroup
        title={t("alerts.active")}
        alerts={alerts.filter(({ isActive }) => isActive)}
        openAlertId={openAlertId}
        onEdit={onEdit}
      />
      <AlertGroup
        title={t("alerts.inactive")}
        alerts={alerts.filter(({ isActive }) => !isActive)}
        openAlertId={openAlertId}
        onEdit={onEdit}
      />
    </div>
  );
}

function AlertSettings({ user }: { user: User }) {
  const { t } = useTranslation();
  const [parameters, setParameters] = useSearchParams();
  const prefilled = prefilledAlert(parameters);
  // `new` for a new alert, the id of the edited alert, or `null` without an open form.
  const [open, setOpen] = useState<string | null>(prefilled ? "new" : null);
  const { data } = useQuery(alertList);
  const close = () => {
    setOpen(null);
    if (prefilled) setParameters({}, { replace: true });
  };
  const { plan } = user.subscription;
  return (
    <Page className="py-8">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div className="flex flex-wrap items-center gap-3">
          <h1 className="text-2xl font-bold tracking-tight">{t("alerts.title")}</h1>
          <Badge tone="accent">{t("alerts.planBadge", { plan: plan.toUpperCase() })}</Badge>
        </div>
        {open === null && (
          <Button onClick={() => setOpen("new")}>
            <BellPlus size={18} aria-hidden />
            {t("alerts.create")}
          </Button>
        )}
      </div>
      {!user.emailVerified && (
        <p role="status" className="mt-4 rounded-lg bg-soon-wash px-4 py-3 text-[0.9375rem] text-soon">
          {t(`alerts.paused.${user.mailReturned ?? "account"}`, { email: user.email })}
        </p>
      )}
      {open !== null && (
        <div className="mt-6">
          <AlertEditor
            key={open}
            id={open === "new" ? null : open}
            initial={open === "new" ? prefilled : null}
            onClose={close}
          />
        </div>
      )}
      <div className="mt-6">
        <Tabs
          views={[
            {
              label: t("alerts.tabs.list"),
              ...(data && { count: data.count }),
              content: (
                <AlertList
                  openAlertId={parameters.get(ALERT_PARAMETER)}
                  onEdit={setOpen}
                  onCreate={() => setOpen("new")}
                />
              ),
            },
            { label: t("alerts.tabs.statistics"), content: <Statistics /> },
          ]}
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
        title={t("alerts.pageTitle")}
        description={t("alerts.description")}
        keywords={t("alerts.keywords")}
        unlisted
      />
      <Protected>{(user) => (hasAlerts(user) ? <AlertSettings user={user} /> : <Upsell />)}</Protected>
    </>
  );
}
