// The frame of all pages for administrators: the check of the role, the heading and the links.

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { NavLink } from "react-router";
import { useTranslation } from "@/i18n/i18n.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { paths } from "@/shared/paths.ts";
import { Protected } from "@/shared/session/Protected.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { heldPublicationCount } from "./api.ts";

const linkStyle =
  "inline-flex min-h-11 items-center border-b-2 border-transparent px-1 font-medium text-ink-soft hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-accent";

/** The link to the publications, with the number of those that wait. */
function PublicationsLink() {
  const { t } = useTranslation();
  const { data: waiting = 0 } = useQuery(heldPublicationCount);
  return (
    <NavLink to={paths.operatePublications} className={linkStyle}>
      {t("operate.nav.publications")}
      {waiting > 0 && (
        <>
          {" "}
          <span className="ml-2 rounded-full bg-soon-wash px-2 py-0.5 text-[0.8125rem] font-semibold text-soon tabular-nums">
            {waiting}
            <span className="sr-only"> {t("operate.nav.waiting")}</span>
          </span>
        </>
      )}
    </NavLink>
  );
}

export function OperatePage({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <>
      <Metadata title={title} description={t("operate.description")} keywords="" unlisted />
      <Protected only="admin">
        {() => (
          <Page className="py-6" lang="en">
            <nav aria-label={t("operate.nav.label")} className="mb-6 flex gap-6 border-b border-line">
              <NavLink to={paths.operateUsers} className={linkStyle}>
                {t("operate.nav.users")}
              </NavLink>
              <PublicationsLink />
              <NavLink to={paths.operateAudit} className={linkStyle}>
                {t("operate.nav.audit")}
              </NavLink>
            </nav>
            <h1 className="text-2xl font-bold tracking-tight">{title}</h1>
            {children}
          </Page>
        )}
      </Protected>
    </>
  );
}
