// Renews the access token shortly before it expires, in one tab at a time. A session ends if the
// server refuses its refresh token or if it has none. An unreachable server does not end it.

import { isExpired, type Session, type SessionStore } from "./session.ts";

/**
 * Exchanges a refresh token. Resolves to `null` if it is refused; rejects if the server is
 * unreachable.
 */
export type Exchange = (refreshToken: string) => Promise<{ token: string; refreshToken: string } | null>;

/** Runs `task` while no other tab runs one. */
export type RunExclusively = <T>(task: () => Promise<T>) => Promise<T>;

const LOCK = "session-renewal";

/**
 * Uses Web Locks across tabs. Without them (on insecure origins), a queue serialises the tasks of
 * this tab.
 */
export function oneTabAtATime(locks: LockManager | undefined): RunExclusively {
  if (locks) {
    return async <T>(task: () => Promise<T>) => {
      const held = await locks.request(LOCK, async () => ({ value: await task() }));
      return held.value;
    };
  }
  let last: Promise<unknown> = Promise.resolve();
  return <T>(task: () => Promise<T>) => {
    const next = last.then(task, task);
    last = next.catch(() => undefined);
    return next;
  };
}

/** Provides access tokens that the server still accepts. */
export class TokenRenewal {
  constructor(
    private readonly store: SessionStore,
    private readonly exchange: Exchange,
    private readonly exclusively: RunExclusively,
    private readonly now: () => number,
  ) {}

  /** The access token to send, renewed if it is about to expire; `null` for a guest. */
  async freshToken(): Promise<string | null> {
    const session = this.store.read();
    if (!session) return null;
    return isExpired(session, this.now()) ? this.renew(session) : session.token;
  }

  /**
   * The token for a second attempt after the server refused `token`; `null` if the session is over.
   */
  async replaceRefused(token: string): Promise<string | null> {
    const session = this.store.read();
    if (!session) return null;
    return session.token === token ? this.renew(session) : session.token;
  }

  private renew(stale: Session): Promise<string | null> {
    return this.exclusively(async () => {
      const current = this.store.read();
      if (!current) return null;
      const renewedElsewhere = current.token !== stale.token && !isExpired(current, this.now());
      if (renewedElsewhere) return current.token;
      if (!current.refreshToken) return this.endSession();
      try {
        const renewed = await this.exchange(current.refreshToken);
        if (!renewed) return this.endSession();
        this.store.write(renewed.token, renewed.refreshToken);
        return renewed.token;
      } catch (error) {
        // An unreachable server is not a refusal. The old token is valid until its expiry.
        if (this.now() / 1000 < current.expiresAt) return current.token;
        throw error;
      }
    });
  }

  private endSession(): null {
    this.store.clear();
    this.store.announce("token-expired");
    return null;
  }
}
