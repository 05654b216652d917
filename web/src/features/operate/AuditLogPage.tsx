// The page that shows the audit log.

import { useInfiniteQuery } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import { Link, useSearchParams } from "react-router";
import { parseEnum } from "@/api/enums.ts";
import type { AuditEntry } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { SelectField } from "@/ui/Field.tsx";
import { EmptyState } from "@/ui/StatusMessages.tsx";
import { AUDIT_ACTIONS, type AuditFilters, auditLog } from "./api.ts";
import { auditValues } from "./auditValues.ts";
import { OperatePage } from "./OperatePage.tsx";
import { PartialList } from "./PartialList.tsx";

function useActorName({ actorKind, actorName }: AuditEntry): string {
  const { t } = useTranslation();
  if (actorKind === "command-line") {
    return actorName ? t("operate.audit.commandLineOf", { name: actorName }) : t("operate.audit.commandLine");
  }
  if (actorKind === "token") return t("operate.audit.token", { name: actorName ?? "" });
  return actorName ?? t("operate.audit.unknownActor");
}

/** Shows the changed values: `Reason: Fraud · Role: admin`. */
function Values({ label, values }: { label: string; values: object | null }) {
  const { t } = useTranslation();
  const shown = auditValues(values, t);
  if (shown.length === 0) return null;
  return (
    <div className="flex gap-2">
      <dt className="w-14 shrink-0 text-ink-soft">{label}</dt>
      <dd className="min-w-0 wrap-anywhere">{shown.join(" · ")}</dd>
    </div>
  );
}

function EntryRow({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation();
  const actor = useActorName(entry);
  return (
    <div className="px-4 py-3">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-semibold">{t(`operate.audit.name.${entry.action}`)}</span>
        {entry.actorId ? (
          <Link
            to={`${paths.operateAudit}?actor=${entry.actorId}`}
            className="break-all hover:text-accent hover:underline"
          >
            {t("operate.audit.by", { actor })}
          </Link>
        ) : (
          <span className="break-all">{t("operate.audit.by", { actor })}</span>
        )}
        {entry.address && (
          <span className="text-ink-soft">{t("operate.audit.from", { address: entry.address })}</span>
        )}
        <time dateTime={entry.at} className="ml-auto text-sm text-ink-soft tabular-nums">
          {formatMoment(entry.at)}
        </time>
      </p>
      <p className="text-sm text-ink-soft">
        {t(`operate.audit.subjectKind.${entry.subject}`)}{" "}
        <Link
          to={`${paths.operateAudit}?subject=${encodeURIComponent(entry.subjectId)}`}
          className="wrap-anywhere hover:text-accent hover:underline"
        >
          {entry.subjectName ?? entry.subjectId}
        </Link>
      </p>
      {(entry.before || entry.after) && (
        <dl className="mt-1 grid gap-0.5 text-sm">
          <Values label={t("operate.audit.before")} values={entry.before} />
          <Values label={t("operate.audit.after")} values={entry.after} />
        </dl>
      )}
    </div>
  );
}

/** Whose or which entries are listed, by the names in the list, and the way back to all entries. */
function Narrowed({ entries, filters }: { entries: readonly AuditEntry[]; filters: AuditFilters }) {
  const { t } = useTranslation();
  const { subject, actor } = filters;
  const of = <Name extends "subject" | "actor">(name: Name, id: string | undefined) =>
    id && (entries.find((entry) => entry[`${name}Id`] === id)?.[`${name}Name`] ?? id);
  const texts = [
    subject && t("operate.audit.onlySubject", { subject: of("subject", subject) ?? "" }),
    actor && t("operate.audit.onlyActor", { actor: of("actor", actor) ?? "" }),
  ].filter(Boolean);
  if (texts.length === 0) return null;
  return (
    <p className="mb-4 flex min-h-11 flex-wrap items-center gap-x-3 text-[0.9375rem]">
      <span className="wrap-anywhere">{texts.join(" · ")}</span>
      <Link to={paths.operateAudit} className="inline-flex min-h-11 items-center text-accent underline">
        {t("operate.audit.all")}
      </Link>
    </p>
  );
}

function EntryList({ filters }: { filters: AuditFilters }) {
  const { t } = useTranslation();
  const list = useInfiniteQuery(auditLog(filters));
  const entries = list.data?.pages.flatMap(({ entries }) => entries) ?? [];
  return (
    <>
      <Narrowed entries={entries} filters={filters} />
      <PartialList
        list={list}
        items={entries}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={<ScrollText size={22} />} title={t("operate.audit.none")}>
            {t("operate.audit.noneHelp")}
          </EmptyState>
        }
      >
        {(entry) => <EntryRow entry={entry} />}
      </PartialList>
    </>
  );
}

export function Component() {
  const { t } = useTranslation();
  const [parameters, setParameters] = useSearchParams();
  const action = parseEnum(AUDIT_ACTIONS, parameters.get("action"));
  const subject = parameters.get("subject");
  const actor = parameters.get("actor");
  const filters: AuditFilters = {
    ...(action && { action }),
    ...(subject && { subject }),
    ...(actor && { actor }),
  };
  return (
    <OperatePage title={t("operate.audit.title")}>
      <div className="mt-4 mb-6 flex flex-wrap items-end gap-x-6 gap-y-3">
        <div className="w-full sm:w-72">
          <SelectField
            label={t("operate.audit.action")}
            value={action ?? ""}
            onChange={({ target: { value } }) => {
              const next = new URLSearchParams(parameters);
              if (value) next.set("action", value);
              else next.delete("action");
              setParameters(next, { replace: true });
            }}
          >
            <option value="">{t("operate.audit.anyAction")}</option>
            {AUDIT_ACTIONS.map((action) => (
              <option key={action} value={action}>
                {t(`operate.audit.name.${action}`)}
              </option>
            ))}
          </SelectField>
        </div>
      </div>
      <EntryList filters={filters} />
    </OperatePage>
  );
}
