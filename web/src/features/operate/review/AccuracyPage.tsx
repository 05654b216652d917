// How accurately notices were read, by week and field. The figures come from what reviewers accepted
// and corrected.

import { useQuery } from "@tanstack/react-query";
import { Target } from "lucide-react";
import { messageOf } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatDay } from "@/shared/format/dates.ts";
import { SelectField } from "@/ui/Field.tsx";
import { EmptyState, ErrorBanner, LoadingScreen } from "@/ui/StatusMessages.tsx";
import { fieldName } from "../fieldNames.ts";
import { useFilters } from "../filters.ts";
import { OperatePage, STAFF } from "../OperatePage.tsx";
import { accuracyOf, accuracyTable, type Counts, shareOfCertain, shareRight } from "./accuracy.ts";
import { IS_NOTICE } from "./reviewFields.ts";

const WEEKS = [4, 12, 26, 53] as const;
const DEFAULT_WEEKS = 12;
/** The fields that readers need most come first. */
const ORDER = [IS_NOTICE, "title", "organization.name", "referenceNo", "dates.closing"];

const percent = (share: number | null) => (share === null ? "–" : `${(share * 100).toFixed(1)}%`);

/** A cell: the share of right values, and out of how many. */
function Share({ counts }: { counts: Counts | undefined }) {
  const { t } = useTranslation();
  const share = counts ? shareRight(counts) : null;
  if (!counts || share === null) return <td className="px-3 py-2 text-right text-ink-soft">–</td>;
  const { right, wrong, missed } = counts;
  return (
    <td
      className="px-3 py-2 text-right tabular-nums"
      title={t("operate.accuracy.cell", { right, wrong, missed })}
    >
      {percent(share)}
      <span className="block text-xs text-ink-soft">
        {t("operate.accuracy.outOf", { right, all: right + wrong + missed })}
      </span>
    </td>
  );
}

function Figure({ label, share, counted }: { label: string; share: number | null; counted: string }) {
  return (
    <div className="rounded-xl border border-line bg-sheet px-4 py-3">
      <dt className="text-sm text-ink-soft">{label}</dt>
      <dd className="text-2xl font-bold tabular-nums">{percent(share)}</dd>
      <dd className="text-sm text-ink-soft">{counted}</dd>
    </div>
  );
}

function Table({ weeks, onlySamples }: { weeks: number; onlySamples: boolean }) {
  const { t } = useTranslation();
  const { data, error, isPending } = useQuery(accuracyOf(weeks, onlySamples));
  if (error) return <ErrorBanner title={messageOf(error, t("operate.failed"))} />;
  if (isPending) return <LoadingScreen label={t("shell.loading")} />;
  const table = accuracyTable(data.fields, ORDER);
  if (table.rows.length === 0) {
    return (
      <EmptyState icon={<Target size={22} />} title={t("operate.accuracy.none")}>
        {t(onlySamples ? "operate.accuracy.noneSampled" : "operate.accuracy.noneHelp")}
      </EmptyState>
    );
  }
  const { total } = table;
  return (
    <>
      <dl className="mb-6 grid gap-4 sm:grid-cols-2">
        <Figure
          label={t("operate.accuracy.allRight")}
          share={shareRight(total)}
          counted={t("operate.accuracy.values", { count: total.right + total.wrong + total.missed })}
        />
        <Figure
          label={t("operate.accuracy.certainRight")}
          share={shareOfCertain(total)}
          counted={t("operate.accuracy.values", { count: total.certain })}
        />
      </dl>
      <section
        aria-label={t("operate.accuracy.table")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reachable by keyboard
        tabIndex={0}
        className="overflow-x-auto rounded-xl border border-line bg-sheet"
      >
        <table className="w-full text-[0.9375rem]">
          <thead className="border-b border-line text-left text-sm text-ink-soft">
            <tr>
              <th scope="col" className="sticky left-0 bg-sheet px-3 py-2 font-semibold">
                {t("operate.accuracy.field")}
              </th>
              <th scope="col" className="px-3 py-2 text-right font-semibold">
                {t("operate.accuracy.sum")}
              </th>
              <th scope="col" className="px-3 py-2 text-right font-semibold">
                {t("operate.accuracy.certain")}
              </th>
              {table.weeks.map((week) => (
                <th key={week} scope="col" className="px-3 py-2 text-right font-semibold whitespace-nowrap">
                  {t("operate.accuracy.week", { day: formatDay(week) })}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {table.rows.map(({ field, total, byWeek }) => (
              <tr key={field}>
                <th scope="row" className="sticky left-0 bg-sheet px-3 py-2 text-left font-semibold">
                  {fieldName(field, t)}
                </th>
                <Share counts={total} />
                <td className="px-3 py-2 text-right tabular-nums">{percent(shareOfCertain(total))}</td>
                {table.weeks.map((week) => (
                  <Share key={week} counts={byWeek.get(week)} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

export function Component() {
  const { t } = useTranslation();
  const { params, setFilter } = useFilters<"weeks" | "notices">();
  const weeks = WEEKS.find((count) => String(count) === params.get("weeks")) ?? DEFAULT_WEEKS;
  const onlySamples = params.get("notices") === "sampled";
  return (
    <OperatePage title={t("operate.accuracy.title")} only={STAFF}>
      <p className="mt-2 max-w-[75ch] text-ink-soft">{t("operate.accuracy.text")}</p>
      <div className="mt-4 mb-6 grid gap-4 sm:grid-cols-[18rem_12rem]">
        <SelectField
          label={t("operate.accuracy.notices")}
          value={onlySamples ? "sampled" : ""}
          onChange={(event) => setFilter("notices", event.target.value)}
        >
          <option value="">{t("operate.accuracy.allChecked")}</option>
          <option value="sampled">{t("operate.accuracy.onlySampled")}</option>
        </SelectField>
        <SelectField
          label={t("operate.accuracy.period")}
          value={String(weeks)}
          onChange={(event) => setFilter("weeks", event.target.value)}
        >
          {WEEKS.map((count) => (
            <option key={count} value={count}>
              {t("operate.accuracy.weeks", { count })}
            </option>
          ))}
        </SelectField>
      </div>
      <Table weeks={weeks} onlySamples={onlySamples} />
    </OperatePage>
  );
}
