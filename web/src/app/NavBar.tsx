// The navigation bar of all pages: links, account, language, and the state of the API.

import { Link, NavLink } from "react-router";
import { useTranslation } from "@/i18n/i18n.ts";
import { paths } from "@/shared/paths.ts";
import { type Account, useAccount } from "@/shared/session/account.ts";
import { hasAlerts } from "@/shared/session/planAccess.ts";
import { useSignOut } from "@/shared/session/signOut.ts";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { Logo } from "@/ui/Logo.tsx";
import { NavMenu } from "@/ui/NavMenu.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { HealthBadge } from "./HealthBadge.tsx";
import { LanguageSelect, LanguageSwitch } from "./Preferences.tsx";

const linkStyle =
  "inline-flex min-h-11 items-center rounded-lg px-2 font-medium text-ink-soft hover:text-ink aria-[current=page]:text-accent aria-[current=page]:font-semibold";

function Links({ account, onChoose }: { account: Account; onChoose?: () => void }) {
  const { t } = useTranslation();
  const supplier = account.user?.role === "supplier";
  return (
    <>
      <NavLink to={paths.home} end className={linkStyle} onClick={onChoose}>
        {t("shell.nav.home")}
      </NavLink>
      {(account.user?.role === "admin" || account.user?.role === "reviewer") && (
        <NavLink to={paths.operate} className={linkStyle} onClick={onChoose}>
          {t("shell.nav.operate")}
        </NavLink>
      )}
      <NavLink to={supplier ? paths.dashboard : paths.tenders} className={linkStyle} onClick={onChoose}>
        {t(supplier ? "shell.nav.myTenders" : "shell.nav.tenders")}
      </NavLink>
      {account.user && (
        <NavLink to={paths.bids} className={linkStyle} onClick={onChoose}>
          {t("shell.nav.bids")}
        </NavLink>
      )}
      {account.user && hasAlerts(account.user) && (
        <NavLink to={paths.alerts} className={linkStyle} onClick={onChoose}>
          {t("shell.nav.alerts")}
        </NavLink>
      )}
      <NavLink to={paths.pricing} className={linkStyle} onClick={onChoose}>
        {t("shell.nav.pricing")}
      </NavLink>
      <NavLink to={paths.about} className={linkStyle} onClick={onChoose}>
        {t("shell.nav.about")}
      </NavLink>
      <NavLink to={paths.contact} className={linkStyle} onClick={onChoose}>
        {t("shell.nav.contact")}
      </NavLink>
    </>
  );
}

function AccountLinks({ account, onChoose }: { account: Account; onChoose?: () => void }) {
  const { t } = useTranslation();
  const signOut = useSignOut();
  const { user } = account;
  // While the account is loading, show neither the links of a guest nor those of a user.
  if (account.status === "loading") return null;
  if (account.status === "guest") {
    return (
      <>
        <ButtonLink to={paths.login} variant="plain" size="small" onClick={onChoose}>
          {t("shell.nav.signIn")}
        </ButtonLink>
        <ButtonLink to={paths.register} size="small" onClick={onChoose}>
          {t("shell.nav.signUp")}
        </ButtonLink>
      </>
    );
  }
  return (
    <>
      {user && (
        <NavLink
          to={paths.account}
          onClick={onChoose}
          className="inline-flex min-h-11 max-w-56 items-center rounded-lg px-2 text-[0.9375rem] hover:text-accent aria-[current=page]:font-semibold aria-[current=page]:text-accent"
        >
          <span className="truncate">
            {t("shell.nav.welcome", { name: `${user.firstName} ${user.lastName}` })}
          </span>
        </NavLink>
      )}
      <Button
        variant="outlined"
        size="small"
        disabled={signOut.isPending}
        onClick={() => {
          onChoose?.();
          signOut.mutate();
        }}
      >
        {t("shell.nav.signOut")}
      </Button>
    </>
  );
}

export function NavBar() {
  const { t } = useTranslation();
  const account = useAccount();
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-sheet/95 backdrop-blur-sm">
      <Page className="nav-page relative flex min-h-14 flex-wrap items-center gap-x-3">
        <Link
          to={paths.home}
          className="inline-flex min-h-11 items-center gap-2.5 font-bold tracking-tight lg:whitespace-nowrap"
        >
          <Logo />
          <span className="text-[1.0625rem]">{t("shell.name")}</span>
        </Link>
        <HealthBadge />
        <nav aria-label={t("shell.nav.label")} className="contents">
          <div className="nav-row nav-links items-center">
            <Links account={account} />
          </div>
          <div className="nav-side ml-auto flex items-center gap-1">
            <LanguageSelect />
            <div className="nav-row items-center gap-1">
              <span className="mx-1 h-6 w-px bg-line" aria-hidden />
              <AccountLinks account={account} />
            </div>
            <NavMenu openLabel={t("shell.nav.open")} closeLabel={t("shell.nav.close")}>
              {(close) => (
                <div className="flex flex-col gap-1">
                  <Links account={account} onChoose={close} />
                  <div className="mt-2 flex flex-wrap items-center gap-2 border-t border-line pt-3">
                    <AccountLinks account={account} onChoose={close} />
                  </div>
                  <div className="mt-2 flex">
                    <LanguageSwitch />
                  </div>
                </div>
              )}
            </NavMenu>
          </div>
        </nav>
      </Page>
    </header>
  );
}
