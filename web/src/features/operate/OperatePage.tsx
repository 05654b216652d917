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
import { heldPublicationCount } from "./api.ts";

const linkStyle =
  "inline-flex min-h-11 items-center border-b-2 border-transparent px-1 font-medium text-ink-soft hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-accent";

/** The roles of people who work for the portal. */
export const STAFF = ["admin", "reviewer"] as const;

/** The pages, and the roles that may open them. */
const links = [
  { path: paths.operateReview, name: "review", roles: STAFF },
  { path: paths.operatePages, name: "pages", roles: STAFF },
  { path: paths.operatePublications, name: "publications", roles: ["admin"] },
  { path: paths.operateFigures, name: "figures", roles: ["admin"] },
  { path: paths.operateUsers, name: "users", roles: ["admin"] },
  { path: paths.operateMessages, name: "messages", roles: ["admin"] },
  { path: paths.operateMail, name: "mail", roles: ["admin"] },
  { path: paths.operatePayments, name: "payments", roles: ["admin"] },
  { path: paths.operateTokens, name: "tokens", roles: ["admin"] },
  { path: paths.operateAudit, name: "audit", roles: ["admin"] },
] as const;

/** The number of publications that wait. */
function WaitingCount() {
  const { t } = useTranslation();
  const { data: waiting = 0 } = useQuery(heldPublicationCount);
  if (waiting === 0) return null;
  return (
    <>
      {" "}
      <span className="ml-2 rounded-full bg-soon-wash px-2 py-0.5 text-[0.8125rem] font-semibold text-soon tabular-nums">
        {waiting}
        <span className="sr-only"> {t("operate.nav.waiting")}</span>
      </span>
    </>
  );
}

function Navigation({ role }: { role: Role }) {
  const { t } = useTranslation();
  const open = links.filter(({ roles }) => roles.some((permitted) => permitted === role));
  return (
    <nav aria-label={t("operate.nav.label")} className="flex flex-wrap gap-x-6 border-b border-line">
      {open.map(({ path, name }) => (
        <NavLink key={path} to={path} className={linkStyle}>
          {t(`operate.nav.${name}`)}
          {name === "publications" && <WaitingCount />}
        </NavLink>
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
  return (
    <>
      <Metadata title={title} description={t("operate.description")} keywords="" unlisted />
      <Protected only={only}>
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
