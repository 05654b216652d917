// Stores the unsent input of the tender form in this browser, so that it survives a closed tab or
// an ended session. Also stores the idempotency key of a request without a response, so that
// sending the form again creates no second tender.

import type { PublishForm } from "./form.ts";
import type { Step } from "./steps.ts";
import { parseStoredForm, type StoredForm } from "./storedForm.ts";

function storageKey(userId: string, tenderId: string | null): string {
  return `publish:${userId}:${tenderId ?? "new"}`;
}

/** The stored form of a user's tender, or of a new tender if `tenderId` is `null`. */
export class UnsentForm {
  readonly #key: string;
  /** The current idempotency key, in case the browser cannot store it. */
  #idempotencyKey: string | null = null;

  constructor(
    private readonly store: Storage,
    userId: string,
    tenderId: string | null,
  ) {
    this.#key = storageKey(userId, tenderId);
  }

  read(): StoredForm | null {
    return parseStoredForm(this.store.getItem(this.#key));
  }

  write(form: PublishForm, step: Step): void {
    try {
      this.store.setItem(this.#key, JSON.stringify({ ...form, step }));
    } catch {
      // Without storage the input is only on the screen.
    }
  }

  /** Stores the open step, if there is a stored form. */
  writeStep(step: Step): void {
    const stored = this.read();
    if (stored) this.write(stored.form, step);
  }

  /** The idempotency key of the form. It stays the same until the form is saved or rejected. */
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

  /** Discards the idempotency key, so that the next request gets another one. */
  discardIdempotencyKey(): void {
    this.#idempotencyKey = null;
    this.store.removeItem(this.#idempotencyStorageKey);
  }

  /** Removes the stored form and its key after the user saved or discarded the form. */
  clear(): void {
    this.discardIdempotencyKey();
    this.store.removeItem(this.#key);
  }

  get #idempotencyStorageKey(): string {
    return `${this.#key}:sending`;
  }
}
