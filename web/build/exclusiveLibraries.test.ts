import { expect, it } from "vitest";
import { exclusivityErrors } from "./exclusiveLibraries.ts";

const page = (module: string | null, modules: string[], imports: string[] = []) => ({
  type: "chunk" as const,
  isEntry: module === "boot.ts",
  isDynamicEntry: module !== null && module !== "boot.ts",
  facadeModuleId: module && `/web/src/${module}`,
  imports,
  moduleIds: modules,
});

const CHARTS = "/web/node_modules/charts/index.js";
const exclusive = { charts: "/src/Figures.tsx" };

it("accepts a library that only its page loads, directly or by a shared file", () => {
  const bundle = {
    "boot.js": page("boot.ts", ["/web/src/boot.ts"]),
    "figures.js": page("Figures.tsx", ["/web/src/Figures.tsx"], ["charts.js"]),
    "charts.js": page(null, [CHARTS], ["figures.js"]),
    "users.js": page("Users.tsx", ["/web/src/Users.tsx"], ["boot.js"]),
    "index.css": { type: "asset" as const },
  };
  expect(exclusivityErrors(bundle, exclusive)).toEqual([]);
});

it("names another page that loads the library", () => {
  const bundle = {
    "figures.js": page("Figures.tsx", [CHARTS]),
    "users.js": page("Users.tsx", ["/web/src/Users.tsx"], ["shared.js"]),
    "shared.js": page(null, [], ["charts.js"]),
    "charts.js": page(null, [CHARTS]),
  };
  const errors = exclusivityErrors(bundle, exclusive);
  expect(errors).toEqual(["users.js loads charts, which only /src/Figures.tsx may load."]);
});

it("reports a page that has moved or no longer loads the library", () => {
  const errors = exclusivityErrors({ "boot.js": page("boot.ts", []) }, exclusive);
  expect(errors).toEqual(["/src/Figures.tsx does not load charts."]);
});
