// A section of the company profile. Once something is filled in, it is a line that opens.

import { ChevronDown, Circle, CircleCheck } from "lucide-react";
import { Fragment, type ReactNode, useId, useState } from "react";
import { useFormContext } from "react-hook-form";
import { useLocation } from "react-router";
import { useTranslation } from "@/i18n/i18n.ts";
import type { CompanyFields } from "./companyFields.ts";
import {
  type CompanySectionName,
  SECTION_FIELDS,
  SEPARATORS,
  type SummaryEntry,
} from "./companySummaries.ts";

interface CompanySectionProps {
  section: CompanySectionName;
  /** What is filled in; empty if nothing is. */
  summary: readonly SummaryEntry[];
  children: ReactNode;
}

const renewalStyles = { soon: "font-medium text-soon", expired: "font-medium text-urgent" };

/** The entries of a section in a line. Only what must be renewed stands out. */
function Entries({ section, summary }: Pick<CompanySectionProps, "section" | "summary">) {
  return summary.map(({ text, renewal }, nth) => (
    <Fragment key={text}>
      {nth > 0 && SEPARATORS[section]}
      <span className={renewal ? renewalStyles[renewal] : undefined}>{text}</span>
    </Fragment>
  ));
}

/** A section that is open if it is empty, has an error, or is the one that the address names. */
export function CompanySection({ section, summary, children }: CompanySectionProps) {
  const { t } = useTranslation();
  const id = useId();
  const { hash } = useLocation();
  const { formState } = useFormContext<CompanyFields>();
  const [isChosen, setChosen] = useState(summary.length === 0 || hash === `#${section}`);
  const hasError = SECTION_FIELDS[section].some((name) => formState.errors[name] !== undefined);
  const isOpen = isChosen || hasError;
  const isFilled = summary.length > 0;
  const Icon = isFilled ? CircleCheck : Circle;
  return (
    <section
      id={section}
      aria-labelledby={id}
      className="scroll-mt-20 rounded-2xl border border-line bg-sheet"
    >
      <h2 className="text-lg font-semibold">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={`${id}-fields`}
          aria-describedby={isOpen ? undefined : `${id}-summary`}
          onClick={() => setChosen(!isOpen)}
          className="flex min-h-14 w-full items-center gap-3 rounded-2xl px-5 pt-3 pb-2 text-left hover:text-accent sm:px-7"
        >
          <Icon size={20} aria-hidden className={`shrink-0 ${isFilled ? "text-good" : "text-ink-soft"}`} />
          <span id={id} className="min-w-0 flex-1">
            {t(`account.company.${section}`)}
          </span>
          <ChevronDown
            size={20}
            aria-hidden
            className={`shrink-0 text-ink-soft transition-transform duration-150 ${isOpen ? "rotate-180" : ""}`}
          />
        </button>
      </h2>
      {!isOpen && (
        <p
          id={`${id}-summary`}
          className="-mt-1.5 mr-5 mb-3.5 ml-13 text-[0.9375rem] break-words text-ink-soft sm:mr-12 sm:ml-15"
        >
          {isFilled ? <Entries section={section} summary={summary} /> : t("account.company.nothingYet")}
        </p>
      )}
      <div id={`${id}-fields`} hidden={!isOpen} className="px-5 pt-2 pb-6 sm:px-7">
        {children}
      </div>
    </section>
  );
}
