// The company profile: what the company has that notices ask for. A team shares it.

import { useQuery } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { type ChangeEvent, type ReactNode, useId } from "react";
import { type FieldArrayPath, FormProvider, useFieldArray, useForm, useFormContext } from "react-hook-form";
import { Link } from "react-router";
import { ApiError, messageOf } from "@/api/error.ts";
import type { CompanyProfile } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { useNow } from "@/shared/clock.ts";
import { companyProfile } from "@/shared/company.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { groupDigitsOf } from "@/shared/format/groupDigits.ts";
import { ownSectors } from "@/shared/ownSectors.ts";
import { RequestId } from "@/shared/page/RequestId.tsx";
import { paths } from "@/shared/paths.ts";
import { GRADES, WORK_FIELDS } from "@/shared/tender/grades.ts";
import { ALL_DISTRICTS } from "@/shared/tender/vocabulary.ts";
import { vocabularyName } from "@/shared/tender/vocabularyNames.ts";
import { Button } from "@/ui/Button.tsx";
import { Checkbox, SelectField, TextField } from "@/ui/Field.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { ErrorBanner } from "@/ui/StatusMessages.tsx";
import { AccountSection } from "./AccountSection.tsx";
import { CompanySection } from "./CompanySection.tsx";
import { useSaveCompany } from "./companyApi.ts";
import { type CompanyFields, DOCUMENT_KINDS, fieldsOf, formPath, profileOf } from "./companyFields.ts";
import { type CompanySectionName, SECTIONS, type SummaryEntry, summariesOf } from "./companySummaries.ts";

/** A list of rows that can be added and removed. */
function Rows<Name extends FieldArrayPath<CompanyFields>>({
  name,
  empty,
  addLabel,
  rowLabel,
  columns,
  children,
}: {
  name: Name;
  /** A new row. */
  empty: CompanyFields[Name][number];
  addLabel: string;
  /** The accessible name of a row. */
  rowLabel: (row: number) => string;
  /** The columns of a row on wide screens, as a class. */
  columns: string;
  children: (row: number) => ReactNode;
}) {
  const { t } = useTranslation();
  const { control, formState } = useFormContext<CompanyFields>();
  const { fields, append, remove } = useFieldArray({ control, name });
  const problem = formState.errors[name]?.message;
  return (
    <div className="grid gap-4">
      {fields.map(({ id }, row) => (
        <fieldset key={id} className="flex flex-wrap items-start gap-x-4 gap-y-3 border-b border-line pb-4">
          <legend className="sr-only">{rowLabel(row)}</legend>
          <div className={`grid min-w-0 flex-1 basis-72 gap-4 sm:items-end ${columns}`}>{children(row)}</div>
          <Button
            variant="plain"
            size="small"
            className="self-end"
            aria-label={t("account.company.remove", { row: rowLabel(row) })}
            onClick={() => remove(row)}
          >
            <Trash2 size={17} aria-hidden />
          </Button>
        </fieldset>
      ))}
      {typeof problem === "string" && <p className="text-sm font-medium text-urgent">{problem}</p>}
      <Button
        variant="outlined"
        size="small"
        className="justify-self-start"
        onClick={() => append(empty as never)}
      >
        <Plus size={17} aria-hidden />
        {addLabel}
      </Button>
    </div>
  );
}

/** The columns of a row with two texts and a date, which keep a date and a grade readable. */
const COLUMNS = {
  cida: "sm:grid-cols-[8rem_minmax(0,1fr)_10.5rem]",
  contractsAct: "sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_10.5rem]",
  turnover: "sm:grid-cols-[8rem_minmax(0,16rem)]",
  documents: "sm:grid-cols-[minmax(0,1fr)_10.5rem]",
} as const;

/** The first section without anything, which comes next. */
function NextSection({ summaries }: { summaries: Record<CompanySectionName, SummaryEntry[]> }) {
  const { t } = useTranslation();
  const next = SECTIONS.find((section) => summaries[section].length === 0);
  if (!next) return null;
  return (
    <p className="text-[0.9375rem]">
      {t("account.company.next")}{" "}
      <a href={`#${next}`} className="font-semibold text-accent underline underline-offset-2">
        {t(`account.company.${next}`)}
      </a>
    </p>
  );
}

/** The company's name, which is a part of the user's profile. */
function CompanyName({ name }: { name: string | null | undefined }) {
  const { t } = useTranslation();
  return (
    <p className="wrap-anywhere">
      {name ? t("account.company.nameOf", { name }) : t("account.company.noName")}{" "}
      <Link to={paths.account} className="font-semibold text-accent underline underline-offset-2">
        {t(name ? "account.company.changeName" : "account.company.enterName")}
      </Link>
    </p>
  );
}

