// Renews the access token shortly before it expires, in one tab at a time. The session ends if it
// has no refresh token or if the server refuses the refresh token. An unreachable server does not
// end the session.

import { isExpired, type Session, type SessionStore } from "./session.ts";

/**
 * Exchanges a refresh token for new tokens. Resolves to `null` if the server refuses it; rejects if
 * the server is unreachable or fails.
 */
export type Exchange = (refreshToken: string) => Promise<{ token: string; refreshToken: string } | null>;

/** Runs `task` while no other tab runs such a task. */
export type RunExclusively = <T>(task: () => Promise<T>) => Promise<T>;

const LOCK_NAME = "session-renewal";

/**
 * Runs tasks in one tab at a time with Web Locks. On insecure origins, which have no Web Locks, a
 * queue serialises the tasks of this tab only.
 */
export function oneTabAtATime(locks: LockManager | undefined): RunExclusively {
  if (locks) {
    return async <T>(task: () => Promise<T>) => {
      const held = await locks.request(LOCK_NAME, async () => ({ value: await task() }));
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

/** Provides access tokens that have not expired. */
export class TokenRenewal {
  constructor(
    private readonly store: SessionStore,
    private readonly exchange: Exchange,
    private readonly exclusively: RunExclusively,
    private readonly now: () => number,
  ) {}

  /**
   * The access token to send, renewed if it is about to expire; `null` for a guest or if the
   * session has ended.
   */
  async freshToken(): Promise<string | null> {
    const session = this.store.read();
    if (!session) return null;
    return isExpired(session, this.now()) ? this.renew(session) : session.token;
  }

  /**
   * The token for a second attempt after the server refused `token`; `null` if the session has
   * ended.
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
        // An unreachable server is not a refusal, so the old token is used until its expiry.
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
