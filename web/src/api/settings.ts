// Reads the runtime settings that the server writes into the page.

/** The settings that an operator can change without building the app again. */
export interface Settings {
  /** The address of the API, without a slash at the end. */
  apiBase: string;
  /** The client id for signing in with Google. Without a client id there is no Google button. */
  googleClientId: string | null;
  /** The name of the payment provider; `null` if nothing can be paid. */
  payments: string | null;
  company: Company;
}

/** The operator of the portal. Unset fields are not shown. */
export interface Company {
  companyName: string | null;
  companyAddress: string | null;
  companyPhone: string | null;
  contactEmail: string | null;
  /** The contact's phone and address take precedence over those of the company. */
  contactPhone: string | null;
  contactAddress: string | null;
  /** The contact for Enterprise: an e-mail address or a telephone number, perhaps with a name. */
  enterpriseContact: string | null;
}

const unsetCompany: Company = {
  companyName: null,
  companyAddress: null,
  companyPhone: null,
  contactEmail: null,
  contactPhone: null,
  contactAddress: null,
  enterpriseContact: null,
};

const defaults: Settings = { apiBase: "/api", googleClientId: null, payments: null, company: unsetCompany };

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function nonEmptyString(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function readCompany(found: unknown): Company {
  if (!isRecord(found)) return unsetCompany;
  return {
    companyName: nonEmptyString(found.companyName),
    companyAddress: nonEmptyString(found.companyAddress),
    companyPhone: nonEmptyString(found.companyPhone),
    contactEmail: nonEmptyString(found.contactEmail),
    contactPhone: nonEmptyString(found.contactPhone),
    contactAddress: nonEmptyString(found.contactAddress),
    enterpriseContact: nonEmptyString(found.enterpriseContact),
  };
}

/**
 * Reads `<script type="application/json" id="settings">`. Missing or malformed values get their
 * defaults.
 */
export function readSettings(page: Document): Settings {
  let found: unknown;
  try {
    found = JSON.parse(page.getElementById("settings")?.textContent ?? "{}");
  } catch {
    return defaults;
  }
  if (!isRecord(found)) return defaults;
  const { apiBase, googleClientId, payments } = found;
  return {
    apiBase: typeof apiBase === "string" && apiBase !== "" ? apiBase.replace(/\/+$/, "") : defaults.apiBase,
    googleClientId: nonEmptyString(googleClientId),
    payments: nonEmptyString(payments),
    company: readCompany(found.company),
  };
}

export const settings: Settings = readSettings(document);
