// The session in local storage: access token, refresh token and expiry. This file reads, writes and
// clears it and notifies the app; `tokenRenewal.ts` renews it. An unremembered session is stored
// there too, so that tabs share it. It is valid only while a session cookie exists, which the
// browser drops when it closes.

/** The three stored values. */
export interface Session {
  token: string;
  refreshToken: string | null;
  /** The token's expiry claim, in seconds since 1970. */
  expiresAt: number;
}

/** An event that the app reports to the user. */
export type SessionEvent = "token-expired" | "unauthorized";

/** A token counts as expired this many seconds early: five minutes. */
export const EXPIRY_MARGIN = 5 * 60;

const TOKEN = "auth_token";
const REFRESH_TOKEN = "refresh_token";
const EXPIRY = "token_expiry";
/** Marks a session that ends with the browser. */
const BROWSER_MARKER = "session_fleeting";
const COOKIE = "browser_open";

function isBrowserOpenSinceSignIn(): boolean {
  return document.cookie.split("; ").includes(`${COOKIE}=1`);
}

/** `until` is the cookie attribute for its expiry. Without one, it is a session cookie. */
function setCookie(value: string, until = ""): void {
  const secure = window.location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: `cookieStore` is not supported everywhere
  document.cookie = `${COOKIE}=${value}; Path=/; SameSite=Strict${secure}${until}`;
}

/** The claims of a JWT; none if it is malformed. The server verifies tokens, the app does not. */
function readClaims(token: string): { exp?: unknown; sub?: unknown } {
  try {
    const payload = token.split(".")[1] ?? "";
    const claims: unknown = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    return typeof claims === "object" && claims !== null ? claims : {};
  } catch {
    return {};
  }
}

/** The expiry claim of a JWT in seconds; `null` without one. */
export function readExpiry(token: string): number | null {
  const { exp } = readClaims(token);
  return typeof exp === "number" && Number.isFinite(exp) ? exp : null;
}

/** The subject of a JWT; `null` without one. */
export function readSubject(token: string): string | null {
  const { sub } = readClaims(token);
  return typeof sub === "string" && sub !== "" ? sub : null;
}

/**
 * Whether `session` is past its expiry or within the margin before it. `now` is in milliseconds.
 */
export function isExpired(session: Session, now: number): boolean {
  return now / 1000 >= session.expiresAt - EXPIRY_MARGIN;
}

/** The session of this browser, shared by its tabs. */
export class SessionStore {
  readonly #listeners = new Set<() => void>();
  readonly #eventListeners = new Set<(event: SessionEvent) => void>();
  #hasLapsed = false;

  constructor(private readonly storage: Storage) {
    // The browser was closed since the sign-in.
    if (storage.getItem(BROWSER_MARKER) && !isBrowserOpenSinceSignIn()) this.clear();
  }

  /** The stored session, even if it has expired; `null` if a value is missing. */
  read(): Session | null {
    const token = this.storage.getItem(TOKEN);
    const expiresAt = Number(this.storage.getItem(EXPIRY));
    if (!token || !Number.isFinite(expiresAt) || expiresAt <= 0) return null;
    return { token, refreshToken: this.storage.getItem(REFRESH_TOKEN), expiresAt };
  }

  /** Whether a session ended in this tab without signing out, and none was started since. */
  get hasLapsed(): boolean {
    return this.#hasLapsed;
  }

  /** Stores the session of a sign-in. An unremembered one ends with the browser. */
  open(token: string, refreshToken: string, isRemembered: boolean): void {
    if (isRemembered) this.#removeBrowserMarker();
    else {
      this.storage.setItem(BROWSER_MARKER, "1");
      setCookie("1");
    }
    this.write(token, refreshToken);
  }

  /** Stores renewed tokens. A token without an expiry claim is rejected. */
  write(token: string, refreshToken?: string | null): void {
    const expiry = readExpiry(token);
    if (expiry === null) throw new Error("The server sent an access token without an expiry.");
    this.#hasLapsed = false;
    this.storage.setItem(TOKEN, token);
    this.storage.setItem(EXPIRY, String(expiry));
    if (refreshToken) this.storage.setItem(REFRESH_TOKEN, refreshToken);
    else this.storage.removeItem(REFRESH_TOKEN);
    this.#notifyListeners();
  }

  /** Clears all three values. */
  clear(): void {
    for (const key of [TOKEN, REFRESH_TOKEN, EXPIRY]) this.storage.removeItem(key);
    this.#removeBrowserMarker();
    this.#notifyListeners();
  }

  /**
   * Calls `listener` when the session changes, in this tab or another. Returns the unsubscribe
   * function.
   */
  readonly subscribe = (listener: () => void): (() => void) => {
    const fromOtherTab = (event: StorageEvent) => {
      if (event.key === TOKEN || event.key === null) listener();
    };
    this.#listeners.add(listener);
    window.addEventListener("storage", fromOtherTab);
    return () => {
      this.#listeners.delete(listener);
      window.removeEventListener("storage", fromOtherTab);
    };
  };

  /** Calls `listener` for each session event of this tab. Returns the unsubscribe function. */
  onEvent(listener: (event: SessionEvent) => void): () => void {
    this.#eventListeners.add(listener);
    return () => this.#eventListeners.delete(listener);
  }

  /** Notifies the app that a session ended, or that a call needs one. */
  announce(event: SessionEvent): void {
    if (event === "token-expired") this.#hasLapsed = true;
    for (const listener of this.#eventListeners) listener(event);
  }

  #removeBrowserMarker(): void {
    this.storage.removeItem(BROWSER_MARKER);
    if (isBrowserOpenSinceSignIn()) setCookie("", "; Max-Age=0");
  }

  #notifyListeners(): void {
    for (const listener of this.#listeners) listener();
  }
}
