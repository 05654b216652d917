// The advanced search: a button, and the panel with all filters that it opens.

import { ChevronDown } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "@/i18n/i18n.ts";
import { UpgradePrompt } from "@/shared/plans/UpgradePrompt.tsx";
import { FilterPanel, type FilterPanelProps } from "./FilterPanel.tsx";

interface PermittedProps extends FilterPanelProps {
  /** Whether the user's plan includes the advanced search. */
  permitted: boolean;
}

/** The filters, or what the reader needs to use them. */
export function PermittedFilterPanel({ permitted, ...props }: PermittedProps) {
  const { t } = useTranslation();
  if (permitted) return <FilterPanel {...props} />;
  return <UpgradePrompt plan="professional" text={t("tenders.advanced.locked")} />;
}

interface AdvancedSearchProps extends PermittedProps {
  /** Other filters, in one row with the button. */
  children?: ReactNode;
}

/** The button below the search bar, and the panel that it opens. */
export function AdvancedSearch({ permitted, children, ...props }: AdvancedSearchProps) {
  const { t } = useTranslation();
  const id = useId();
  const [open, setOpen] = useState(false);
  return (
    <div className="mt-1.5">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-1">
        {children}
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          className="inline-flex min-h-11 items-center gap-1 text-[0.9375rem] font-semibold text-accent uppercase hover:underline sm:min-h-8"
        >
          {t("tenders.advanced.open")}
          <ChevronDown size={17} aria-hidden className={`transition-transform ${open ? "rotate-180" : ""}`} />
        </button>
      </div>
      <section
        id={id}
        hidden={!open}
        aria-label={t("tenders.advanced.label")}
        className="mt-1 rounded-xl border border-line bg-sheet p-4"
      >
        {open && <PermittedFilterPanel {...props} permitted={permitted} />}
      </section>
    </div>
  );
}
