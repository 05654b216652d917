// Stores responses in this browser for one visitor at a time. When the visitor changes, one
// transaction clears the responses and records the new owner, so that even a crash can't leave them
// to another visitor.

import { type DBSchema, type IDBPDatabase, openDB } from "idb";

/** A response of the portal, and the time at which it was loaded. */
export interface CachedResponse {
  data: unknown;
  /** The time in milliseconds since 1970. */
  at: number;
}

interface Schema extends DBSchema {
  // `usedAt` is the time at which the response was stored. Stores in browsers have this name.
  answers: { key: string; value: CachedResponse & { usedAt: number }; indexes: { usedAt: number } };
  owner: { key: "owner"; value: string };
}

/** The maximum number of stored responses. Those that were stored longest ago are removed. */
export const MAX_RESPONSES = 200;

const DATABASE_NAME = "kept-answers";

export class ResponseStore {
  #database: Promise<IDBPDatabase<Schema>> | null = null;

  /**
   * Makes `owner` the owner of the store. If the owner changes, clears the store and returns true.
   */
  async claim(owner: string): Promise<boolean> {
    const change = (await this.#open()).transaction(["answers", "owner"], "readwrite");
    const hasChanged = (await change.objectStore("owner").get("owner")) !== owner;
    if (hasChanged) {
      await change.objectStore("answers").clear();
      await change.objectStore("owner").put(owner, "owner");
    }
    await change.done;
    return hasChanged;
  }

  /** Stores a response, if `owner` owns the store. */
  async put(owner: string, key: string, { data, at }: CachedResponse, now: number): Promise<void> {
    const change = (await this.#open()).transaction(["answers", "owner"], "readwrite");
    const answers = change.objectStore("answers");
    if ((await change.objectStore("owner").get("owner")) === owner) {
      await answers.put({ data, at, usedAt: now }, key);
      let surplus = (await answers.count()) - MAX_RESPONSES;
      let oldest = surplus > 0 ? await answers.index("usedAt").openCursor() : null;
      for (; oldest && surplus > 0; surplus -= 1) {
        await oldest.delete();
        oldest = await oldest.continue();
      }
    }
    await change.done;
  }

  /** The response with this key; `null` if it is missing or `owner` does not own the store. */
  async get(owner: string, key: string): Promise<CachedResponse | null> {
    const read = (await this.#open()).transaction(["answers", "owner"]);
    const isOwner = (await read.objectStore("owner").get("owner")) === owner;
    const cached = isOwner ? await read.objectStore("answers").get(key) : undefined;
    await read.done;
    return cached ? { data: cached.data, at: cached.at } : null;
  }

  #open(): Promise<IDBPDatabase<Schema>> {
    this.#database ??= openDB<Schema>(DATABASE_NAME, 1, {
      upgrade(database) {
        database.createObjectStore("answers").createIndex("usedAt", "usedAt");
        database.createObjectStore("owner");
      },
      // Another tab has a newer version of the app, which waits until this connection is closed.
      blocking: (_, __, event) => {
        (event.target as IDBDatabase).close();
        this.#database = null;
      },
      terminated: () => {
        this.#database = null;
      },
    });
    this.#database.catch(() => {
      this.#database = null;
    });
    return this.#database;
  }
}
