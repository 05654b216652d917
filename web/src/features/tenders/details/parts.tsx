// The parts of a tender's details: sections, lists, lots and the groups of fields.

import type { ReactNode } from "react";
import type { Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import type { Highlights } from "../clip/useHighlights.ts";
import { FieldList } from "./FieldList.tsx";
import { bondText, conditionFields, dateFields, noticeFields, organizationFields } from "./tenderFields.tsx";

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

export function Lots({
  lots,
  language,
}: {
  lots: NonNullable<Tender["lots"]>;
  language: string | undefined;
}) {
  const { t } = useTranslation();
  return (
    <ul className="divide-y divide-line rounded-lg border border-line text-[0.9375rem]">
      {lots.map(({ number, title, bidBond }) => (
        <li key={`${number} ${title}`} className="flex flex-wrap justify-between gap-x-4 gap-y-1 px-3 py-2">
          <span lang={language}>
            {number && <strong className="font-semibold">{t("tenders.details.lot", { number })}: </strong>}
            {title}
          </span>
          {(bidBond?.amount != null || bidBond?.percentage != null) && (
            <span className="text-ink-soft">
              {t("tenders.card.bidBond", { value: bondText(bidBond, t) ?? "" })}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** All fields of a tender, in groups side by side if there is room. */
export function FieldGroups({
  tender,
  highlights,
  columns,
}: {
  tender: Tender;
  highlights: Highlights;
  /** The classes for further columns. */
  columns: string;
}) {
  const { t } = useTranslation();
  const groups = {
    dates: dateFields(tender, t),
    conditions: conditionFields(tender, t),
    organization: organizationFields(tender, t),
    notice: noticeFields(tender, t),
  };
  return (
    <div className={`grid grid-cols-1 gap-x-6 @xs:grid-cols-2 gap-y-5 sm:gap-x-8 ${columns}`}>
      {Object.entries(groups).map(([group, fields]) => (
        <FieldList key={group} fields={fields} tender={tender} highlights={highlights} />
      ))}
    </div>
  );
}
