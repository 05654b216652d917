// Page links: previous, up to five numbers, next. Links can be opened in another tab.

import { ChevronLeft, ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Pagination } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { pageWindow } from "./pagination.ts";

const button =
  "inline-flex min-h-11 min-w-11 items-center justify-center gap-1 rounded-lg border border-line px-3 font-medium";

function Step({ to, label, children }: { to: string | null; label: string; children: ReactNode }) {
  if (to === null) {
    return (
      <span className={`${button} border-dashed bg-transparent text-ink-soft`} aria-hidden>
        {children}
      </span>
    );
  }
  return (
    <Link to={to} aria-label={label} className={`${button} bg-sheet hover:border-accent hover:text-accent`}>
      {children}
    </Link>
  );
}

export function PageButtons({
  pagination,
  addressOf,
}: {
  pagination: Pagination;
  addressOf: (page: number) => string;
}) {
  const { t } = useTranslation();
  const { current, total, hasPrev, hasNext } = pagination;
  if (total <= 1 && current <= 1) return null;
  return (
    <nav aria-label={t("tenders.pagination.label")} className="mt-6 flex flex-wrap justify-center gap-2">
      <Step to={hasPrev ? addressOf(current - 1) : null} label={t("tenders.pagination.previous")}>
        <ChevronLeft size={18} aria-hidden />
        <span className="max-sm:hidden">{t("tenders.pagination.previous")}</span>
      </Step>
      {pageWindow(current, total).map((page) => (
        <Link
          key={page}
          to={addressOf(page)}
          aria-label={t("tenders.pagination.page", { page })}
          aria-current={page === current ? "page" : undefined}
          className={`${button} bg-sheet hover:border-accent hover:text-accent aria-[current=page]:border-accent aria-[current=page]:bg-accent aria-[current=page]:text-on-accent`}
        >
          {page}
        </Link>
      ))}
      <Step to={hasNext ? addressOf(current + 1) : null} label={t("tenders.pagination.next")}>
        <span className="max-sm:hidden">{t("tenders.pagination.next")}</span>
        <ChevronRight size={18} aria-hidden />
      </Step>
    </nav>
  );
}
