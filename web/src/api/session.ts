// The session in local storage: access token, refresh token and expiry. This file reads, writes and
// clears the session and notifies the app; `tokenRenewal.ts` renews the tokens. An unremembered
// session is also in local storage, so that tabs share it. Such a session is valid only while a
// session cookie exists, which the browser drops when it closes.

/** The three stored values. */
export interface Session {
  token: string;
  refreshToken: string | null;
  /** The token's expiry claim, in seconds since 1970. */
  expiresAt: number;
}

/** An event that the app may report to the user. */
export type SessionEvent = "token-expired" | "unauthorized";

/** How many seconds before its expiry a token already counts as expired. */
export const EXPIRY_MARGIN = 5 * 60;

const TOKEN = "auth_token";
const REFRESH_TOKEN = "refresh_token";
const EXPIRY = "token_expiry";
/** Marks an unremembered session, which ends when the browser closes. */
const BROWSER_MARKER = "session_fleeting";
/**
 * The session cookie of an unremembered session. Over TLS its name has a prefix, with which browsers
 * accept it only from this host.
 */
const BROWSER_COOKIE = "browser_open";
const HOST_PREFIX = "__Host-";

const isEncrypted = (): boolean => window.location.protocol === "https:";

/** Whether the browser has the cookie, also under the name of earlier versions. */
function isBrowserOpenSinceSignIn(): boolean {
  const cookies = document.cookie.split("; ");
  return [BROWSER_COOKIE, HOST_PREFIX + BROWSER_COOKIE].some((name) => cookies.includes(`${name}=1`));
}

/** Sets a cookie. `attributes` may contain its expiry; without one, it is a session cookie. */
function setCookie(name: string, value: string, attributes = ""): void {
  const secure = isEncrypted() ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: not every supported browser has `cookieStore`
  document.cookie = `${name}=${value}; Path=/; SameSite=Strict${secure}${attributes}`;
}

function setBrowserCookie(): void {
  setCookie((isEncrypted() ? HOST_PREFIX : "") + BROWSER_COOKIE, "1");
}

function removeBrowserCookie(): void {
  for (const name of [BROWSER_COOKIE, HOST_PREFIX + BROWSER_COOKIE]) setCookie(name, "", "; Max-Age=0");
}

/** The claims of a JWT; none if it is malformed. Only the server verifies the signature. */
function readClaims(token: string): { exp?: unknown; sub?: unknown } {
  try {
    const payload = token.split(".")[1] ?? "";
    const claims: unknown = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    return typeof claims === "object" && claims !== null ? claims : {};
  } catch {
    return {};
  }
}

/** The expiry claim of a JWT in seconds since 1970; `null` without such a claim. */
export function readExpiry(token: string): number | null {
  const { exp } = readClaims(token);
  return typeof exp === "number" && Number.isFinite(exp) ? exp : null;
}

/** The subject claim of a JWT; `null` without such a claim. */
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
    // Ends an unremembered session if the browser was closed since the sign-in.
    if (storage.getItem(BROWSER_MARKER) && !isBrowserOpenSinceSignIn()) this.clear();
  }

  /** The stored session, even if it has expired; `null` without a token or a valid expiry. */
  read(): Session | null {
    const token = this.storage.getItem(TOKEN);
    const expiresAt = Number(this.storage.getItem(EXPIRY));
    if (!token || !Number.isFinite(expiresAt) || expiresAt <= 0) return null;
    return { token, refreshToken: this.storage.getItem(REFRESH_TOKEN), expiresAt };
  }

  /** Whether a session has ended in this tab without a sign-out, and none has started since. */
  get hasLapsed(): boolean {
    return this.#hasLapsed;
  }

  /** Stores the session of a sign-in. An unremembered session ends when the browser closes. */
  open(token: string, refreshToken: string, isRemembered: boolean): void {
    if (isRemembered) this.#removeBrowserMarker();
    else {
      this.storage.setItem(BROWSER_MARKER, "1");
      setBrowserCookie();
    }
    this.write(token, refreshToken);
  }

  /** Stores the tokens of the session. Throws if the access token has no expiry claim. */
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

  /** Removes the session and its browser marker. */
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

  /** Notifies the app that the session ended, or that the server denied a call. */
  announce(event: SessionEvent): void {
    if (event === "token-expired") this.#hasLapsed = true;
    for (const listener of this.#eventListeners) listener(event);
  }

  #removeBrowserMarker(): void {
    this.storage.removeItem(BROWSER_MARKER);
    if (isBrowserOpenSinceSignIn()) removeBrowserCookie();
  }

  #notifyListeners(): void {
    for (const listener of this.#listeners) listener();
  }
}
