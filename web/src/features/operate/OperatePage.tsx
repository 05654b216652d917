// The frame of all pages for administrators and reviewers: the check of the role, the heading and
// the links.

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { NavLink } from "react-router";
import type { Role } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { paths } from "@/shared/paths.ts";
import { Protected } from "@/shared/session/Protected.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { toast } from "@/ui/toasts.ts";
import { waitingWork } from "./tasks.ts";

const linkStyle =
  "inline-flex min-h-11 items-center border-b-2 border-transparent px-1 font-medium text-ink-soft hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-accent";

/** The roles of people who work for the portal. */
export const STAFF = ["admin", "reviewer"] as const;

/** The pages by subject, the work that waits on them, and the roles that may open them. */
const groups = [
  {
    name: "reading",
    links: [
      { path: paths.operate, name: "home", task: null, roles: STAFF },
      { path: paths.operateReview, name: "review", task: "review", roles: STAFF },
      { path: paths.operatePages, name: "pages", task: "pages", roles: STAFF },
      { path: paths.operateCoverage, name: "coverage", task: "gaps", roles: STAFF },
      { path: paths.operateAccuracy, name: "accuracy", task: null, roles: STAFF },
      { path: paths.operateGazetteer, name: "gazetteer", task: "names", roles: ["admin"] },
      { path: paths.operateBatches, name: "batches", task: null, roles: ["admin"] },
    ],
  },
  {
    name: "portal",
    links: [
      { path: paths.operateFigures, name: "figures", task: null, roles: ["admin"] },
      { path: paths.operatePublications, name: "publications", task: "publications", roles: ["admin"] },
      { path: paths.operateUsers, name: "users", task: null, roles: ["admin"] },
      { path: paths.operateMessages, name: "messages", task: "messages", roles: ["admin"] },
      { path: paths.operateMail, name: "mail", task: "mails", roles: ["admin"] },
      { path: paths.operatePayments, name: "payments", task: "payments", roles: ["admin"] },
      { path: paths.operateTokens, name: "tokens", task: null, roles: ["admin"] },
      { path: paths.operateAudit, name: "audit", task: null, roles: ["admin"] },
    ],
  },
] as const;

/** The number beside a link, with words for screen readers. */
function Count({ count, words }: { count: number; words: string }) {
  if (count === 0) return null;
  return (
    <>
      {" "}
      <span className="ml-2 rounded-full bg-soon-wash px-2 py-0.5 text-[0.8125rem] font-semibold text-soon tabular-nums">
        {count}
        <span className="sr-only"> {words}</span>
      </span>
    </>
  );
}

function Navigation({ role }: { role: Role }) {
  const { t } = useTranslation();
  const { data: tasks = [] } = useQuery(waitingWork);
  const isOpen = ({ roles }: { roles: readonly Role[] }) => roles.includes(role);
  const open = groups
    .map(({ name, links }) => ({ name, links: links.filter(isOpen) }))
    .filter(({ links }) => links.length > 0);
  return (
    <nav aria-label={t("operate.nav.label")} className="border-b border-line">
      {open.map(({ name, links }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls
        <div
          key={name}
          role="group"
          aria-label={t(`operate.nav.group.${name}`)}
          className="flex flex-wrap items-center gap-x-6 not-first:border-t not-first:border-line"
        >
          {open.length > 1 && (
            <span aria-hidden className="w-16 text-sm text-ink-soft max-lg:hidden">
              {t(`operate.nav.group.${name}`)}
            </span>
          )}
          {links.map(({ path, name, task }) => (
            <NavLink key={path} to={path} end={path === paths.operate} className={linkStyle}>
              {t(`operate.nav.${name}`)}
              <Count
                count={tasks.find((one) => one.task === task)?.waiting ?? 0}
                words={t(task === "gaps" ? "operate.nav.gaps" : "operate.nav.waiting")}
              />
            </NavLink>
          ))}
        </div>
      ))}
    </nav>
  );
}

export function OperatePage({
  title,
  only = "admin",
  isCompact = false,
  children,
}: {
  title: string;
  /** The roles that may open the page. */
  only?: Role | readonly Role[];
  /** Whether the page needs the whole window: the heading is only for screen readers. */
  isCompact?: boolean;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  // The desk is not known to others than its staff.
  const tellStaff = (role: Role) => {
    if (STAFF.some((one) => one === role)) toast.error(t("operate.adminsOnly", { title }), { id: "role" });
  };
  return (
    <>
      <Metadata title={title} description={t("operate.description")} keywords="" unlisted />
      <Protected only={only} onRefused={tellStaff}>
        {({ role }) => (
          <Page className={isCompact ? "py-2" : "py-6"} wide={isCompact} lang="en">
            <Navigation role={role} />
            <h1 className={isCompact ? "sr-only" : "mt-6 text-2xl font-bold tracking-tight wrap-anywhere"}>
              {title}
            </h1>
            {children}
          </Page>
        )}
      </Protected>
    </>
  );
}
