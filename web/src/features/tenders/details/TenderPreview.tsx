// A tender as its readers will see it, for its publisher. It has no id yet, so it has no actions.

import { FileText } from "lucide-react";
import { useId } from "react";
import type { Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatClosing } from "@/shared/format/dates.ts";
import { formatKilobytes } from "@/shared/format/money.ts";
import { CountdownBadge } from "@/shared/tender/CountdownBadge.tsx";
import { placeName } from "@/shared/tender/place.ts";
import { useHighlights } from "../clip/useHighlights.ts";
import { PublishedBy } from "../summary/PublishedBy.tsx";
import { FieldGroups, Lots, Section, TextList } from "./parts.tsx";

function DocumentNames({ documents }: { documents: NonNullable<Tender["documents"]> }) {
  const { t } = useTranslation();
  return (
    <ul className="grid gap-1 text-[0.9375rem]">
      {documents.map(({ _id, name, size }) => (
        <li key={_id} className="flex items-start gap-2">
          <FileText size={16} aria-hidden className="mt-1 shrink-0 text-ink-soft" />
          <span className="min-w-0 break-words">
            {name}{" "}
            <span className="text-sm text-ink-soft">
              {t("tenders.details.kilobytes", { size: formatKilobytes(size) })}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}

export function TenderPreview({ tender }: { tender: Tender }) {
  const { t } = useTranslation();
  const id = useId();
  const highlights = useHighlights();
  const place = placeName(tender.location, t);
  const closing = tender.dates?.closing;
  const { criteria = [], documentRequired = [] } = tender.eligibility ?? {};
  const { lots = [], documents = [], tags = [] } = tender;
  return (
    <article aria-labelledby={id} className="min-w-0 rounded-xl border border-line bg-sheet shadow-sheet">
      <header className="px-4 py-5">
        <h3 id={id} className="text-2xl leading-snug font-bold tracking-tight wrap-anywhere">
          {tender.title || <span className="text-ink-soft">{t("publish.untitled")}</span>}
        </h3>
        <p className="mt-1 break-words text-ink-soft">
          {[tender.organization?.name, place].filter(Boolean).join(" · ")}
        </p>
        <PublishedBy tender={tender} />
        {closing && (
          <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
            {`${t("tenders.details.closes")} ${formatClosing(closing)}`}
            <CountdownBadge closing={closing} />
          </p>
        )}
      </header>
      <div className="@container grid gap-5 border-t border-line px-4 py-5">
        {tender.description && <p className="max-w-[75ch] break-words">{tender.description}</p>}
        <FieldGroups tender={tender} highlights={highlights} columns="@3xl:columns-4" />
        {criteria.length > 0 && (
          <Section heading="h4" title={t("tenders.details.criteria")}>
            <TextList items={criteria} language={undefined} />
          </Section>
        )}
        {documentRequired.length > 0 && (
          <Section heading="h4" title={t("tenders.details.documentRequired")}>
            <TextList items={documentRequired} language={undefined} />
          </Section>
        )}
        {lots.length > 0 && (
          <Section heading="h4" title={t("tenders.details.lots")}>
            <Lots tender={tender} />
          </Section>
        )}
        {documents.length > 0 && (
          <Section heading="h4" title={t("tenders.details.documents")}>
            <DocumentNames documents={documents} />
          </Section>
        )}
        {tags.length > 0 && (
          <Section heading="h4" title={t("tenders.details.tags")}>
            <TextList items={tags} language={undefined} />
          </Section>
        )}
      </div>
    </article>
  );
}
