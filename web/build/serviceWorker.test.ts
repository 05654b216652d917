import type { Rolldown } from "vite";
import { expect, it } from "vitest";
import { contractVersion, listFiles } from "./serviceWorker.ts";

function bundle(change: { page?: string; entry?: string } = {}): Rolldown.OutputBundle {
  const chunk = (fileName: string, more: object = {}) => ({
    type: "chunk",
    fileName,
    code: fileName,
    imports: [],
    moduleIds: [],
    isEntry: false,
    ...more,
  });
  const entry = change.entry ?? "assets/index-1.js";
  const outputs = [
    chunk("assets/page-1.js"),
    chunk("assets/keep-1.js"),
    chunk("assets/start-1.js", {
      moduleIds: ["/web/src/features/offline/startOffline.ts"],
      imports: ["assets/keep-1.js"],
    }),
    chunk("assets/libraries-1.js"),
    chunk("assets/app-1.js", { moduleIds: ["/web/src/main.tsx"], imports: ["assets/libraries-1.js"] }),
    chunk(entry, {
      isEntry: true,
      viteMetadata: { importedCss: new Set(["assets/index-1.css"]) },
    }),
    { type: "asset", fileName: "assets/index-1.css", source: "" },
    { type: "asset", fileName: "assets/sans-1.woff2", source: "" },
    { type: "asset", fileName: "index.html", source: change.page ?? "<html>" },
  ];
  return Object.fromEntries(outputs.map((output) => [output.fileName, output])) as never;
}

it("lists the files of the first page, the entry first, the offline code, and all hashed files", () => {
  const { shell, assets } = listFiles(bundle());
  expect(shell[0]).toBe("/assets/index-1.js");
  expect([...shell].sort()).toEqual([
    "/assets/app-1.js",
    "/assets/index-1.css",
    "/assets/index-1.js",
    "/assets/keep-1.js",
    "/assets/libraries-1.js",
    "/assets/start-1.js",
  ]);
  expect(assets).toContain("/assets/sans-1.woff2");
  expect(assets).toContain("/assets/page-1.js");
  expect(assets).not.toContain("/index.html");
});

it("gives each build a version of its own", () => {
  const { version } = listFiles(bundle());
  expect(listFiles(bundle()).version).toBe(version);
  expect(listFiles(bundle({ page: "<html lang>" })).version).not.toBe(version);
  expect(listFiles(bundle({ entry: "assets/index-2.js" })).version).not.toBe(version);
});

it("identifies the contract by a short hash", () => {
  expect(contractVersion()).toMatch(/^[0-9a-f]{16}$/);
});
