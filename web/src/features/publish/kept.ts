// What was typed and not yet sent, kept in this browser: a closed tab or an ended session loses nothing.

import { type PublishForm, readKept } from "./form.ts";

function keyOf(userId: string, tenderId: string | null): string {
  return `publish:${userId}:${tenderId ?? "new"}`;
}

/** The kept form of a user's tender, or of the new one. */
export class Kept {
  readonly #key: string;

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

  forget(): void {
    this.store.removeItem(this.#key);
  }
}
