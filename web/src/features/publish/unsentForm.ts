// What was typed and not yet sent, kept in this browser: a closed tab or an ended session loses nothing. Beside it, the name
// of a sending that nobody answered: sent again, it makes no second tender.

import { type PublishForm, parseStoredForm } from "./form.ts";

function keyOf(userId: string, tenderId: string | null): string {
  return `publish:${userId}:${tenderId ?? "new"}`;
}

/** The kept form of a user's tender, or of the new one. */
export class UnsentForm {
  readonly #key: string;
  /** The sending that is under way, for a store that keeps nothing. */
  #idempotencyKey: string | null = null;

  constructor(
    private readonly store: Storage,
    userId: string,
    tenderId: string | null,
  ) {
    this.#key = keyOf(userId, tenderId);
  }

  read(): PublishForm | null {
    return parseStoredForm(this.store.getItem(this.#key));
  }

  write(form: PublishForm): void {
    try {
      this.store.setItem(this.#key, JSON.stringify(form));
    } catch {
      // A full or forbidden store keeps nothing; the screen still has it.
    }
  }

  /** Names this sending of the form. It is the same until the portal has answered. */
  idempotencyKey(): string {
    this.#idempotencyKey =
      this.store.getItem(this.#idempotencyStorageKey) ?? this.#idempotencyKey ?? crypto.randomUUID();
    try {
      this.store.setItem(this.#idempotencyStorageKey, this.#idempotencyKey);
    } catch {
      // Until the page is left, it is known without.
    }
    return this.#idempotencyKey;
  }

  /** The portal refused what was sent: the next sending is another one. */
  discardIdempotencyKey(): void {
    this.#idempotencyKey = null;
    this.store.removeItem(this.#idempotencyStorageKey);
  }

  /** The form was sent, or given up. */
  clear(): void {
    this.discardIdempotencyKey();
    this.store.removeItem(this.#key);
  }

  get #idempotencyStorageKey(): string {
    return `${this.#key}:sending`;
  }
}
