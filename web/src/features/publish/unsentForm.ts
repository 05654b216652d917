// What was typed and not yet sent, kept in this browser: a closed tab or an ended session loses nothing. Beside it, the name
// of a sending that nobody answered: sent again, it makes no second tender.

import { type PublishForm, readKept } from "./form.ts";

function keyOf(userId: string, tenderId: string | null): string {
  return `publish:${userId}:${tenderId ?? "new"}`;
}

/** The kept form of a user's tender, or of the new one. */
export class Kept {
  readonly #key: string;
  /** The sending that is under way, for a store that keeps nothing. */
  #sending: string | null = null;

  constructor(
    private readonly store: Storage,
    userId: string,
    tenderId: string | null,
  ) {
    this.#key = keyOf(userId, tenderId);
  }

  read(): PublishForm | null {
    return readKept(this.store.getItem(this.#key));
  }

  write(form: PublishForm): void {
    try {
      this.store.setItem(this.#key, JSON.stringify(form));
    } catch {
      // A full or forbidden store keeps nothing; the screen still has it.
    }
  }

  /** Names this sending of the form. It is the same until the portal has answered. */
  sending(): string {
    this.#sending = this.store.getItem(this.#sendingKey) ?? this.#sending ?? crypto.randomUUID();
    try {
      this.store.setItem(this.#sendingKey, this.#sending);
    } catch {
      // Until the page is left, it is known without.
    }
    return this.#sending;
  }

  /** The portal refused what was sent: the next sending is another one. */
  refused(): void {
    this.#sending = null;
    this.store.removeItem(this.#sendingKey);
  }

  /** The form was sent, or given up. */
  forget(): void {
    this.refused();
    this.store.removeItem(this.#key);
  }

  get #sendingKey(): string {
    return `${this.#key}:sending`;
  }
}
