// Every page in one list. All but Home are loaded when they are first visited, with their words.

import { createBrowserRouter, type RouteObject } from "react-router";
import { Component as HomePage } from "@/features/home/HomePage.tsx";
import { loadPages } from "@/locales/i18n.ts";
import { RouteCrash } from "./CrashScreen.tsx";
import { loadPart } from "./parts.ts";
import { paths } from "./paths.ts";
import { Shell } from "./Shell.tsx";

/** Where the reader is going. */
function addressAhead(): string {
  const { navigation, location } = router.state;
  return router.createHref(navigation.location ?? location);
}

/** A page of its own chunk, shown when its words are there too. */
function page<Module extends object>(load: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    const [module] = await loadPart(() => Promise.all([load(), loadPages()]), addressAhead);
    return module;
  };
}

export const routes: RouteObject[] = [
  {
    element: <Shell />,
    errorElement: <RouteCrash />,
    // The server sends an empty page; nothing needs to stand in for it.
    hydrateFallbackElement: <></>,
    children: [
      // Home comes with the shell: most visits begin there, and signing out relies on being there at once.
      { path: paths.home, Component: HomePage },
      { path: paths.tenders, lazy: page(() => import("@/features/tenders/TendersPage.tsx")) },
      { path: "/tenders/:id", lazy: page(() => import("@/features/tenders/TenderPage.tsx")) },
      { path: paths.login, lazy: page(() => import("@/features/account/LoginPage.tsx")) },
      { path: paths.register, lazy: page(() => import("@/features/account/RegisterPage.tsx")) },
      { path: paths.about, lazy: page(() => import("@/features/company/AboutPage.tsx")) },
      { path: paths.contact, lazy: page(() => import("@/features/company/ContactPage.tsx")) },
      { path: paths.terms, lazy: page(() => import("@/features/company/TermsPage.tsx")) },
      { path: paths.privacy, lazy: page(() => import("@/features/company/PrivacyPage.tsx")) },
      { path: paths.forgotPassword, lazy: page(() => import("@/features/account/ForgotPasswordPage.tsx")) },
      { path: paths.resetPassword, lazy: page(() => import("@/features/account/ResetPasswordPage.tsx")) },
      { path: paths.verifyEmail, lazy: page(() => import("@/features/account/VerifyEmailPage.tsx")) },
      { path: paths.account, lazy: page(() => import("@/features/account/AccountPage.tsx")) },
      { path: paths.saved, lazy: page(() => import("@/features/saved/SavedPage.tsx")) },
      { path: paths.dashboard, lazy: page(() => import("@/features/dashboard/DashboardPage.tsx")) },
      { path: paths.addTender, lazy: page(() => import("@/features/publish/PublishPage.tsx")) },
      { path: "/supplier/tenders/:id/edit", lazy: page(() => import("@/features/publish/PublishPage.tsx")) },
      { path: "*", lazy: page(() => import("@/features/missing/MissingPage.tsx")) },
    ],
  },
];

export const router = createBrowserRouter(routes);
