// Stores unsent input in this browser, so that a closed tab or an ended session loses nothing. Also
// stores the idempotency key of a request without a response, so that sending it again creates no
// second tender.

import { type PublishForm, parseStoredForm } from "./form.ts";

function storageKey(userId: string, tenderId: string | null): string {
  return `publish:${userId}:${tenderId ?? "new"}`;
}

/** The stored form of a user's tender, or of a new one. */
export class UnsentForm {
  readonly #key: string;
  /** The current key, in case the browser stores nothing. */
  #idempotencyKey: string | null = null;

  constructor(
    private readonly store: Storage,
    userId: string,
    tenderId: string | null,
  ) {
    this.#key = storageKey(userId, tenderId);
  }

  read(): PublishForm | null {
    return parseStoredForm(this.store.getItem(this.#key));
  }

  write(form: PublishForm): void {
    try {
      this.store.setItem(this.#key, JSON.stringify(form));
    } catch {
      // Without storage the input is only on the screen.
    }
  }

  /** The idempotency key of the current submission. It stays the same until the server responds. */
  idempotencyKey(): string {
    this.#idempotencyKey =
      this.store.getItem(this.#idempotencyStorageKey) ?? this.#idempotencyKey ?? crypto.randomUUID();
    try {
      this.store.setItem(this.#idempotencyStorageKey, this.#idempotencyKey);
    } catch {
      // Without storage the key is only in memory.
    }
    return this.#idempotencyKey;
  }

  /** The server rejected the request, so the next one needs another key. */
  discardIdempotencyKey(): void {
    this.#idempotencyKey = null;
    this.store.removeItem(this.#idempotencyStorageKey);
  }

  /** Removes the stored form after it was sent or discarded. */
  clear(): void {
    this.discardIdempotencyKey();
    this.store.removeItem(this.#key);
  }

  get #idempotencyStorageKey(): string {
    return `${this.#key}:sending`;
  }
}
