// The frame of every page: skip link, navigation bar, banners, footer, toasts. The outlet renders
// the page.

import { type ComponentType, lazy, Suspense, useEffect, useLayoutEffect, useRef } from "react";
import { Link, Outlet, ScrollRestoration, useLocation } from "react-router";
import { useTranslation } from "@/i18n/i18n.ts";
import type { Key } from "@/i18n/translate.ts";
import { paths } from "@/shared/paths.ts";
import { useAccount } from "@/shared/session/account.ts";
import { Page } from "@/ui/Sheet.tsx";
import { LoadingScreen } from "@/ui/StatusMessages.tsx";
import { Toasts } from "@/ui/Toasts.tsx";
import { afterFirstPage } from "./afterFirstPage.ts";
import { HealthBadge } from "./HealthBadge.tsx";
import { NavBar } from "./NavBar.tsx";
import { LanguageSwitch, ThemeSwitch } from "./Preferences.tsx";
import { useSessionToasts } from "./useSessionToasts.ts";

/** The banner is loaded after the first page. If it fails to load, the page works without it. */
const OfflineBanner = lazy<ComponentType>(() =>
  afterFirstPage()
    .then(() => import("@/features/offline/OfflineBanner.tsx"))
    .catch(() => ({ default: () => null })),
);

/** The banner for users with an unpaid plan. It is loaded like the offline banner. */
const UnpaidBanner = lazy<ComponentType>(() =>
  afterFirstPage()
    .then(() => import("@/features/plans/UnpaidBanner.tsx"))
    .catch(() => ({ default: () => null })),
);

/** The banner for staff whose role is suspended. It is loaded like the offline banner. */
const SuspendedRoleBanner = lazy<ComponentType>(() =>
  afterFirstPage()
    .then(() => import("@/features/account/SuspendedRoleBanner.tsx"))
    .catch(() => ({ default: () => null })),
);

const FOOTER_LINKS: { path: string; text: Key }[] = [
  { path: paths.home, text: "shell.nav.home" },
  { path: paths.pricing, text: "shell.nav.pricing" },
  { path: paths.market, text: "shell.nav.market" },
  { path: paths.awards, text: "shell.footer.awards" },
  { path: paths.about, text: "shell.nav.about" },
  { path: paths.contact, text: "shell.nav.contact" },
  { path: paths.terms, text: "shell.footer.terms" },
  { path: paths.privacy, text: "shell.footer.privacy" },
];

/** Moves the focus to the content after a navigation, so that reading and tabbing start there. */
function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current !== pathname) main.current?.focus({ preventScroll: true });
    before.current = pathname;
  }, [pathname]);
  return main;
}

/** Asks for the fonts in the frame that shows the app, so that texts are laid out once for both. */
function useFonts() {
  useLayoutEffect(() => {
    document.documentElement.dataset.fonts = "";
  }, []);
}

export function Shell() {
  const { t } = useTranslation();
  const main = useFocusOnNavigation();
  useFonts();
  useSessionToasts();
  const { status } = useAccount();
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="sr-only z-50 rounded-lg bg-accent px-4 py-3 font-semibold text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {t("shell.skip")}
      </a>
      <div className="contents print:hidden">
        <NavBar />
      </div>
      <Suspense>
        <OfflineBanner />
        {status !== "guest" && (
          <>
            <UnpaidBanner />
            <SuspendedRoleBanner />
          </>
        )}
      </Suspense>
      <main id="content" ref={main} tabIndex={-1} className="flex-1">
        <Suspense fallback={<LoadingScreen label={t("shell.loading")} />}>
          <Outlet />
        </Suspense>
      </main>
      <footer className="lazy-layout mt-16 border-t border-line bg-well/60 print:hidden">
        <Page className="flex flex-wrap justify-between gap-x-8 gap-y-2 py-6 text-sm text-ink-soft">
          <p>
            <strong className="font-semibold text-ink">{t("shell.name")}</strong>, {t("shell.footer.place")}.{" "}
            {t("shell.footer.promise")}
          </p>
          <p>{t("shell.footer.time")}</p>
          <nav aria-label={t("shell.footer.label")} className="w-full">
            <ul className="flex flex-wrap gap-x-5">
              {FOOTER_LINKS.map(({ path, text }) => (
                <li key={path}>
                  <Link to={path} className="inline-flex min-h-9 items-center underline hover:text-ink">
                    {t(text)}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
          <div className="flex w-full flex-wrap gap-2 pt-2">
            <LanguageSwitch />
            <ThemeSwitch />
            <span className="ml-auto self-center">
              <HealthBadge place="footer" />
            </span>
          </div>
        </Page>
      </footer>
      <Toasts label={t("shell.toasts.label")} close={t("shell.toasts.close")} />
      {/* The first page of a visit has no key of its own: a reload keeps its place, another address does not. */}
      <ScrollRestoration getKey={({ key, pathname }) => (key === "default" ? pathname : key)} />
    </div>
  );
}
