// The page with the calendar of holidays. An operator can add, change and remove days.

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CalendarDays, ChevronLeft, ChevronRight } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { useSearchParams } from "react-router";
import { parseEnum } from "@/api/enums.ts";
import { messageOf } from "@/api/error.ts";
import type { Holiday, HolidayKind } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { ConfirmDialog } from "@/shared/dialogs/ConfirmDialog.tsx";
import { formatDay } from "@/shared/format/dates.ts";
import { ActionMenu } from "@/ui/ActionMenu.tsx";
import { Badge, type Tone } from "@/ui/Badge.tsx";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { SelectField, TextField } from "@/ui/Field.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { EmptyState, ErrorBanner, LoadingScreen } from "@/ui/StatusMessages.tsx";
import { toast } from "@/ui/toasts.ts";
import { HOLIDAY_KINDS, holidays, useCoverageAction, useFailure } from "./api.ts";
import { CoverageViews } from "./CoverageViews.tsx";

const tones: Record<HolidayKind, Tone> = { poya: "soon", public: "calm", "no-papers": "urgent" };

function HolidayDialog({ changed, onClose }: { changed: Holiday | null; onClose: () => void }) {
  const { t } = useTranslation();
  const [formId, messageId] = [useId(), useId()];
  const [day, setDay] = useState(changed?.date ?? "");
  const [name, setName] = useState(changed?.name ?? "");
  const [kind, setKind] = useState<HolidayKind>(changed?.kind ?? "no-papers");
  const [tried, setTried] = useState(false);
  const action = useCoverageAction();
  const failure = useFailure(action.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (day === "" || name.trim() === "") return;
    action.mutate({ kind: "setHoliday", day, name: name.trim(), holiday: kind }, { onSuccess: onClose });
  };
  return (
    <ConfirmDialog
      title={
        changed
          ? t("operate.coverage.holidays.changeTitle", { day: formatDay(changed.date) })
          : t("operate.coverage.holidays.add")
      }
      onClose={onClose}
      confirm={
        <Button type="submit" form={formId} disabled={action.isPending}>
          {t("operate.coverage.papers.save")}
        </Button>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="mt-4 grid gap-5 text-ink">
        {!changed && (
          <TextField
            type="date"
            label={t("operate.coverage.holidays.day")}
            value={day}
            error={tried && day === "" ? t("operate.coverage.holidays.dayMissing") : undefined}
            onChange={(event) => setDay(event.target.value)}
          />
        )}
        <TextField
          label={t("operate.coverage.holidays.name")}
          value={name}
          maxLength={100}
          error={tried && name.trim() === "" ? t("operate.coverage.holidays.nameMissing") : undefined}
          onChange={(event) => setName(event.target.value)}
        />
        <SelectField
          label={t("operate.coverage.holidays.kindLabel")}
          help={t(`operate.coverage.holidays.kindHelp.${kind}`)}
          value={kind}
          onChange={(event) => setKind(parseEnum(HOLIDAY_KINDS, event.target.value) ?? kind)}
        >
          {HOLIDAY_KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {t(`operate.coverage.holidays.kind.${kind}`)}
            </option>
          ))}
        </SelectField>
        <FormMessage id={messageId}>{failure}</FormMessage>
      </form>
    </ConfirmDialog>
  );
}

function HolidayRow({ holiday }: { holiday: Holiday }) {
  const { t } = useTranslation();
  const [isChanging, setChanging] = useState(false);
  const action = useCoverageAction();
  const remove = () =>
    action.mutate(
      { kind: "removeHoliday", day: holiday.date },
      { onError: (error) => toast.error(messageOf(error, t("operate.users.actionFailed"))) },
    );
  return (
    <div className="flex items-center gap-3 px-4 py-2">
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-1">
        <span className="w-full shrink-0 text-ink-soft sm:w-36 tabular-nums">{formatDay(holiday.date)}</span>
        <span className="font-semibold wrap-anywhere">{holiday.name}</span>
        <Badge tone={tones[holiday.kind]}>{t(`operate.coverage.holidays.kind.${holiday.kind}`)}</Badge>
      </div>
      <ActionMenu
        label={t("operate.users.actions", { name: `${holiday.name}, ${formatDay(holiday.date)}` })}
        actions={[
          { label: t("operate.coverage.papers.change"), onChoose: () => setChanging(true) },
          { label: t("operate.coverage.holidays.remove"), isDestructive: true, onChoose: remove },
        ]}
      />
      {isChanging && <HolidayDialog changed={holiday} onClose={() => setChanging(false)} />}
    </div>
  );
}

export function Component() {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const [isAdding, setAdding] = useState(false);
  const given = /^(20\d\d|2100)$/.test(params.get("year") ?? "") ? Number(params.get("year")) : null;
  const { data, error, isPending, refetch } = useQuery({
    ...holidays(given),
    placeholderData: keepPreviousData,
  });
  return (
    <CoverageViews>
      <p className="max-w-[70ch] text-ink-soft">{t("operate.coverage.holidays.text")}</p>
      <div className="mt-4 mb-5 flex flex-wrap items-center justify-between gap-4">
        {data ? (
          <nav aria-label={t("operate.coverage.holidays.years")} className="flex items-center gap-2">
            <ButtonLink variant="outlined" size="small" to={`?year=${data.year - 1}`}>
              <ChevronLeft size={16} aria-hidden />
              {data.year - 1}
            </ButtonLink>
            <span aria-live="polite" className="px-2 text-lg font-semibold tabular-nums">
              {data.year}
            </span>
            <ButtonLink variant="outlined" size="small" to={`?year=${data.year + 1}`}>
              {data.year + 1}
              <ChevronRight size={16} aria-hidden />
            </ButtonLink>
          </nav>
        ) : (
          <span />
        )}
        <Button onClick={() => setAdding(true)}>{t("operate.coverage.holidays.add")}</Button>
      </div>
      {error && !data && (
        <ErrorBanner
          title={messageOf(error, t("operate.failed"))}
          action={
            <Button variant="outlined" size="small" onClick={() => void refetch()}>
              {t("shell.tryAgain")}
            </Button>
          }
        />
      )}
      {isPending && <LoadingScreen label={t("shell.loading")} />}
      {data?.holidays.length === 0 && (
        <EmptyState icon={<CalendarDays size={22} />} title={t("operate.coverage.holidays.none")}>
          {t("operate.coverage.holidays.noneHelp")}
        </EmptyState>
      )}
      {data && data.holidays.length > 0 && (
        <ul className="divide-y divide-line rounded-xl border border-line bg-sheet">
          {data.holidays.map((holiday) => (
            <li key={holiday.date}>
              <HolidayRow holiday={holiday} />
            </li>
          ))}
        </ul>
      )}
      {isAdding && <HolidayDialog changed={null} onClose={() => setAdding(false)} />}
    </CoverageViews>
  );
}
