// The frame of the account pages: the heading, the links to the other sections, and the content of one.

import type { ReactNode } from "react";
import { NavLink } from "react-router";
import type { User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { paths } from "@/shared/paths.ts";
import { SecondFactorPrompt } from "@/shared/secondFactor/SecondFactorPrompt.tsx";
import { Protected } from "@/shared/session/Protected.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { UnverifiedNotice } from "./UnverifiedNotice.tsx";

const sections = {
  profile: paths.account,
  company: paths.accountCompany,
  notifications: paths.accountNotifications,
  security: paths.accountSecurity,
  team: paths.accountTeam,
  data: paths.accountData,
} as const;

type Section = keyof typeof sections;

/** The sections of a user's account. Teams and keys need a plan with them. */
function sectionsOf(user: User): Section[] {
  const all = Object.keys(sections) as Section[];
  return all.filter((section) => section !== "team" || user.subscription.features.apiAccess);
}

const linkStyle =
  "flex min-h-11 shrink-0 items-center rounded-lg px-3 font-medium text-nowrap text-ink-soft hover:bg-well hover:text-ink aria-[current=page]:bg-accent-wash aria-[current=page]:text-accent";

export function AccountSection({
  section,
  children,
}: {
  section: Section;
  children: (user: User) => ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <>
      <Metadata
        title={t(`account.sections.${section}`)}
        description={t("account.settings.description")}
        keywords={t("account.login.keywords")}
        unlisted
      />
      <Protected>
        {(user) => (
          <Page className="py-8">
            <div className="mx-auto grid max-w-[62rem] grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-5 lg:grid-cols-[13rem_minmax(0,1fr)]">
              <nav aria-label={t("account.settings.title")} className="min-w-0">
                <p className="mb-3 hidden px-3 text-sm font-semibold text-ink-soft lg:block">
                  {t("account.settings.title")}
                </p>
                <ul className="flex flex-wrap gap-1 lg:flex-col">
                  {sectionsOf(user).map((name) => (
                    <li key={name}>
                      <NavLink to={sections[name]} end className={linkStyle}>
                        {t(`account.sections.${name}`)}
                      </NavLink>
                    </li>
                  ))}
                </ul>
              </nav>
              <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-6">
                <h1 className="text-2xl font-bold tracking-tight">{t(`account.sections.${section}`)}</h1>
                {!user.emailVerified && <UnverifiedNotice user={user} />}
                {children(user)}
              </div>
            </div>
            <SecondFactorPrompt />
          </Page>
        )}
      </Protected>
    </>
  );
}