/** The fields in which the company works, by its stored registrations. */
function CompanyFieldsLine({ company }: Pick<CompanyProfile, "company">) {
  const { t } = useTranslation();
  const sectors = ownSectors(company).map((sector) => t(`tenders.sector.${sector}`));
  if (sectors.length === 0) return null;
  return <p className="text-[0.9375rem]">{t("account.company.fields", { sectors: sectors.join(", ") })}</p>;
}

function CompanyForm({ stored }: { stored: CompanyProfile }) {
  const { t } = useTranslation();
  const messageId = useId();
  const fieldsId = useId();
  const form = useForm<CompanyFields>({ defaultValues: fieldsOf(stored.company) });
  const { register, handleSubmit, setError, getFieldState, formState } = form;
  const { company: entered } = profileOf(form.watch());
  const summaries = summariesOf(entered, useNow(), t);
  const save = useSaveCompany();
  const submit = handleSubmit((fields) => {
    const { company, problems } = profileOf(fields);
    for (const path of problems) setError(path, { message: t("account.company.notANumber") });
    if (problems.length > 0) return;
    save.mutate(
      { company, version: stored.version },
      {
        onSuccess: (saved) => form.reset(fieldsOf(saved.company)),
        onError: (error) => {
          if (!(error instanceof ApiError)) return;
          for (const { field, message } of error.errors) setError(formPath(field), { message });
        },
      },
    );
  });
  const field = (name: Parameters<typeof register>[0], label: string) => ({
    label,
    error: getFieldState(name, formState).error?.message,
    messageId,
    autoComplete: "off",
    ...register(name),
  });
  const amount = (name: Parameters<typeof register>[0], label: string) => {
    const registered = field(name, label);
    return {
      ...registered,
      inputMode: "decimal" as const,
      onChange: (event: ChangeEvent<HTMLInputElement>) => {
        groupDigitsOf(event.target);
        void registered.onChange(event);
      },
    };
  };
  const expires = (name: Parameters<typeof register>[0]) => ({
    ...field(name, t("account.company.expires")),
    optional: t("account.optional"),
    type: "date",
  });
  return (
    <FormProvider {...form}>
      <form noValidate className="grid gap-3" onSubmit={submit}>
        <CompanyFieldsLine company={stored.company} />
        <NextSection summaries={summaries} />
        <datalist id={fieldsId}>
          {WORK_FIELDS.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <CompanySection section="cida" summary={summaries.cida}>
          <Rows
            name="cida"
            columns={COLUMNS.cida}
            empty={{ grade: "", field: "", expires: "" }}
            addLabel={t("account.company.addCida")}
            rowLabel={(row) => t("account.company.cidaRow", { number: row + 1 })}
          >
            {(row) => (
              <>
                <SelectField {...field(`cida.${row}.grade`, t("account.company.grade"))}>
                  <option value="">{t("account.company.choose")}</option>
                  {GRADES.map((grade) => (
                    <option key={grade}>{grade}</option>
                  ))}
                </SelectField>
                <TextField {...field(`cida.${row}.field`, t("account.company.field"))} list={fieldsId} />
                <TextField {...expires(`cida.${row}.expires`)} />
              </>
            )}
          </Rows>
        </CompanySection>
        <CompanySection section="contractsAct" summary={summaries.contractsAct}>
          <p className="mb-4 max-w-[65ch] text-[0.9375rem] text-ink-soft">
            {t("account.company.contractsActHelp")}
          </p>
          <Rows
            name="contractsAct"
            columns={COLUMNS.contractsAct}
            empty={{ sector: "", category: "", expires: "" }}
            addLabel={t("account.company.addContractsAct")}
            rowLabel={(row) => t("account.company.contractsActRow", { number: row + 1 })}
          >
            {(row) => (
              <>
                <TextField
                  {...field(`contractsAct.${row}.sector`, t("account.company.sector"))}
                  list={fieldsId}
                />
                <TextField
                  {...field(`contractsAct.${row}.category`, t("account.company.category"))}
                  optional={t("account.optional")}
                />
                <TextField {...expires(`contractsAct.${row}.expires`)} />
              </>
            )}
          </Rows>
        </CompanySection>
        <CompanySection section="capacity" summary={summaries.capacity}>
          <div className="mb-6 grid gap-5 sm:grid-cols-2 sm:items-end">
            <TextField
              {...field("experienceYears", t("account.company.experienceYears"))}
              optional={t("account.optional")}
              inputMode="numeric"
            />
            <TextField
              {...amount("bondLimit", t("account.company.bondLimit"))}
              optional={t("account.optional")}
            />
          </div>
          <Rows
            name="turnover"
            columns={COLUMNS.turnover}
            empty={{ year: "", amount: "" }}
            addLabel={t("account.company.addTurnover")}
            rowLabel={(row) => t("account.company.turnoverRow", { number: row + 1 })}
          >
            {(row) => (
              <>
                <TextField
                  {...field(`turnover.${row}.year`, t("account.company.year"))}
                  inputMode="numeric"
                  maxLength={4}
                />
                <TextField {...amount(`turnover.${row}.amount`, t("account.company.amount"))} />
              </>
            )}
          </Rows>
        </CompanySection>
        <CompanySection section="documents" summary={summaries.documents}>
          <p className="mb-4 max-w-[65ch] text-[0.9375rem] text-ink-soft">
            {t("account.company.documentsHelp")}
          </p>
          <Rows
            name="documents"
            columns={COLUMNS.documents}
            empty={{ kind: "pca-3", note: "", expires: "" }}
            addLabel={t("account.company.addDocument")}
            rowLabel={(row) => t("account.company.documentRow", { number: row + 1 })}
          >
            {(row) => (
              <>
                <SelectField {...field(`documents.${row}.kind`, t("account.company.document"))}>
                  {DOCUMENT_KINDS.map((kind) => (
                    <option key={kind} value={kind}>
                      {t(`account.company.kinds.${kind}`)}
                    </option>
                  ))}
                </SelectField>
                <TextField {...expires(`documents.${row}.expires`)} />
                <div className="sm:col-span-2">
                  <TextField
                    {...field(`documents.${row}.note`, t("account.company.note"))}
                    optional={t("account.optional")}
                  />
                </div>
              </>
            )}
          </Rows>
        </CompanySection>
        <CompanySection section="numbers" summary={summaries.numbers}>
          <div className="grid gap-5 sm:grid-cols-3 sm:items-end">
            {(["businessRegistration", "vat", "svat"] as const).map((name) => (
              <TextField
                key={name}
                {...field(name, t(`account.company.${name}`))}
                optional={t("account.optional")}
              />
            ))}
          </div>
        </CompanySection>
        <CompanySection section="districts" summary={summaries.districts}>
          <fieldset>
            <legend className="mb-3 text-[0.9375rem] text-ink-soft">
              {t("account.company.districtsHelp")}
            </legend>
            <div className="grid grid-cols-2 gap-x-4 gap-y-1 sm:grid-cols-3 md:grid-cols-4">
              {ALL_DISTRICTS.map((district) => (
                <Checkbox
                  key={district}
                  label={vocabularyName("district", district, t)}
                  value={district}
                  {...register("districts")}
                />
              ))}
            </div>
          </fieldset>
        </CompanySection>
        <div
          className={
            formState.isDirty
              ? "sticky bottom-0 z-10 -mx-2 grid gap-3 rounded-t-xl border border-b-0 border-line bg-sheet px-4 py-3 shadow-sheet"
              : "mt-3 grid gap-3"
          }
        >
          <FormMessage id={messageId}>
            {save.error && messageOf(save.error, t("account.settings.saveFailed"))}
          </FormMessage>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Button type="submit" disabled={save.isPending || !formState.isDirty}>
              {t(save.isPending ? "account.settings.saving" : "account.settings.save")}
            </Button>
            {stored.updatedAt && (
              <p className="text-sm text-ink-soft">
                {stored.updatedBy
                  ? t("account.company.changedBy", {
                      name: stored.updatedBy,
                      moment: formatMoment(stored.updatedAt),
                    })
                  : t("account.company.changed", { moment: formatMoment(stored.updatedAt) })}
              </p>
            )}
          </div>
        </div>
      </form>
    </FormProvider>
  );
}

function LoadedCompany() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(companyProfile);
  if (data) return <CompanyForm stored={data} />;
  if (!error)
    return <div role="status" aria-label={t("account.company.loading")} className="skeleton h-64" />;
  return (
    <ErrorBanner
      title={t("account.company.failed")}
      action={
        <Button variant="outlined" size="small" onClick={() => void refetch()}>
          {t("shell.tryAgain")}
        </Button>
      }
    >
      <p>{messageOf(error, t("account.unknown.text"))}</p>
      <RequestId error={error} />
    </ErrorBanner>
  );
}

export function Component() {
  const { t } = useTranslation();
  return (
    <AccountSection section="company">
      {(user) => (
        <>
          <p className="max-w-[65ch] text-ink-soft">{t("account.company.intro")}</p>
          <CompanyName name={user.company} />
          <LoadedCompany />
        </>
      )}
    </AccountSection>
  );
}
