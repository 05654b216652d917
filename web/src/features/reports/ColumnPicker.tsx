// Chooses and orders the columns of a report.

import { ArrowDown, ArrowUp, Plus, X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "@/i18n/i18n.ts";
import { COLUMNS, type Column, moveItem } from "./form.ts";

function ColumnButton({
  label,
  disabled,
  onClick,
  children,
}: {
  label: string;
  disabled?: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      disabled={disabled}
      onClick={onClick}
      className="grid size-9 place-items-center rounded-lg text-ink-soft hover:bg-well hover:text-ink disabled:opacity-30 max-sm:size-11"
    >
      {children}
    </button>
  );
}

export function ColumnPicker({
  chosen,
  onChange,
}: {
  chosen: readonly Column[];
  onChange: (columns: Column[]) => void;
}) {
  const { t } = useTranslation();
  const name = (column: Column) => t(`reports.column.${column}`);
  const left = COLUMNS.filter((column) => !chosen.includes(column));
  return (
    <fieldset className="min-w-0">
      <legend className="text-[0.9375rem] font-semibold">{t("reports.columns")}</legend>
      <p className="mb-2 text-sm text-ink-soft">{t("reports.columnsHelp")}</p>
      <ol className="divide-y divide-line overflow-hidden rounded-lg border border-line">
        {chosen.map((column, nth) => (
          <li key={column} className="flex min-h-10 items-center bg-sheet pl-3">
            <span className="w-7 shrink-0 text-sm text-ink-soft tabular-nums">{nth + 1}</span>
            <span className="min-w-0 flex-1 py-1 text-[0.9375rem] break-words">{name(column)}</span>
            <ColumnButton
              label={t("reports.earlier", { column: name(column) })}
              disabled={nth === 0}
              onClick={() => onChange(moveItem(chosen, column, -1))}
            >
              <ArrowUp size={16} aria-hidden />
            </ColumnButton>
            <ColumnButton
              label={t("reports.later", { column: name(column) })}
              disabled={nth === chosen.length - 1}
              onClick={() => onChange(moveItem(chosen, column, 1))}
            >
              <ArrowDown size={16} aria-hidden />
            </ColumnButton>
            <ColumnButton
              label={t("reports.remove", { column: name(column) })}
              disabled={chosen.length === 1}
              onClick={() => onChange(chosen.filter((other) => other !== column))}
            >
              <X size={16} aria-hidden />
            </ColumnButton>
          </li>
        ))}
      </ol>
      {left.length > 0 && (
        <fieldset className="mt-3">
          <legend className="mb-1.5 text-sm text-ink-soft">{t("reports.add")}</legend>
          <div className="flex flex-wrap gap-2">
            {left.map((column) => (
              <button
                key={column}
                type="button"
                onClick={() => onChange([...chosen, column])}
                className="inline-flex min-h-8 items-center gap-1 rounded-full border border-edge/60 px-2.5 text-sm hover:border-accent hover:text-accent max-sm:min-h-11"
              >
                <Plus size={14} aria-hidden />
                {name(column)}
              </button>
            ))}
          </div>
        </fieldset>
      )}
    </fieldset>
  );
}
