// The addresses of the app's pages. All links use them.

/** The words of a body's name, as its address has them. The server knows other spellings too. */
export function bodySlug(name: string): string {
  const plain = name
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll("&", " and ")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "");
  return (plain.match(/[\p{L}\p{M}]+|\p{Nd}+/gu) ?? []).join("-");
}

export const paths = {
  home: "/",
  tenders: "/tenders",
  awards: "/awards",
  awardsOfWinner: (winner: string) => `/awards?${new URLSearchParams({ winner })}`,
  awardsOfBuyer: (buyer: string) => `/awards?${new URLSearchParams({ buyer })}`,
  buyers: "/buyers",
  buyer: (slug: string) => `/buyers/${encodeURIComponent(slug)}`,
  buyerNamed: (name: string) => `/buyers/${encodeURIComponent(bodySlug(name))}`,
  market: "/market",
  marketDistrict: (district: string) => `/market/districts/${district.toLowerCase().replaceAll(" ", "-")}`,
  marketSector: (sector: string) => `/market/sectors/${encodeURIComponent(sector)}`,
  tender: (id: string) => `/tenders/${encodeURIComponent(id)}`,
  login: "/login",
  register: "/register",
  registerAs: (role: "supplier" | "buyer") => `/register?role=${role}`,
  about: "/about",
  contact: "/contact",
  terms: "/terms",
  privacy: "/privacy",
  forgotPassword: "/forgot-password",
  resetPassword: "/reset-password",
  verifyEmail: "/verify-email",
  join: "/join",
  account: "/account",
  accountCompany: "/account/company",
  accountNotifications: "/account/notifications",
  accountSecurity: "/account/security",
  accountTeam: "/account/team",
  accountData: "/account/data",
  saved: "/saved",
  bids: "/bids",
  bidCalendar: "/bids/calendar",
  bid: (id: string) => `/bids/${encodeURIComponent(id)}`,
  bidCover: (id: string) => `/bids/${encodeURIComponent(id)}/cover`,
  reports: "/reports",
  alerts: "/alert-settings",
  welcome: "/welcome",
  invoice: (id: string) => `/account/invoices/${encodeURIComponent(id)}`,
  pricing: "/pricing",
  subscriptionSuccess: "/subscription/success",
  subscriptionCancel: "/subscription/cancel",
  dashboard: "/supplier/dashboard",
  addTender: "/supplier/add-tender",
  operate: "/operate",
  operateReview: "/operate/review",
  operateReviewOf: (notice: string) => `/operate/review?notice=${encodeURIComponent(notice)}`,
  operatePages: "/operate/pages",
  operatePage: (id: string) => `/operate/pages/${encodeURIComponent(id)}`,
  operateBatches: "/operate/batches",
  operateNewBatch: "/operate/batches/new",
  operateBatch: (id: string) => `/operate/batches/${encodeURIComponent(id)}`,
  operateCoverage: "/operate/coverage",
  operatePapers: "/operate/coverage/papers",
  operateHolidays: "/operate/coverage/holidays",
  operatePublications: "/operate/publications",
  operateFigures: "/operate/figures",
  operateUsers: "/operate/users",
  operateMessages: "/operate/messages",
  operateMail: "/operate/mail",
  operateSuppressed: "/operate/mail/suppressed",
  operatePayments: "/operate/payments",
  operateSubscriptions: "/operate/payments/subscriptions",
  operateTokens: "/operate/tokens",
  operateAudit: "/operate/audit",
  operateGazetteer: "/operate/gazetteer",
  operateAccuracy: "/operate/accuracy",
  editTender: (id: string) => `/supplier/tenders/${encodeURIComponent(id)}/edit`,
} as const;

/** The query parameter with the page that opens after signing in or up. */
export const REDIRECT_PARAMETER = "redirect";

/** The sign-up page, after which `target` opens. */
export function signUpPath(target: string): string {
  return `${paths.register}?${REDIRECT_PARAMETER}=${encodeURIComponent(target)}`;
}

/** The sign-in page, after which `target` opens. */
export function signInPath(target: string): string {
  return `${paths.login}?${REDIRECT_PARAMETER}=${encodeURIComponent(target)}`;
}

/** The start page of a role. It opens after sign-in, and instead of a page for another role. */
export function homePath(role: string): string {
  if (role === "supplier") return paths.dashboard;
  return role === "reviewer" ? paths.operateReview : paths.tenders;
}

/**
 * `target` if it is an address inside this app, else `null`. The check prevents redirects to other
 * sites.
 */
export function pathInsideApp(target: unknown): string | null {
  if (typeof target !== "string" || !startsInside(target)) return null;
  const origin = "http://inside.invalid";
  try {
    const url = new URL(target, origin);
    const path = url.pathname + url.search + url.hash;
    // Without its dot segments, `/.//host` is `//host`, which is an address of another site.
    return url.origin === origin && startsInside(path) ? path : null;
  } catch {
    return null;
  }
}

/** Whether an address starts with exactly one slash. */
function startsInside(address: string): boolean {
  return /^\/(?![/\\])/.test(address);
}
