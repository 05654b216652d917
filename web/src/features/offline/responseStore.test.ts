import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, expect, it } from "vitest";
import { MAX_RESPONSES, ResponseStore } from "./responseStore.ts";

let store: ResponseStore;

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
  store = new ResponseStore();
});

const answer = (data: unknown, at = 5) => ({ data, at });

it("keeps a visitor's responses with their time for later instances of the store", async () => {
  expect(await store.claim("a")).toBe(true);
  await store.put("a", "list", answer({ total: 3 }), 10);
  expect(await new ResponseStore().claim("a")).toBe(false);
  expect(await new ResponseStore().get("a", "list")).toEqual({ data: { total: 3 }, at: 5 });
  expect(await store.get("a", "details")).toBeNull();
});

it("returns nothing to another visitor, and is empty once another visitor has claimed it", async () => {
  await store.claim("a");
  await store.put("a", "list", answer("mine"), 10);
  expect(await store.get("b", "list")).toBeNull();
  expect(await store.claim("b")).toBe(true);
  expect(await store.get("b", "list")).toBeNull();
  expect(await store.claim("a")).toBe(true);
  expect(await store.get("a", "list")).toBeNull();
});

it("does not store a response of the earlier visitor while the next one claims the store", async () => {
  await store.claim("a");
  const late = [store.claim("b"), store.put("a", "list", answer("late"), 10)];
  await Promise.all(late);
  expect(await store.get("b", "list")).toBeNull();
  await store.claim("a");
  expect(await store.get("a", "list")).toBeNull();
});

it("stores nothing before it is claimed", async () => {
  await store.put("a", "list", answer("early"), 10);
  expect(await store.get("a", "list")).toBeNull();
});

it("keeps the most recently stored responses", async () => {
  await store.claim("a");
  for (let nth = 0; nth < MAX_RESPONSES; nth += 1) await store.put("a", `list ${nth}`, answer(nth), nth);
  // Stores the first response again.
  await store.put("a", "list 0", answer("again"), MAX_RESPONSES);
  await store.put("a", "one more", answer("new"), MAX_RESPONSES + 1);
  expect(await store.get("a", "list 0")).toEqual(answer("again"));
  expect(await store.get("a", "list 1")).toBeNull();
  expect(await store.get("a", "list 2")).toEqual(answer(2));
  expect(await store.get("a", "one more")).toEqual(answer("new"));
});
