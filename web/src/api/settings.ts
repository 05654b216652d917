// The runtime settings that the server writes into the page. Nothing else reads them from the document.

/** What a deployment can set without building the app again. */
export interface Settings {
  /** Where the API answers, without a slash at the end. */
  apiBase: string;
  /** Google sign-in's client id; without one the button is absent. */
  googleClientId: string | null;
}

const defaults: Settings = { apiBase: "/api", googleClientId: null };

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
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
  const { apiBase, googleClientId } = found;
  return {
    apiBase: typeof apiBase === "string" && apiBase !== "" ? apiBase.replace(/\/+$/, "") : defaults.apiBase,
    googleClientId: typeof googleClientId === "string" && googleClientId !== "" ? googleClientId : null,
  };
}

export const settings: Settings = readSettings(document);
