// The address and the dynamic import of every page but Home. This file imports nothing but the
// paths, because the first script, `boot.ts`, reads the list.

import type { ComponentType } from "react";
import { paths } from "@/shared/paths.ts";

interface Page {
  path: string;
  load: () => Promise<{ Component: ComponentType }>;
}

export const pages: readonly Page[] = [
  { path: paths.tenders, load: () => import("./routes/TendersRoute.tsx") },
  { path: "/tenders/:id", load: () => import("@/features/tenders/details/TenderPage.tsx") },
  { path: paths.awards, load: () => import("@/features/awards/AwardsPage.tsx") },
  { path: paths.buyers, load: () => import("@/features/market/BuyersPage.tsx") },
  { path: "/buyers/:slug", load: () => import("@/features/market/BuyerPage.tsx") },
  { path: paths.market, load: () => import("@/features/market/MarketPage.tsx") },
  { path: "/market/districts/:district", load: () => import("@/features/market/MarketPage.tsx") },
  { path: "/market/sectors/:sector", load: () => import("@/features/market/MarketPage.tsx") },
  { path: paths.login, load: () => import("@/features/account/signIn/LoginPage.tsx") },
  { path: paths.register, load: () => import("@/features/account/signIn/RegisterPage.tsx") },
  { path: paths.pricing, load: () => import("@/features/plans/PricingPage.tsx") },
  { path: paths.subscriptionSuccess, load: () => import("@/features/plans/CheckoutSuccessPage.tsx") },
  { path: paths.subscriptionCancel, load: () => import("@/features/plans/CheckoutCancelledPage.tsx") },
  { path: "/account/invoices/:id", load: () => import("@/features/plans/InvoicePage.tsx") },
  { path: paths.about, load: () => import("@/features/company/AboutPage.tsx") },
  { path: paths.contact, load: () => import("@/features/company/ContactPage.tsx") },
  { path: paths.terms, load: () => import("@/features/company/TermsPage.tsx") },
  { path: paths.privacy, load: () => import("@/features/company/PrivacyPage.tsx") },
  { path: paths.forgotPassword, load: () => import("@/features/account/signIn/ForgotPasswordPage.tsx") },
  { path: paths.resetPassword, load: () => import("@/features/account/signIn/ResetPasswordPage.tsx") },
  { path: paths.verifyEmail, load: () => import("@/features/account/signIn/VerifyEmailPage.tsx") },
  { path: paths.join, load: () => import("@/features/account/enterprise/JoinPage.tsx") },
  { path: paths.account, load: () => import("./routes/AccountRoute.tsx") },
  {
    path: paths.accountCompany,
    load: () => import("@/features/account/settings/CompanyPage.tsx"),
  },
  {
    path: paths.accountNotifications,
    load: () => import("@/features/account/settings/NotificationsPage.tsx"),
  },
  { path: paths.accountSecurity, load: () => import("@/features/account/settings/SecurityPage.tsx") },
  { path: paths.accountTeam, load: () => import("@/features/account/settings/TeamPage.tsx") },
  { path: paths.accountData, load: () => import("@/features/account/settings/PersonalDataPage.tsx") },
  { path: paths.saved, load: () => import("./routes/SavedRoute.tsx") },
  { path: paths.bids, load: () => import("@/features/bids/BoardPage.tsx") },
  { path: paths.bidCalendar, load: () => import("@/features/bids/calendar/CalendarPage.tsx") },
  { path: "/bids/:id", load: () => import("@/features/bids/BidPage.tsx") },
  { path: "/bids/:id/cover", load: () => import("@/features/bids/CoverPage.tsx") },
  { path: paths.reports, load: () => import("@/features/reports/ReportsPage.tsx") },
  { path: paths.alerts, load: () => import("@/features/alerts/AlertSettingsPage.tsx") },
  { path: paths.welcome, load: () => import("@/features/alerts/firstRun/WelcomePage.tsx") },
  { path: paths.dashboard, load: () => import("@/features/dashboard/DashboardPage.tsx") },
  { path: paths.addTender, load: () => import("./routes/PublishRoute.tsx") },
  { path: "/supplier/tenders/:id/edit", load: () => import("./routes/PublishRoute.tsx") },
  { path: paths.operate, load: () => import("@/features/operate/OperateHomePage.tsx") },
  { path: paths.operateReview, load: () => import("@/features/operate/review/ReviewPage.tsx") },
  { path: paths.operateFigures, load: () => import("@/features/operate/figures/FiguresPage.tsx") },
  { path: paths.operateUsers, load: () => import("@/features/operate/UsersPage.tsx") },
  {
    path: paths.operatePublications,
    load: () => import("@/features/operate/PublicationsPage.tsx"),
  },
  { path: paths.operateMessages, load: () => import("@/features/operate/MessagesPage.tsx") },
  { path: paths.operateMail, load: () => import("@/features/operate/UndeliveredPage.tsx") },
  { path: paths.operateSuppressed, load: () => import("@/features/operate/SuppressedPage.tsx") },
  { path: paths.operatePayments, load: () => import("@/features/operate/PaymentsPage.tsx") },
  { path: paths.operateSubscriptions, load: () => import("@/features/operate/SubscriptionsPage.tsx") },
  { path: paths.operateTokens, load: () => import("@/features/operate/TokensPage.tsx") },
  { path: paths.operateAudit, load: () => import("@/features/operate/AuditLogPage.tsx") },
  { path: paths.operateAccuracy, load: () => import("@/features/operate/review/AccuracyPage.tsx") },
  { path: paths.operateGazetteer, load: () => import("@/features/operate/gazetteer/GazetteerPage.tsx") },
  { path: paths.operatePages, load: () => import("@/features/operate/pages/PagesPage.tsx") },
  { path: paths.operateBatches, load: () => import("@/features/operate/batches/BatchesPage.tsx") },
  { path: paths.operateNewBatch, load: () => import("@/features/operate/batches/NewWithdrawalPage.tsx") },
  { path: "/operate/batches/:id", load: () => import("@/features/operate/batches/WithdrawalPage.tsx") },
  { path: paths.operateCoverage, load: () => import("@/features/operate/coverage/CoveragePage.tsx") },
  { path: paths.operatePapers, load: () => import("@/features/operate/coverage/PapersPage.tsx") },
  { path: paths.operateHolidays, load: () => import("@/features/operate/coverage/HolidaysPage.tsx") },
  { path: "/operate/pages/:id", load: () => import("@/features/operate/pages/NewspaperPage.tsx") },
  { path: "*", load: () => import("@/features/notFound/NotFoundPage.tsx") },
];

/** The page at an address, or the page for unknown addresses; `null` for Home. */
export function pageAt(pathname: string): Page | null {
  const bare = pathname.replace(/(?<=.)\/+$/, "");
  if (bare === paths.home) return null;
  const fits = ({ path }: Page) =>
    path === "*" || new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`).test(bare);
  return pages.find(fits) ?? null;
}
