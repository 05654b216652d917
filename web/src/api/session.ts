// The session as local storage holds it: access token, refresh token, expiry. Reading, writing, clearing and telling
// the app about it live here; renewing it over the network is `renewal.ts`. A session that is not to be remembered lies there
// too, so that tabs share it; it counts only as long as a cookie is there that goes when the browser is closed.

/** The three stored values. */
export interface Session {
  token: string;
  refreshToken: string | null;
  /** In seconds since 1970, the token's own expiry claim. */
  expiresAt: number;
}

/** What the app tells its user about. */
export type SessionEvent = "token-expired" | "unauthorized";

/** A token counts as expired this long before it is: five minutes, in seconds. */
export const EXPIRY_MARGIN = 5 * 60;

const TOKEN = "auth_token";
const REFRESH_TOKEN = "refresh_token";
const EXPIRY = "token_expiry";
/** Says that the session goes with the browser. */
const FLEETING = "session_fleeting";
const COOKIE = "browser_open";

function isBrowserOpenSinceSignIn(): boolean {
  return document.cookie.split("; ").includes(`${COOKIE}=1`);
}

/** `until` is an attribute that ends it; without one it goes with the browser. */
function setCookie(value: string, until = ""): void {
  const secure = window.location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the other interface is missing in Firefox and on insecure origins
  document.cookie = `${COOKIE}=${value}; Path=/; SameSite=Strict${secure}${until}`;
}

/** The claims of a JWT; none for what is no JWT. Nothing is verified: that is the server's part. */
function claimsOf(token: string): { exp?: unknown; sub?: unknown } {
  try {
    const payload = token.split(".")[1] ?? "";
    const claims: unknown = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    return typeof claims === "object" && claims !== null ? claims : {};
  } catch {
    return {};
  }
}

/** The expiry claim of a JWT in seconds, or `null` where it has none. */
export function expiryOf(token: string): number | null {
  const { exp } = claimsOf(token);
  return typeof exp === "number" && Number.isFinite(exp) ? exp : null;
}

/** Whose JWT it is, or `null` where it does not say. */
export function subjectOf(token: string): string | null {
  const { sub } = claimsOf(token);
  return typeof sub === "string" && sub !== "" ? sub : null;
}

/** Whether `session` is past its expiry, or within the margin before it. `now` is in milliseconds. */
export function isExpired(session: Session, now: number): boolean {
  return now / 1000 >= session.expiresAt - EXPIRY_MARGIN;
}

/** The session of this browser, shared by its tabs. */
export class SessionStore {
  readonly #listeners = new Set<() => void>();
  readonly #eventListeners = new Set<(event: SessionEvent) => void>();
  #hasLapsed = false;

  constructor(private readonly storage: Storage) {
    // The browser was closed since.
    if (storage.getItem(FLEETING) && !isBrowserOpenSinceSignIn()) this.clear();
  }

  /** The stored session, expired or not; `null` where none or only part of one is stored. */
  read(): Session | null {
    const token = this.storage.getItem(TOKEN);
    const expiresAt = Number(this.storage.getItem(EXPIRY));
    if (!token || !Number.isFinite(expiresAt) || expiresAt <= 0) return null;
    return { token, refreshToken: this.storage.getItem(REFRESH_TOKEN), expiresAt };
  }

  /** Whether a session ended in this tab against its reader's will, and none was begun since. */
  get hasLapsed(): boolean {
    return this.#hasLapsed;
  }

  /** Stores what a sign-in returned; one that is not to be remembered goes with the browser. */
  open(token: string, refreshToken: string, isRemembered: boolean): void {
    if (isRemembered) this.#outlastBrowser();
    else {
      this.storage.setItem(FLEETING, "1");
      setCookie("1");
    }
    this.write(token, refreshToken);
  }

  /** Stores what a renewal returned. A token without an expiry claim is not kept. */
  write(token: string, refreshToken?: string | null): void {
    const expiry = expiryOf(token);
    if (expiry === null) throw new Error("The server sent an access token without an expiry.");
    this.#hasLapsed = false;
    this.storage.setItem(TOKEN, token);
    this.storage.setItem(EXPIRY, String(expiry));
    if (refreshToken) this.storage.setItem(REFRESH_TOKEN, refreshToken);
    else this.storage.removeItem(REFRESH_TOKEN);
    this.#changed();
  }

  /** Clears all three values. */
  clear(): void {
    for (const key of [TOKEN, REFRESH_TOKEN, EXPIRY]) this.storage.removeItem(key);
    this.#outlastBrowser();
    this.#changed();
  }

  /** Calls `listener` whenever the session changes, in this tab or another; returns how to stop. */
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

  /** Calls `listener` for each session event of this tab; returns how to stop. */
  onEvent(listener: (event: SessionEvent) => void): () => void {
    this.#eventListeners.add(listener);
    return () => this.#eventListeners.delete(listener);
  }

  /** Tells the app that a session ended, or that one was missing. */
  announce(event: SessionEvent): void {
    if (event === "token-expired") this.#hasLapsed = true;
    for (const listener of this.#eventListeners) listener(event);
  }

  #outlastBrowser(): void {
    this.storage.removeItem(FLEETING);
    if (isBrowserOpenSinceSignIn()) setCookie("", "; Max-Age=0");
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}
