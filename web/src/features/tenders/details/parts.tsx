// The parts of a tender's details: sections, lists, lots and the groups of fields.

import type { ReactNode } from "react";
import type { Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { useAccount } from "@/shared/session/account.ts";
import { uncertainPaths } from "@/shared/tender/fieldStates.ts";
import type { Highlights } from "../clip/useHighlights.ts";
import { FieldList } from "./FieldList.tsx";
import {
  bondText,
  conditionFields,
  dateFields,
  doubtPathsOf,
  noticeFields,
  organizationFields,
  recordFields,
} from "./tenderFields.tsx";

/** The level of the headings in the details: one below the level of the tender's title. */
export type Heading = "h2" | "h3";

export function Section({
  heading: Title,
  title,
  children,
}: {
  heading: Heading | "h4";
  title: string;
  children: ReactNode;
}) {
  return (
    <section>
      <Title className="mb-2 text-[0.9375rem] font-semibold">{title}</Title>
      {children}
    </section>
  );
}

export function TextList({ items, language }: { items: readonly string[]; language: string | undefined }) {
  return (
    <ul lang={language} className="list-disc space-y-1 pl-5 text-[0.9375rem]">
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}

/** The printed words of a table, which have lost its columns. They have what the record lacks, such as quantities. */
export function PrintedTable({ text, language }: { text: string; language: string | undefined }) {
  const { t } = useTranslation();
  return (
    <details className="text-sm text-ink-soft">
      <summary className="inline-flex min-h-8 cursor-pointer items-center underline underline-offset-2 max-sm:min-h-11">
        {t("tenders.details.printedWords")}
      </summary>
      <p className="max-w-[75ch] wrap-anywhere" lang={language}>
        {text}
      </p>
    </details>
  );
}

/** The lots with the bid security of each, if any lot has one. */
export function Lots({ tender: { lots, language, evidence } }: { tender: Tender }) {
  const { t } = useTranslation();
  const rows = (lots ?? []).map((lot) => ({ ...lot, bond: bondText(lot.bidBond, t) }));
  const hasNumbers = rows.some(({ number }) => number);
  const hasBonds = rows.some(({ bond }) => bond);
  const printed = evidence?.lots?.text;
  const headStyle = "px-3 py-1.5 font-medium";
  return (
    <>
      <table
        aria-label={t("tenders.details.lots")}
        className="w-full border-separate border-spacing-0 rounded-lg border border-line text-[0.9375rem] [&_tbody_:is(td,th)]:border-t [&_tbody_:is(td,th)]:border-line"
      >
        <thead className="text-left text-[0.8125rem] text-ink-soft">
          <tr>
            {hasNumbers && (
              <th scope="col" className={headStyle}>
                {t("tenders.details.lotNumber")}
              </th>
            )}
            <th scope="col" className={headStyle}>
              {t("tenders.details.lotSubject")}
            </th>
            {hasBonds && (
              <th scope="col" className={`${headStyle} text-right`}>
                {t("tenders.details.bidBond")}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ number, title, bond }) => (
            <tr key={`${number} ${title}`} className="align-top">
              {hasNumbers && <td className="px-3 py-2 tabular-nums">{number}</td>}
              <th
                scope="row"
                lang={language ?? undefined}
                className="px-3 py-2 text-left font-medium wrap-anywhere"
              >
                {title}
              </th>
              {hasBonds && (
                <td className="px-3 py-2 text-right tabular-nums sm:whitespace-nowrap">{bond ?? "–"}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {printed && <PrintedTable text={printed} language={language ?? undefined} />}
    </>
  );
}

const NO_PATHS: ReadonlySet<string> = new Set();

/** All fields of a tender, in columns if there is room. What is seldom needed opens on demand. */
export function FieldGroups({
  tender,
  highlights,
  columns,
  shownElsewhere = NO_PATHS,
}: {
  tender: Tender;
  highlights: Highlights;
  /** The classes for further columns. */
  columns: string;
  /** The paths of conditions that the page shows in another place. An uncertain one is repeated. */
  shownElsewhere?: ReadonlySet<string>;
}) {
  const { t } = useTranslation();
  const { status } = useAccount();
  const groups = {
    dates: dateFields(tender, t),
    conditions: conditionFields(tender, t).filter(
      (field) =>
        !shownElsewhere.has(field.path ?? "") || uncertainPaths(tender, doubtPathsOf(field)).length > 0,
    ),
    organization: organizationFields(tender, t, status === "guest"),
    notice: noticeFields(tender, t),
  };
  return (
    <div>
      <div className={`columns-1 gap-x-6 @xs:columns-2 sm:gap-x-8 ${columns}`}>
        {Object.entries(groups).map(([group, fields]) => (
          <FieldList key={group} fields={fields} tender={tender} highlights={highlights} />
        ))}
      </div>
      <details className="mt-1">
        <summary className="inline-flex min-h-9 cursor-pointer items-center text-[0.9375rem] font-medium text-accent underline underline-offset-2 max-sm:min-h-11">
          {t("tenders.details.record")}
        </summary>
        <div className="mt-2 columns-1 gap-x-6 @xs:columns-2 sm:gap-x-8">
          <FieldList fields={recordFields(tender, t)} tender={tender} highlights={highlights} />
        </div>
      </details>
    </div>
  );
}
