// The frame of all pages for administrators: the check of the role, the heading and the links.

import type { ReactNode } from "react";
import { NavLink } from "react-router";
import { useTranslation } from "@/i18n/i18n.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { paths } from "@/shared/paths.ts";
import { Protected } from "@/shared/session/Protected.tsx";
import { Page } from "@/ui/Sheet.tsx";

const linkStyle =
  "inline-flex min-h-11 items-center border-b-2 border-transparent px-1 font-medium text-ink-soft hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-accent";

export function OperatePage({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation();
  const links = [
    [paths.operateUsers, t("operate.nav.users")],
    [paths.operateMessages, t("operate.nav.messages")],
    [paths.operateMail, t("operate.nav.mail")],
    [paths.operatePayments, t("operate.nav.payments")],
    [paths.operateTokens, t("operate.nav.tokens")],
    [paths.operateAudit, t("operate.nav.audit")],
  ] as const;
  return (
    <>
      <Metadata title={title} description={t("operate.description")} keywords="" unlisted />
      <Protected only="admin">
        {() => (
          <Page className="py-6" lang="en">
            <nav
              aria-label={t("operate.nav.label")}
              className="mb-6 flex flex-wrap gap-x-6 border-b border-line"
            >
              {links.map(([path, label]) => (
                <NavLink key={path} to={path} className={linkStyle}>
                  {label}
                </NavLink>
              ))}
            </nav>
            <h1 className="text-2xl font-bold tracking-tight">{title}</h1>
            {children}
          </Page>
        )}
      </Protected>
    </>
  );
}
