// A table of counts. Each row has a bar whose strong part stands for the open tenders; screen readers
// skip the bars.

import { type ReactNode, useId, useState } from "react";
import { Link } from "react-router";
import { useTranslation } from "@/i18n/i18n.ts";
import { Button } from "@/ui/Button.tsx";
import { linkStyle } from "./linkStyle.ts";

export interface CountRow {
  key: string;
  label: ReactNode;
  count: number;
  /** The number of open tenders. */
  open?: number;
  /** The listing of the open tenders, or of all without a number of open ones, where it can show them. */
  path?: string | undefined;
  /** How many of the tenders in the listing have a value that is not certain. */
  uncertain?: number;
  /** Whether the row counts what is not stated. It comes last and does not scale the bars. */
  isRest?: boolean;
}

/** The rows that are shown at first. One more is shown in place of the button for it alone. */
const SHOWN = 10;

function Bar({ count, open, most }: { count: number; open: number | undefined; most: number }) {
  if (count === 0) return null;
  const width = Math.min(100, Math.max(1.5, (count / most) * 100));
  const share = open === undefined ? 100 : (open / count) * 100;
  return (
    <div className="h-2.5 overflow-hidden rounded-full bg-accent/25" style={{ width: `${width}%` }}>
      <div className="h-full bg-accent" style={{ width: `${share}%` }} />
    </div>
  );
}

/** "12", or "10 of 12". It leads to the listing, and says how many of its tenders are not certain. */
function Numbers({
  count,
  open,
  path,
  uncertain = 0,
}: Pick<CountRow, "count" | "open" | "path" | "uncertain">) {
  const { t } = useTranslation();
  const numbers =
    open === undefined ? <span className="font-medium">{count}</span> : t("market.openOf", { open, count });
  const content = (
    <>
      {numbers}
      {uncertain > 0 && <span className="block text-sm"> {t("market.uncertain", { count: uncertain })}</span>}
    </>
  );
  if (!path || (open ?? count) === 0) return content;
  return (
    <Link to={path} className={`${linkStyle} inline-block py-0.5`}>
      {content}
    </Link>
  );
}

export function CountTable({
  caption,
  head,
  rows,
  help,
  children,
}: {
  caption: string;
  /** The head of the first column. */
  head: string;
  rows: readonly CountRow[];
  help?: ReactNode;
  /** What stands below the table. */
  children?: ReactNode;
}) {
  const { t } = useTranslation();
  const id = useId();
  const [isWhole, setWhole] = useState(false);
  const stated = rows.filter(({ isRest }) => !isRest);
  const most = Math.max(1, ...stated.map(({ count }) => count));
  const hasOpen = rows.some(({ open }) => open !== undefined);
  const isCut = !isWhole && stated.length > SHOWN + 1;
  const shown = [...(isCut ? stated.slice(0, SHOWN) : stated), ...rows.filter(({ isRest }) => isRest)];
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-xl border border-line bg-sheet p-4 sm:p-5">
      <h2 id={id} className="text-lg font-semibold">
        {caption}
      </h2>
      {help && <p className="text-sm text-ink-soft">{help}</p>}
      <table aria-labelledby={id} className="mt-3 w-full text-[0.9375rem]">
        <thead className="text-left text-sm text-ink-soft">
          <tr>
            <th scope="col" className="pb-1 pr-3 font-medium wrap-anywhere">
              {head}
            </th>
            <td aria-hidden className="w-[30%] max-sm:w-1/5" />
            <th scope="col" className="pb-1 pl-3 text-right font-medium">
              {t(hasOpen ? "market.openOfAll" : "market.count")}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ key, label, count, open, path, uncertain, isRest }) => (
            <tr key={key} className="border-t border-line">
              <th scope="row" className="py-1.5 pr-3 text-left font-normal wrap-anywhere">
                {label}
              </th>
              <td aria-hidden>{!isRest && <Bar count={count} open={open} most={most} />}</td>
              <td className="py-1.5 pl-3 text-right tabular-nums sm:text-nowrap">
                <Numbers count={count} open={open} path={path} uncertain={uncertain} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {isCut && (
        <Button variant="plain" size="small" className="mt-2 -ml-2" onClick={() => setWhole(true)}>
          {t("market.showAll", { count: stated.length })}
        </Button>
      )}
      {children}
    </section>
  );
}
