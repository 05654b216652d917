import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { MAX_FIRST_LOAD_BYTES, measureFirstLoad, sizeError } from "./firstLoad.ts";

const chunk = (code: string, { isEntry = false, imports = [] as string[], module = code } = {}) => ({
  type: "chunk" as const,
  isEntry,
  imports,
  moduleIds: [`/web/src/${module}`],
  code,
});

it("counts the entry, the app and their imports once each, and nothing that loads later", () => {
  const sizes = measureFirstLoad({
    "index.js": chunk("a", { isEntry: true }),
    "app.js": chunk("app", { imports: ["b.js", "c.js"], module: "main.tsx" }),
    "b.js": chunk("b".repeat(5000), { imports: ["c.js", "index.js"] }),
    "c.js": chunk("c"),
    "page.js": chunk("later", { imports: ["b.js"] }),
    "index.css": { type: "asset" },
  });
  expect([...sizes.keys()].sort()).toEqual(["app.js", "b.js", "c.js", "index.js"]);
  expect(sizes.get("b.js")).toBe(gzipSync("b".repeat(5000), { level: 9 }).length);
});

it("accepts exactly the limit, rejects more, and lists the sizes of the files", () => {
  expect(sizeError(new Map([["index.js", MAX_FIRST_LOAD_BYTES]]))).toBeNull();
  const message = sizeError(
    new Map([
      ["index.js", MAX_FIRST_LOAD_BYTES],
      ["b.js", 1],
    ]),
  );
  expect(message).toContain(`${MAX_FIRST_LOAD_BYTES + 1} bytes`);
  expect(message).toContain(`${MAX_FIRST_LOAD_BYTES} index.js`);
});

it("rejects a build without an entry or without the app", () => {
  const entry = { "index.js": chunk("a", { isEntry: true }) };
  const app = { "app.js": chunk("app", { module: "main.tsx" }) };
  expect(() => measureFirstLoad(entry)).toThrow("no app");
  expect(() => measureFirstLoad(app)).toThrow("no entry");
  expect(measureFirstLoad({ ...entry, ...app }).size).toBe(2);
});
