// A titled panel, and a table with bars.

import type { ReactNode } from "react";
import type { Point } from "./Charts.tsx";

export function StatisticsPanel({
  title,
  aside,
  wide = false,
  children,
}: {
  title: string;
  /** Shown beside the title. */
  aside?: ReactNode;
  /** Whether the panel spans both columns of the page. */
  wide?: boolean;
  children: ReactNode;
}) {
  return (
    <section
      aria-label={title}
      className={`min-w-0 rounded-xl border border-line bg-sheet p-4 ${wide ? "lg:col-span-2" : ""}`}
    >
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h2 className="font-semibold">{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** A table with a bar beside each value. `maximum` is the value of a full bar. */
export function BarTable({
  head,
  rows,
  maximum,
}: {
  head: readonly [string, string];
  rows: readonly Point[];
  maximum: number;
}) {
  return (
    <table className="w-full table-fixed text-[0.9375rem]">
      <thead className="sr-only">
        <tr>
          <th scope="col">{head[0]}</th>
          <th scope="col">{head[1]}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, label, value }) => (
          <tr key={key}>
            <th scope="row" className="w-2/5 py-1.5 pr-3 text-left align-middle font-normal break-words">
              {label}
            </th>
            <td className="py-1.5">
              <span className="flex items-center gap-3">
                <span className="h-3 flex-1 overflow-hidden rounded-full bg-well" aria-hidden>
                  <span
                    className="block h-3 rounded-full bg-accent"
                    style={{ width: `${maximum > 0 ? (100 * value) / maximum : 0}%` }}
                  />
                </span>
                <span className="w-8 text-right tabular-nums">{value}</span>
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
