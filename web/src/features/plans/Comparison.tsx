// The comparison of all plans: a table on wide screens, one plan at a time on narrow ones.

import { Check, Minus } from "lucide-react";
import { Fragment, useState } from "react";
import type { Plan } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { planName } from "@/shared/plans/plans.ts";
import { type ComparisonGroup, type ComparisonRow, comparisonGroups } from "./comparisonRows.ts";

/** A column of the comparison: a plan, or no account. */
interface Column {
  key: string;
  title: string;
  value: (row: ComparisonRow) => string | boolean;
}

/** A text, or an icon that says whether something is included. */
function Value({ value }: { value: string | boolean }) {
  const { t } = useTranslation();
  if (typeof value === "string") return value;
  const Icon = value ? Check : Minus;
  return (
    <>
      <span className="sr-only">{t(value ? "plans.included" : "plans.notIncluded")}</span>
      <Icon size={18} aria-hidden className={`inline ${value ? "text-accent" : "text-ink-soft"}`} />
    </>
  );
}

interface ComparisonProps {
  columns: readonly Column[];
  groups: readonly ComparisonGroup[];
}

function ComparisonTable({ columns, groups }: ComparisonProps) {
  const { t } = useTranslation();
  return (
    <table className="w-full table-fixed border-collapse rounded-xl bg-sheet text-[0.9375rem] max-lg:hidden">
      <caption className="sr-only">{t("plans.compare")}</caption>
      <thead>
        <tr className="border-b border-line">
          <td className="w-1/3" />
          {columns.map(({ key, title }) => (
            <th key={key} scope="col" className="p-3 text-center font-semibold wrap-anywhere">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      {groups.map(({ title, rows }) => (
        <tbody key={title}>
          <tr className="border-b border-line bg-well">
            <th scope="rowgroup" colSpan={columns.length + 1} className="px-3 py-2 text-left font-semibold">
              {title}
            </th>
          </tr>
          {rows.map((row) => (
            <tr key={row.label} className="border-b border-line">
              <th scope="row" className="p-3 text-left font-normal">
                {row.label}
              </th>
              {columns.map(({ key, value }) => (
                <td key={key} className="p-3 text-center tabular-nums wrap-anywhere">
                  <Value value={value(row)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}

/** The choice of the plan that a narrow screen shows. */
function PlanSwitch({
  columns,
  chosen,
  onChoose,
}: {
  columns: readonly Column[];
  chosen: string;
  onChoose: (key: string) => void;
}) {
  const { t } = useTranslation();
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">{t("plans.which")}</legend>
      {columns.map(({ key, title }) => (
        <label
          key={key}
          className="flex min-h-11 cursor-pointer items-center rounded-lg border border-edge bg-sheet px-3 text-[0.9375rem] font-semibold has-checked:border-accent has-checked:bg-accent has-checked:text-on-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name="compared-plan"
            checked={key === chosen}
            onChange={() => onChoose(key)}
            className="sr-only"
          />
          {title}
        </label>
      ))}
    </fieldset>
  );
}

function ComparisonList({ columns, groups }: ComparisonProps) {
  const [chosen, setChosen] = useState("professional");
  const column = columns.find(({ key }) => key === chosen) ?? columns[0];
  if (!column) return null;
  return (
    <div className="lg:hidden">
      <PlanSwitch columns={columns} chosen={column.key} onChoose={setChosen} />
      <div className="mt-3 rounded-xl border border-line bg-sheet px-4 pb-2">
        {groups.map(({ title, rows }) => (
          <Fragment key={title}>
            <h3 className="border-b border-line pt-4 pb-2 font-semibold">{title}</h3>
            <dl>
              {rows.map((row) => (
                <div
                  key={row.label}
                  className="flex items-center justify-between gap-4 border-b border-line py-2.5 text-[0.9375rem] last:border-b-0"
                >
                  <dt className="min-w-0 wrap-anywhere">{row.label}</dt>
                  <dd className="shrink-0 text-right font-medium tabular-nums">
                    <Value value={column.value(row)} />
                  </dd>
                </div>
              ))}
            </dl>
          </Fragment>
        ))}
      </div>
    </div>
  );
}

export function Comparison({ plans }: { plans: readonly Plan[] }) {
  const { t } = useTranslation();
  const groups = comparisonGroups(plans, t);
  const columns: Column[] = [
    { key: "guest", title: t("plans.guest"), value: ({ guest }) => guest },
    ...plans.map((plan) => ({
      key: plan.name,
      title: planName(plan.name, t),
      value: ({ of }: ComparisonRow) => of(plan),
    })),
  ];
  return (
    <section aria-labelledby="comparison">
      <h2 id="comparison" className="mb-3 text-xl font-bold tracking-tight">
        {t("plans.compare")}
      </h2>
      <ComparisonTable columns={columns} groups={groups} />
      <ComparisonList columns={columns} groups={groups} />
    </section>
  );
}
