// The alerts page: the list, the form and the statistics. Users whose plan has no alerts see what
// alerts offer.

import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, BellPlus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import { ApiError } from "@/api/error.ts";
import type { User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { paths } from "@/shared/paths.ts";
import { forgetIntendedPath } from "@/shared/session/intendedPath.ts";
import { Protected } from "@/shared/session/Protected.tsx";
import { hasAlerts } from "@/shared/session/planAccess.ts";
import { isNewAlertQuery, NEW_ALERT_PARAMETER } from "@/shared/tender/newAlertPath.ts";
import { Badge } from "@/ui/Badge.tsx";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { EmptyState, ErrorBanner } from "@/ui/StatusMessages.tsx";
import { Tabs } from "@/ui/Tabs.tsx";
import { AlertCard } from "./AlertCard.tsx";
import { AlertEditor } from "./AlertEditor.tsx";
import { AlertOffer } from "./AlertOffer.tsx";
import { DroppedFilters } from "./AlertSummary.tsx";
import { type Alert, type AlertQuery, alertList } from "./api.ts";
import { droppedFilters, prefilledAlert } from "./prefill.ts";
import { Statistics } from "./Statistics.tsx";

/** The query parameter with the id of an alert. Mails use it to link to the alert's matches. */
const ALERT_PARAMETER = "alert";

/** The query parameter with the id of the alert that is edited. */
const EDIT_PARAMETER = "edit";

/** The state of a history entry that the page has added for the form. The entry before it is the list. */
const FORM_ENTRY = { hasList: true } as const;

const isFormEntry = (state: unknown) => typeof state === "object" && state !== null && "hasList" in state;

/** The form in the address: `new`, the id of the edited alert, or `null` for the list. */
function openForm(parameters: URLSearchParams): string | null {
  return isNewAlertQuery(parameters) ? "new" : parameters.get(EDIT_PARAMETER);
}

/**
 * The form has an address of its own, so that the browser's Back closes it. Afterwards the focus is
 * where it was before.
 */
function useFormAddress() {
  const [parameters, setParameters] = useSearchParams();
  const navigate = useNavigate();
  const { state } = useLocation();
  const opener = useRef<Element | null>(null);
  const form = openForm(parameters);
  const show = (query: URLSearchParams) => {
    opener.current = document.activeElement;
    setParameters(query, { state: FORM_ENTRY });
  };
  useEffect(() => {
    if (form !== null || !(opener.current instanceof HTMLElement)) return;
    opener.current.focus({ preventScroll: true });
    opener.current = null;
  }, [form]);
  return {
    form,
    create: () => show(new URLSearchParams({ [NEW_ALERT_PARAMETER]: "1" })),
    edit: (id: string) => show(new URLSearchParams({ [EDIT_PARAMETER]: id })),
    close: () => (isFormEntry(state) ? navigate(-1) : setParameters({}, { replace: true })),
  };
}

interface AlertListProps {
  /** The id of the alert in the address. The list shows its matches at once. */
  openAlertId: string | null;
  onEdit: (id: string, proposed?: AlertQuery) => void;
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
            onEdit={(proposed) => onEdit(alert._id, proposed)}
          />
        ))}
      </ul>
    </section>
  );
}

/** The shape of the list while it loads. */
function AlertSkeletons({ label }: { label: string }) {
  return (
    <div role="status" aria-label={label} className="grid gap-2.5">
      {[40, 32, 48].map((width) => (
        <div key={width} className="rounded-xl border border-line bg-sheet px-4 py-4">
          <div className="skeleton h-5" style={{ width: `${width}%` }} />
          <div className="skeleton mt-3 h-4 w-3/5" />
          <div className="skeleton mt-2 h-4 w-2/5" />
        </div>
      ))}
    </div>
  );
}

function AlertList({ openAlertId, onEdit, onCreate }: AlertListProps & { onCreate: () => void }) {
  const { t } = useTranslation();
  const { data, error, isPending, refetch } = useQuery(alertList);
  if (isPending) return <AlertSkeletons label={t("alerts.loading")} />;
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
        action={
          <div className="flex flex-wrap justify-center gap-3">
            <Button onClick={onCreate}>{t("alerts.empty.action")}</Button>
            <ButtonLink to={paths.welcome} variant="outlined">
              {t("alerts.offer.welcome")}
            </ButtonLink>
          </div>
        }
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
  const [parameters] = useSearchParams();
  const prefilled = prefilledAlert(parameters);
  const { form, create, edit, close } = useFormAddress();
  const [proposed, setProposed] = useState<AlertQuery | null>(null);
  const onEdit = (id: string, query?: AlertQuery) => {
    setProposed(query ?? null);
    edit(id);
  };
  const { data } = useQuery(alertList);
  const isPrefilled = prefilled !== null;
  // The form is what the user came for, perhaps before signing up and paying.
  useEffect(() => {
    if (isPrefilled) forgetIntendedPath();
  }, [isPrefilled]);
  const { plan } = user.subscription;
  return (
    <Page className="py-8">
      {form !== null && (
        <Button variant="plain" size="small" className="mb-1 -ml-3" onClick={close}>
          <ArrowLeft size={16} aria-hidden />
          {t("alerts.form.back")}
        </Button>
      )}
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div className="flex flex-wrap items-center gap-3">
          <h1 className="text-2xl font-bold tracking-tight">{t("alerts.title")}</h1>
          <Badge tone="accent">{t("alerts.planBadge", { plan: plan.toUpperCase() })}</Badge>
        </div>
        {form === null && (
          <Button onClick={create}>
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
      {form !== null && (
        <div className="mt-5 grid gap-4">
          {prefilled && <DroppedFilters choices={droppedFilters(parameters)} />}
          <AlertEditor
            key={`${form} ${JSON.stringify(proposed)}`}
            id={prefilled ? null : form}
            initial={prefilled}
            proposed={prefilled ? null : proposed}
            onClose={close}
          />
        </div>
      )}
      {/* Behind the form, the list keeps what is open in it. */}
      <div className="mt-6" hidden={form !== null}>
        <Tabs
          views={[
            {
              label: t("alerts.tabs.list"),
              ...(data && { count: data.count }),
              content: (
                <AlertList openAlertId={parameters.get(ALERT_PARAMETER)} onEdit={onEdit} onCreate={create} />
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
      <Protected>
        {(user) => (hasAlerts(user) ? <AlertSettings user={user} /> : <AlertOffer user={user} />)}
      </Protected>
    </>
  );
}
