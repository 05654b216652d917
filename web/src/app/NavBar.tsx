// The navigation bar of all pages: links, account, language, and the API's state if it is not well.

import { Link, NavLink, useLocation } from "react-router";
import { useTranslation } from "@/i18n/i18n.ts";
import type { Key } from "@/i18n/translate.ts";
import { paths } from "@/shared/paths.ts";
import { type Account, useAccount } from "@/shared/session/account.ts";
import { canSaveTenders, hasAlerts, hasReports } from "@/shared/session/planAccess.ts";
import { useSignOut } from "@/shared/session/signOut.ts";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { Logo } from "@/ui/Logo.tsx";
import { NavMenu } from "@/ui/NavMenu.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { HealthBadge } from "./HealthBadge.tsx";
import { LanguageSwitch, ShortLanguageSwitch } from "./Preferences.tsx";

const linkStyle =
  "inline-flex min-h-11 items-center rounded-lg px-2 font-medium text-ink-soft hover:text-ink aria-[current=page]:text-accent aria-[current=page]:font-semibold";

/** The links of the bar, in order. Which ones there are depends on the user's role and plan. */
function linksOf({ status, user }: Account): { path: string; text: Key }[] {
  const isStaff = user?.role === "admin" || user?.role === "reviewer";
  const isBuying = status === "guest" || user?.subscription.plan === "free";
  return [
    ...(isStaff ? [{ path: paths.operate, text: "shell.nav.operate" } as const] : []),
    { path: paths.tenders, text: "shell.nav.tenders" },
    { path: paths.market, text: "shell.nav.market" },
    ...(user?.role === "supplier" ? [{ path: paths.dashboard, text: "shell.nav.myTenders" } as const] : []),
    ...(user && canSaveTenders(user) ? [{ path: paths.saved, text: "shell.nav.saved" } as const] : []),
    ...(user ? [{ path: paths.bids, text: "shell.nav.bids" } as const] : []),
    ...(user && hasAlerts(user) ? [{ path: paths.alerts, text: "shell.nav.alerts" } as const] : []),
    ...(user && hasReports(user) ? [{ path: paths.reports, text: "shell.nav.reports" } as const] : []),
    ...(isBuying ? [{ path: paths.pricing, text: "shell.nav.pricing" } as const] : []),
  ];
}

/** The pages that the link to the market stands for besides its own. */
const MARKET_PAGES = [paths.buyers, paths.awards] as const;

function Links({ account, onChoose }: { account: Account; onChoose?: () => void }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const isMarket = MARKET_PAGES.some((path) => pathname === path || pathname.startsWith(`${path}/`));
  return linksOf(account).map(({ path, text }) =>
    path === paths.market && isMarket ? (
      <Link key={path} to={path} aria-current="page" className={linkStyle} onClick={onChoose}>
        {t(text)}
      </Link>
    ) : (
      <NavLink key={path} to={path} className={linkStyle} onClick={onChoose}>
        {t(text)}
      </NavLink>
    ),
  );
}

/** The letters of a long name that stay readable when the bar has no room for all of it. */
const SHORTEST_NAME = 10;

/** The greeting. A name that does not fit is cut with an ellipsis, but never to the bare greeting. */
function Greeting({ name, onChoose }: { name: string; onChoose?: (() => void) | undefined }) {
  const { t } = useTranslation();
  const text = t("shell.nav.welcome", { name });
  const letters = t("shell.nav.welcome", { name: name.slice(0, SHORTEST_NAME) }).length;
  return (
    <NavLink
      to={paths.account}
      title={name}
      onClick={onChoose}
      className="nav-greeting inline-flex min-h-11 items-center rounded-lg px-2 whitespace-normal hover:text-accent aria-[current=page]:font-semibold aria-[current=page]:text-accent"
    >
      {/* Text that may break anywhere has no width of its own, so the box shrinks down to `minWidth`. */}
      <span className="line-clamp-1 break-all" style={{ minWidth: `${letters}ch` }}>
        {text}
      </span>
    </NavLink>
  );
}

/** How much room a number of links takes in the bar, for the rules of `styles.css`. */
function roomOf(links: number): string {
  if (links <= 3) return "nav-few";
  return links >= 7 ? "nav-many" : "";
}

/** The links that a wide window has in the logo and in the footer. */
function MoreLinks({ onChoose }: { onChoose: () => void }) {
  const { t } = useTranslation();
  return (["home", "about", "contact"] as const).map((name) => (
    <NavLink key={name} to={paths[name]} end className={linkStyle} onClick={onChoose}>
      {t(`shell.nav.${name}`)}
    </NavLink>
  ));
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
      {user && <Greeting name={`${user.firstName} ${user.lastName}`} onChoose={onChoose} />}
      <Button
        variant="outlined"
        size="small"
        className="shrink-0"
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
      <Page
        className={`nav-page relative flex min-h-14 flex-wrap items-center gap-x-3 ${roomOf(linksOf(account).length)}`}
      >
        <Link
          to={paths.home}
          className="inline-flex min-h-11 items-center gap-2.5 font-bold tracking-tight lg:whitespace-nowrap"
        >
          <Logo />
          <span className="nav-name text-[1.0625rem]">{t("shell.name")}</span>
        </Link>
        <HealthBadge place="header" />
        <nav aria-label={t("shell.nav.label")} className="contents">
          <div className="nav-row nav-links items-center">
            <Links account={account} />
          </div>
          <div className="nav-side ml-auto flex items-center gap-1">
            <ShortLanguageSwitch />
            <div className="nav-row nav-account items-center gap-1">
              <span className="mx-1 h-6 w-px shrink-0 bg-line" aria-hidden />
              <AccountLinks account={account} />
            </div>
            <NavMenu openLabel={t("shell.nav.open")} closeLabel={t("shell.nav.close")}>
              {(close) => (
                <div className="flex flex-col gap-1">
                  <Links account={account} onChoose={close} />
                  <MoreLinks onChoose={close} />
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
