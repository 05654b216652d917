// The runtime settings that the server writes into the page. Nothing else reads them from the document.

/** What a deployment can set without building the app again. */
export interface Settings {
  /** Where the API answers, without a slash at the end. */
  apiBase: string;
  /** Google sign-in's client id; without one the button is absent. */
  googleClientId: string | null;
  /** Who takes payments; `null`: nobody. */
  payments: string | null;
  company: Company;
}

/** Who runs the portal. What is not set is not said. */
export interface Company {
  companyName: string | null;
  companyAddress: string | null;
  companyPhone: string | null;
  contactEmail: string | null;
  /** Shown instead of the company's own where they are set. */
  contactPhone: string | null;
  contactAddress: string | null;
  /** Whom to ask about Enterprise: an address, a telephone, or a name with either. */
  enterpriseContact: string | null;
}

const nobody: Company = {
  companyName: null,
  companyAddress: null,
  companyPhone: null,
  contactEmail: null,
  contactPhone: null,
  contactAddress: null,
  enterpriseContact: null,
};

const defaults: Settings = { apiBase: "/api", googleClientId: null, payments: null, company: nobody };

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function filled(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function readCompany(found: unknown): Company {
  if (!isRecord(found)) return nobody;
  return {
    companyName: filled(found.companyName),
    companyAddress: filled(found.companyAddress),
    companyPhone: filled(found.companyPhone),
    contactEmail: filled(found.contactEmail),
    contactPhone: filled(found.contactPhone),
    contactAddress: filled(found.contactAddress),
    enterpriseContact: filled(found.enterpriseContact),
  };
}

/** Reads `<script type="application/json" id="settings">`; whatever is missing or malformed takes its default. */
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
    googleClientId: filled(googleClientId),
    payments: filled(payments),
    company: readCompany(found.company),
  };
}

export const settings: Settings = readSettings(document);
