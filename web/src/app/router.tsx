// Every page in one list. All but Home are loaded when they are first visited.

import { createBrowserRouter, type RouteObject } from "react-router";
import { Component as HomePage } from "@/features/home/HomePage.tsx";
import { RouteCrash } from "./CrashScreen.tsx";
import { paths } from "./paths.ts";
import { Shell } from "./Shell.tsx";

export const routes: RouteObject[] = [
  {
    element: <Shell />,
    errorElement: <RouteCrash />,
    // The server sends an empty page; nothing needs to stand in for it.
    hydrateFallbackElement: <></>,
    children: [
      // Home comes with the shell: most visits begin there, and signing out relies on being there at once.
      { path: paths.home, Component: HomePage },
      { path: paths.tenders, lazy: () => import("@/features/tenders/TendersPage.tsx") },
      { path: "/tenders/:id", lazy: () => import("@/features/tenders/TenderPage.tsx") },
      { path: paths.login, lazy: () => import("@/features/account/LoginPage.tsx") },
      { path: paths.register, lazy: () => import("@/features/account/RegisterPage.tsx") },
      { path: paths.about, lazy: () => import("@/features/company/AboutPage.tsx") },
      { path: paths.contact, lazy: () => import("@/features/company/ContactPage.tsx") },
      { path: paths.terms, lazy: () => import("@/features/company/TermsPage.tsx") },
      { path: paths.privacy, lazy: () => import("@/features/company/PrivacyPage.tsx") },
      { path: paths.forgotPassword, lazy: () => import("@/features/account/ForgotPasswordPage.tsx") },
      { path: paths.resetPassword, lazy: () => import("@/features/account/ResetPasswordPage.tsx") },
      { path: paths.verifyEmail, lazy: () => import("@/features/account/VerifyEmailPage.tsx") },
      { path: paths.account, lazy: () => import("@/features/account/AccountPage.tsx") },
      { path: paths.dashboard, lazy: () => import("@/features/dashboard/DashboardPage.tsx") },
      { path: paths.addTender, lazy: () => import("@/features/publish/PublishPage.tsx") },
      { path: "/supplier/tenders/:id/edit", lazy: () => import("@/features/publish/PublishPage.tsx") },
      { path: "*", lazy: () => import("@/features/missing/MissingPage.tsx") },
    ],
  },
];

export const router = createBrowserRouter(routes);
