// The frame of all pages for administrators and reviewers: the check of the role, the heading and
// the links.

import type { ReactNode } from "react";
import { NavLink } from "react-router";
import type { Role } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { paths } from "@/shared/paths.ts";
import { Protected } from "@/shared/session/Protected.tsx";
import { Page } from "@/ui/Sheet.tsx";

const linkStyle =
  "inline-flex min-h-11 shrink-0 items-center border-b-2 border-transparent px-1 font-medium text-ink-soft hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-accent";

/** The roles of people who work for the portal. */
export const STAFF = ["admin", "reviewer"] as const;

/** The pages of the navigation, and the roles that may open each. */
const LINKS = [
  { to: paths.operateUsers, text: "operate.nav.users", roles: ["admin"] },
  { to: paths.operatePages, text: "operate.nav.pages", roles: STAFF },
  { to: paths.operateAudit, text: "operate.nav.audit", roles: ["admin"] },
] as const satisfies readonly { to: string; text: string; roles: readonly Role[] }[];

/** The first page that a role may open. */
export function firstOperatePage(role: Role): string | undefined {
  return LINKS.find(({ roles }) => (roles as readonly Role[]).includes(role))?.to;
}

export function OperatePage({
  title,
  only = "admin",
  children,
}: {
  title: string;
  /** The roles that may open the page. */
  only?: Role | readonly Role[];
  children: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <>
      <Metadata title={title} description={t("operate.description")} keywords="" unlisted />
      <Protected only={only}>
        {({ role }) => (
          <Page className="py-6" lang="en">
            <nav
              aria-label={t("operate.nav.label")}
              className="mb-6 flex gap-6 overflow-x-auto border-b border-line"
            >
              {LINKS.filter(({ roles }) => (roles as readonly Role[]).includes(role)).map(({ to, text }) => (
                <NavLink key={to} to={to} className={linkStyle}>
                  {t(text)}
                </NavLink>
              ))}
            </nav>
            <h1 className="text-2xl font-bold tracking-tight wrap-anywhere">{title}</h1>
            {children}
          </Page>
        )}
      </Protected>
    </>
  );
}
