import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ICON_INDEX, iconFile, iconFilesByName, importedIcons } from "./icons.ts";

it("finds the file of an icon of the library by its name", () => {
  const files = iconFilesByName(readFileSync(`node_modules${ICON_INDEX}`, "utf8"));
  expect(files.get("FilePlus2")).toBe("file-plus-corner");
  expect(files.get("Search")).toBe("search");
  expect(files.size).toBeGreaterThan(1000);
});

it("finds the icons that a module imports", () => {
  const code = `import { jsx } from "react/jsx-runtime";
import { Menu as MenuIcon, X } from "lucide-react";
import{Bell}from'lucide-react'`;
  expect(importedIcons(code)).toEqual(["Menu", "X", "Bell"]);
});

it("recognises the file of an icon", () => {
  expect(iconFile("/a/node_modules/lucide-react/dist/esm/icons/file-plus.mjs")).toBe("file-plus");
  expect(iconFile("/a/node_modules/lucide-react/dist/esm/Icon.mjs")).toBeNull();
});
