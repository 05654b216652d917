// Keeping the access token fresh: within the margin before its expiry it is renewed first, by one tab at a time, and
// the session is cleared only when the server refuses. Knows nothing of any particular call.

import { isExpired, type Session, type SessionStore } from "./session.ts";

/** Exchanges a refresh token. Resolves to `null` when it is refused; rejects when the server cannot be asked. */
export type Exchange = (refreshToken: string) => Promise<{ token: string; refreshToken: string } | null>;

/** Runs `task` while no other tab runs one under the same name. */
export type Exclusively = <T>(task: () => Promise<T>) => Promise<T>;

const LOCK = "session-renewal";

/** Web Locks hold across tabs; where they are missing (an insecure origin), a queue holds within this one. */
export function oneTabAtATime(locks: LockManager | undefined): Exclusively {
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

/** Gives out access tokens that the server will still take. */
export class TokenRenewal {
  constructor(
    private readonly store: SessionStore,
    private readonly exchange: Exchange,
    private readonly exclusively: Exclusively,
    private readonly now: () => number,
  ) {}

  /** The access token to send, renewed where it is about to expire; `null` for a guest. */
  async freshToken(): Promise<string | null> {
    const session = this.store.read();
    if (!session) return null;
    return isExpired(session, this.now()) ? this.renew(session) : session.token;
  }

  /** The token to try again with after the server refused `token`; `null` when the session is over. */
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
      if (!current.refreshToken) return this.end();
      try {
        const renewed = await this.exchange(current.refreshToken);
        if (!renewed) return this.end();
        this.store.write(renewed.token, renewed.refreshToken);
        return renewed.token;
      } catch (error) {
        // Unreachable is not refused: within the margin the old token still serves.
        if (this.now() / 1000 < current.expiresAt) return current.token;
        throw error;
      }
    });
  }

  private end(): null {
    this.store.clear();
    this.store.announce("token-expired");
    return null;
  }
}
