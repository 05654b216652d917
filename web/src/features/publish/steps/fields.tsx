// The building blocks of the form's steps: sections, and fields that know their label and their error.

import { Plus, Trash2 } from "lucide-react";
import { type ReactNode, useId } from "react";
import { Controller, useFieldArray, useFormContext, useWatch } from "react-hook-form";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatDay } from "@/shared/format/dates.ts";
import { Button } from "@/ui/Button.tsx";
import { TextField } from "@/ui/Field.tsx";
import { ListField } from "@/ui/ListField.tsx";
import type { FieldName, PublishForm } from "../form.ts";
import { REQUIRED_FIELDS } from "../problems.ts";
import { useFieldError } from "../useFormProblems.ts";

type ListName = "criteria" | "documentRequired" | "tags";
type RowListName = "grades" | "lots";
type PlainName = Exclude<FieldName, ListName | RowListName | "submissionMethods">;

export function Section({ title, help, children }: { title: string; help?: string; children: ReactNode }) {
  return (
    <fieldset className="min-w-0 rounded-2xl border border-line bg-sheet px-5 py-6 sm:px-7">
      {/* Floating places the legend inside the frame instead of on its border. */}
      <legend className={`float-left w-full text-lg font-semibold ${help ? "" : "mb-5"}`}>{title}</legend>
      {help && <p className="clear-both mb-5 text-[0.9375rem] text-ink-soft">{help}</p>}
      <div className="clear-both grid gap-5">{children}</div>
    </fieldset>
  );
}

/** Two short fields side by side if there is room. */
export function Pair({ children }: { children: ReactNode }) {
  return <div className="grid gap-5 sm:grid-cols-2">{children}</div>;
}

/** The common props of a form field. Fields that publishing does not require are marked as optional. */
export function useField(name: PlainName) {
  const { t } = useTranslation();
  const { register } = useFormContext<PublishForm>();
  const error = useFieldError(name);
  const isRequired = REQUIRED_FIELDS.some((needed) => needed === name);
  return {
    label: t(`publish.field.${name}`),
    optional: isRequired ? undefined : t("account.optional"),
    error,
    ...register(name),
  };
}

type PlainFieldProps = Omit<Parameters<typeof TextField>[0], "label" | "name"> & { name: PlainName };

/** A one-line field with its label and its error. */
export function PlainField({ name, ...props }: PlainFieldProps) {
  return <TextField {...useField(name)} {...props} />;
}

type DayName = "published" | "closingDay" | "openingDay" | "preBidDay" | "saleFrom" | "saleUntil";

/** A day. The browser shows it in its own order of day and month, so that the help says it in words. */
export function DayField({ name }: { name: DayName }) {
  const { control } = useFormContext<PublishForm>();
  const day = useWatch({ control, name });
  return <PlainField name={name} type="date" help={day === "" ? undefined : formatDay(day)} />;
}

export function Options<Value extends string>({
  values,
  name,
}: {
  values: readonly Value[];
  name?: (value: Value) => string;
}) {
  return values.map((value) => (
    <option key={value} value={value}>
      {name ? name(value) : value}
    </option>
  ));
}

export function ListControl({ name, unique }: { name: ListName; unique?: boolean }) {
  const { t } = useTranslation();
  const { control } = useFormContext<PublishForm>();
  const error = useFieldError(name);
  return (
    <Controller
      control={control}
      name={name}
      render={({ field }) => (
        <ListField
          ref={field.ref}
          label={t(`publish.field.${name}`)}
          optional={t("account.optional")}
          help={t("publish.listHelp")}
          error={error}
          entries={field.value}
          onChange={field.onChange}
          add={t("publish.add")}
          remove={(entry) => t("publish.remove", { entry })}
          addsOnBlur
          {...(unique && { unique })}
        />
      )}
    />
  );
}

interface RowListProps<Name extends RowListName> {
  name: Name;
  /** The largest number of rows. */
  max: number;
  /** Creates a row. `last` is the row before it. */
  newRow: (last: PublishForm[Name][number] | undefined) => PublishForm[Name][number];
  addLabel: string;
  rowLabel: (number: number) => string;
  children: (row: number) => ReactNode;
}

/** A list of rows of fields. Rows can be added and removed. */
export function RowList<Name extends RowListName>({
  name,
  max,
  newRow,
  addLabel,
  rowLabel,
  children,
}: RowListProps<Name>) {
  const { t } = useTranslation();
  const addId = useId();
  const { control, getValues } = useFormContext<PublishForm>();
  const { fields, append, remove } = useFieldArray<PublishForm, RowListName>({ control, name });
  const error = useFieldError(name);
  const add = () => append(newRow(getValues(name).at(-1) as PublishForm[Name][number] | undefined));
  const removeRow = (row: number) => {
    remove(row);
    // The focus would leave the page with the button.
    document.getElementById(addId)?.focus();
  };
  return (
    <div className="grid gap-4">
      {fields.map(({ id }, row) => (
        <fieldset key={id} className="min-w-0 rounded-xl border border-line px-4 pt-3 pb-4">
          <legend className="sr-only">{rowLabel(row + 1)}</legend>
          <div className="mb-2 flex items-center justify-between gap-3">
            <span aria-hidden className="text-[0.9375rem] font-semibold">
              {rowLabel(row + 1)}
            </span>
            <Button
              variant="plain"
              size="small"
              className="-mr-2"
              aria-label={t("publish.remove", { entry: rowLabel(row + 1) })}
              onClick={() => removeRow(row)}
            >
              <Trash2 size={17} aria-hidden />
            </Button>
          </div>
          <div className="grid gap-4">{children(row)}</div>
        </fieldset>
      ))}
      {error && <p className="text-sm font-medium text-urgent">{error}</p>}
      <Button
        id={addId}
        variant="outlined"
        size="small"
        className="justify-self-start"
        disabled={fields.length >= max}
        onClick={add}
      >
        <Plus size={17} aria-hidden />
        {addLabel}
      </Button>
    </div>
  );
}
