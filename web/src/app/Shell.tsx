// The frame of every page: skip link, navigation bar, banners, footer, toasts. The outlet renders
// the page.

import { type ComponentType, lazy, Suspense, useEffect, useRef } from "react";
import { Link, Outlet, ScrollRestoration, useLocation } from "react-router";
import { useTranslation } from "@/i18n/i18n.ts";
import { paths } from "@/shared/paths.ts";
import { Page } from "@/ui/Sheet.tsx";
import { LoadingScreen } from "@/ui/StatusMessages.tsx";
import { Toasts } from "@/ui/Toasts.tsx";
import { afterFirstPage } from "./afterFirstPage.ts";
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

export function Shell() {
  const { t } = useTranslation();
  const main = useFocusOnNavigation();
  useSessionToasts();
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
        <UnpaidBanner />
        <SuspendedRoleBanner />
      </Suspense>
      <main id="content" ref={main} tabIndex={-1} className="flex-1">
        <Suspense fallback={<LoadingScreen label={t("shell.loading")} />}>
          <Outlet />
        </Suspense>
      </main>
      <footer className="mt-16 border-t border-line bg-well/60 print:hidden">
        <Page className="flex flex-wrap justify-between gap-x-8 gap-y-2 py-6 text-sm text-ink-soft">
          <p>
            <strong className="font-semibold text-ink">{t("shell.name")}</strong>, {t("shell.footer.place")}.{" "}
            {t("shell.footer.promise")}
          </p>
          <p className="flex flex-wrap gap-x-4">
            <Link to={paths.awards} className="underline hover:text-ink">
              {t("shell.footer.awards")}
            </Link>
            <Link to={paths.terms} className="underline hover:text-ink">
              {t("shell.footer.terms")}
            </Link>
            <Link to={paths.privacy} className="underline hover:text-ink">
              {t("shell.footer.privacy")}
            </Link>
            <span>{t("shell.footer.time")}</span>
          </p>
          <div className="flex w-full flex-wrap gap-2 pt-2">
            <LanguageSwitch />
            <ThemeSwitch />
          </div>
        </Page>
      </footer>
      <Toasts label={t("shell.toasts.label")} close={t("shell.toasts.close")} />
      <ScrollRestoration />
    </div>
  );
}
