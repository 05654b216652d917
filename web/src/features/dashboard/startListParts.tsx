// What the lists of the start page share: sections, rows and notes.

import type { UseQueryResult } from "@tanstack/react-query";
import { ClipboardList } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { BidStage } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { paths } from "@/shared/paths.ts";

interface SectionProps {
  title: string;
  /** The link to the whole list. */
  more?: { to: string; text: string };
  children: ReactNode;
}

export function Section({ title, more, children }: SectionProps) {
  return (
    <section className="min-w-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="text-lg font-semibold">{title}</h2>
        {more && (
          <Link to={more.to} className="text-[0.9375rem] font-semibold text-accent hover:underline">
            {more.text}
          </Link>
        )}
      </div>
      <div className="mt-2 border-y border-line">{children}</div>
    </section>
  );
}

/** A line in place of a list. */
function Note({ children }: { children: ReactNode }) {
  return <p className="py-3 text-[0.9375rem] text-ink-soft">{children}</p>;
}

/** Says above the rows of a list what it has. */
export function ListNote({ children }: { children: ReactNode }) {
  return <p className="border-b border-line py-2 text-sm text-ink-soft">{children}</p>;
}

/** Says what a plan would give. */
export function PlanNote({ children }: { children: string }) {
  const { t } = useTranslation();
  return (
    <Note>
      {children}{" "}
      <Link to={paths.pricing} className="font-semibold text-accent hover:underline">
        {t("account.dashboard.start.plans")}
      </Link>
    </Note>
  );
}

/** The rows of a list, or a line if it is empty or has failed. Nothing shows while it loads. */
export function Rows<Item>({
  query,
  items,
  empty,
  children,
}: {
  query: Pick<UseQueryResult, "isPending" | "data">;
  items: readonly Item[];
  empty: string;
  children: (item: Item) => ReactNode;
}) {
  const { t } = useTranslation();
  if (query.isPending) return <div className="skeleton my-3 h-16" />;
  if (query.data === undefined) return <Note>{t("account.dashboard.start.failed")}</Note>;
  if (items.length === 0) return <Note>{empty}</Note>;
  return <ul className="divide-y divide-line">{items.map(children)}</ul>;
}

/** Says that a tender is on the board, with a link to its bid if it is in work. */
export function BoardNote({ stage, bidId }: { stage: BidStage; bidId?: string }) {
  const { t } = useTranslation();
  const text = t("bids.onBoard", { stage: t(`bids.stage.${stage}`) });
  return (
    <p className="flex items-center gap-1.5 text-sm font-medium text-accent">
      <ClipboardList size={14} aria-hidden className="shrink-0" />
      {bidId ? (
        <Link to={paths.bid(bidId)} className="underline underline-offset-2">
          {text}
        </Link>
      ) : (
        text
      )}
    </p>
  );
}
